import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { VARIABLE_PREFIX } from "../../sidecar/config/settings.ts";
import { withValue } from "../setup/edit.ts";
import { CannotRun } from "./fault.ts";
import { within } from "./game-process.ts";
import type { Ports } from "./network.ts";
import { writePrivate } from "./world.ts";

const START_MS = 30_000;
const STOP_MS = 10_000;
/** Lines that are told when it does not start. */
const LAST_LINES = 8;

/** The settings of a trial's sidecar, in a folder of its own. */
export interface SideFolder {
  folder: string;
  config: string;
  /** of the public service */
  url: string;
  /** for administration */
  key: string;
  token: string;
}

/** Without the settings that the owner's environment has for the owner's own sidecar. */
export const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(VARIABLE_PREFIX)));

/** Makes the configuration of a sidecar: with ports, keys and data of its own, and all of it on the loopback. */
export function makeSide(folder: string, ports: Ports): SideFolder {
  mkdirSync(folder, { mode: 0o700 });
  const [key, token] = [secret(), secret()];
  const values = {
    "modules.api.host": "127.0.0.1",
    "modules.api.port": ports.web,
    "modules.api.admin-api-key": key,
    "bridge.host": "127.0.0.1",
    "bridge.port": ports.bridge,
    "bridge.token": token,
    "log.format": "json",
  };
  const text = Object.entries(values).reduce((sofar, [name, value]) => {
    const after = withValue(sofar, name, value);
    if ("faults" in after) throw new RangeError(after.faults.join("; "));
    return after.text;
  }, defaultConfigFile());
  const config = join(folder, "config.yml");
  // In a file that nobody else may read: what stands in a command line or an environment can be seen by others.
  writePrivate(config, text);
  return { folder, config, key, token, url: `http://127.0.0.1:${ports.web}` };
}

const secret = (): string => randomBytes(24).toString("base64url");

/** The sidecar of this build: beside this program in a clone, above it in an archive. */
export function sidecarProgram(): string {
  const found = ["../sidecar/main.js", "../../main.js"]
    .map(path => fileURLToPath(new URL(path, import.meta.url)))
    .find(path => existsSync(path));
  if (found === undefined)
    throw new CannotRun("the sidecar of this build is missing: build or unpack it again");
  return found;
}

/** A sidecar that runs. */
export interface SideProcess {
  /** how it has ended by itself; undefined as long as it runs */
  readonly end: string | undefined;
  stop(): Promise<void>;
}

/** Starts the sidecar and waits until both of its listeners are there. */
export async function startSide({ folder, config }: SideFolder, program: string): Promise<SideProcess> {
  const child = spawn(process.execPath, [program, "--config", config], {
    cwd: folder,
    env: withoutSettings(process.env),
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    detached: process.platform !== "win32",
  });
  const lines: string[] = [];
  let end: string | undefined;
  const ended = new Promise<void>(resolve => {
    const settle = (why: string): void => {
      end ??= why;
      resolve();
    };
    child.on("error", error => settle(error.message));
    child.on("close", (code, signal) => settle(`it ended (${signal ?? code})`));
  });
  const keep = (line: string): void => {
    lines.push(line);
    if (lines.length > LAST_LINES) lines.shift();
  };
  createInterface({ input: child.stderr }).on("line", keep);
  const listening = new Promise<true>(resolve => {
    const seen = new Set<string>();
    createInterface({ input: child.stdout }).on("line", line => {
      keep(line);
      const listener = listenerIn(line);
      if (listener !== undefined && seen.add(listener).size === 2) resolve(true);
    });
  });
  const ready = await within(Promise.race([listening, ended.then(() => undefined)]), START_MS);
  const stop = (): Promise<void> => stopSide(child, ended);
  if (ready !== true) {
    await stop();
    throw new CannotRun(`the sidecar did not start: ${end ?? "no answer"}`, ...lines.map(saidBy));
  }
  return {
    get end() {
      return end;
    },
    stop,
  };
}

async function stopSide(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  if (
    (await within(
      ended.then(() => true),
      STOP_MS,
    )) === true
  )
    return;
  child.kill("SIGKILL");
  await within(ended, STOP_MS);
}

function listenerIn(line: string): string | undefined {
  const { listener, url } = read(line);
  return typeof listener === "string" && typeof url === "string" ? listener : undefined;
}

function read(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** What a line of its log says. */
const saidBy = (line: string): string => `  | ${String(read(line).msg ?? line).slice(0, 300)}`;
