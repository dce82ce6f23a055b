import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { reasonOf } from "../../cli/errno.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import { type AdminKey, allKeys } from "./admin-keys.ts";
import type { Environment } from "./environment.ts";
import { readAgain } from "./load.ts";
import type { Config } from "./settings.ts";

/** How often is looked whether the file has changed, in milliseconds. It is read once two looks have found the same. */
const LOOK_MS = 500;

interface WatchDeps {
  /** the configuration file */
  path: string;
  env: Environment;
  /** as the file was read last */
  config: Config;
  clock: Pick<Clock, "every">;
  log: Pick<Log, "info" | "warn">;
  /** how many are open, by listener: what is told where the process may open nothing more */
  connections(): object;
  /** takes the keys, and the configuration with them in it */
  apply(keys: AdminKey[], config: Config): void;
}

export type KeyWatch = ReturnType<typeof watchKeys>;

/**
 * Reads the keys of administrators, and nothing else, again when the configuration file has changed. Where it is faulty they
 * stay as they are, and one line names the faults. It asks for the state of the file: a folder that is mounted, a file that
 * another one takes the place of and a link that leads elsewhere tell nobody.
 */
export function watchKeys({ path, env, config, clock, log, connections, apply }: WatchDeps) {
  let current = config;
  let isFaulty = false;
  let isShort = false;
  let isLooking = false;
  let seen = "";
  let read = "";

  function take(isAsked: boolean): void {
    // A pipe was read to its end when the sidecar started.
    if (isPipe(path)) return;
    const found = readNow();
    if (found === undefined) return;
    if ("faults" in found) {
      isFaulty = true;
      log.warn({ faults: found.faults }, "the configuration has faults: the admin keys stay as they are");
      return;
    }
    const { adminApiKey, adminKeys } = found.config.modules.api;
    const { modules } = current;
    const next = { ...current, modules: { ...modules, api: { ...modules.api, adminApiKey, adminKeys } } };
    const hasChanged = !isDeepStrictEqual(next, current);
    if (hasChanged || isAsked || isFaulty) {
      current = next;
      const keys = allKeys(next.modules.api);
      apply(keys, next);
      const holders = keys.map(({ name }) => name);
      log.info({ config: path, holders }, "read the admin keys again; all else counts after a restart");
    }
    if (hasChanged) for (const warning of found.warnings) log.warn({}, warning);
    isFaulty = false;
  }

  /** Undefined where the process has too many files and connections open to read it: it is tried again then. */
  function readNow(): ReturnType<typeof readAgain> | undefined {
    try {
      const found = readAgain(path, env);
      isShort = false;
      return found;
    } catch (error) {
      read = "";
      const fields = { reason: reasonOf(error), ...connections() };
      if (!isShort)
        log.warn(fields, "too many descriptors are open (ulimit -n): admin keys are read again later");
      isShort = true;
      return undefined;
    }
  }

  async function look(): Promise<void> {
    // A file that is being written may be half there, and a file that is being replaced may be gone.
    const now = await stat(path).then(
      ({ ino, size, mtimeMs, ctimeMs }) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`,
      reasonOf,
    );
    const stands = now === seen;
    seen = now;
    if (!stands || now === read) return;
    read = now;
    take(false);
  }

  const stop = clock.every(LOOK_MS, () => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  });
  return {
    /** Reads the keys now. */
    read: () => take(true),
    stop,
  };
}

/** What cannot be looked at is none: whoever reads it is told why. */
function isPipe(path: string): boolean {
  try {
    return !statSync(path).isFile();
  } catch {
    return false;
  }
}
