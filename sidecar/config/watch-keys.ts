import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { reasonOf } from "../../cli/errno.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { type AdminKey, allKeys } from "./admin-keys.ts";
import type { Environment } from "./environment.ts";
import { type ReadResult, readAgain } from "./load.ts";
import type { Config } from "./settings.ts";

/** How often the file's state is checked, in milliseconds. It is read once two checks have found one state. */
const CHECK_MS = 500;

interface WatchDeps {
  /** the configuration file */
  path: string;
  env: Environment;
  /** as it was read last */
  config: Config;
  clock: Pick<Clock, "every">;
  log: Pick<Log, "info" | "warn">;
  /** open connections by listener: logged if the process cannot open more files */
  connections(): object;
  /** called with the keys, and the configuration with them and the moderators in it */
  apply(keys: AdminKey[], config: Config): void;
}

export interface KeyWatch {
  /** Reads the keys now. */
  read(): void;
  stop(): void;
}

/**
 * Reloads admin keys and moderators, and nothing else, when the configuration file has changed. An invalid file changes
 * nothing, and its faults are logged on one line. The file's state is polled: a mounted folder, a file that another one
 * replaces, and a link that changes send no events.
 */
export function watchKeys({ path, env, config, clock, log, connections, apply }: WatchDeps): KeyWatch {
  let current = config;
  let isFaulty = false;
  let isShort = false;
  let isChecking = false;
  let lastState = "";
  let read = "";

  function readKeys(isRequested: boolean): void {
    // A pipe was read to its end when the sidecar started.
    if (isPipe(path)) return;
    const found = readNow();
    if (found === undefined) return;
    if ("faults" in found) {
      isFaulty = true;
      log.warn({ faults: found.faults }, "The configuration has mistakes: the admin keys stay as they were");
      return;
    }
    const { adminApiKey, adminKeys, moderators } = found.config.modules.api;
    const { modules } = current;
    const api = { ...modules.api, adminApiKey, adminKeys, moderators };
    const next = { ...current, modules: { ...modules, api } };
    const hasChanged = !isDeepStrictEqual(next, current);
    if (hasChanged || isRequested || isFaulty) {
      current = next;
      const keys = allKeys(api);
      apply(keys, next);
      const holders = keys.map(({ name }) => name);
      log.info(
        { config: path, holders },
        "Reloaded the admin keys; other settings take effect after a restart",
      );
    }
    if (hasChanged) for (const warning of found.warnings) log.warn({}, warning);
    isFaulty = false;
  }

  /** Undefined if the process has too many files and connections open; the next check tries again. */
  function readNow(): ReadResult | undefined {
    try {
      const found = readAgain(path, env);
      isShort = false;
      return found;
    } catch (error) {
      read = "";
      const fields = { reason: reasonOf(error), ...connections() };
      if (!isShort)
        log.warn(fields, "Too many open files (ulimit -n): the admin keys will be reloaded later");
      isShort = true;
      return undefined;
    }
  }

  async function check(): Promise<void> {
    // A file may be incomplete while it is written, and missing while it is replaced.
    const now = await stat(path).then(
      ({ ino, size, mtimeMs, ctimeMs }) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
      reasonOf,
    );
    const isStable = now === lastState;
    lastState = now;
    if (!isStable || now === read) return;
    read = now;
    readKeys(false);
  }

  const stop = clock.every(CHECK_MS, () => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  });
  return { read: () => readKeys(true), stop };
}

/** False for a path that cannot be used: reading it says why. */
function isPipe(path: string): boolean {
  try {
    return !statSync(path).isFile();
  } catch {
    return false;
  }
}
