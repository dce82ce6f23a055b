import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { within } from "../cli/within.ts";
import { VARIABLE_PREFIX } from "../sidecar/config/settings.ts";
import { CannotRun, type ToolResult } from "./probe.ts";
import type { Ports } from "./server-copy.ts";
import { until } from "./values.ts";

const START_MS = 60_000;
const STOP_MS = 10_000;
/** How long setup and the doctor may take, in milliseconds. */
const TOOL_MS = 120_000;
/** Lines that are printed when the sidecar does not start. */
const LAST_LINES = 8;

interface SidecarFolder {
  readonly folder: string;
  readonly config: string;
  /** of the public service */
  readonly url: string;
  /** for administrators */
  readonly key: string;
}

const secret = (): string => randomBytes(24).toString("base64url");

/** Makes a configuration with its own ports, keys and data, on this machine only. */
export function makeSidecar(folder: string, ports: Ports): SidecarFolder {
  mkdirSync(folder, { mode: 0o700 });
  const key = secret();
  const config = join(folder, "config.yml");
  const values = {
    modules: { api: { host: "127.0.0.1", port: ports.web, "admin-api-key": key } },
    bridge: { host: "127.0.0.1", port: ports.bridge, token: secret() },
    log: { format: "json" },
  };
  // Others can see command lines and environments, but not this file.
  writeFileSync(config, stringify(values), { mode: 0o600 });
  return { folder, config, key, url: `http://127.0.0.1:${ports.web}` };
}

/** Without the settings of the owner's sidecar. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(VARIABLE_PREFIX)));

/** Runs a program of this product in a folder, and keeps the end of its output. `signal` ends it. */
function run(program: string, args: readonly string[], cwd: string, signal: AbortSignal) {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: withoutSettings(process.env),
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    signal,
    // Ctrl+C at the terminal is for this program, which ends it.
    detached: process.platform !== "win32",
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-100_000);
    });
  const ended = new Promise<number | null>(resolve => {
    child.on("error", error => {
      said += error.message;
      // A process that was ended by the signal may still run.
      if (child.pid === undefined) resolve(null);
    });
    child.on("close", resolve);
  });
  const lines = (): string[] => said.split(/\r?\n/).filter(line => line !== "");
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return { child, ended, lines, isOver };
}

export async function runTool(
  program: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { child, ended, lines } = run(program, args, cwd, signal);
  const code = await within(ended, TOOL_MS);
  if (code === undefined) child.kill("SIGKILL");
  return { code: code ?? null, lines: lines() };
}

/** Whether a URL answers with 2xx. */
export async function isAnswering(url: string): Promise<true | undefined> {
  try {
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    return ok || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Starts the sidecar and waits until it answers. Resolves with a function that ends it.
 * @throws CannotRun where it does not start
 */
export async function startSidecar(
  program: string,
  { folder, config, url }: SidecarFolder,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  const { child, ended, lines, isOver } = run(program, ["--config", config], folder, signal);
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    if ((await within(ended, STOP_MS)) === undefined) child.kill("SIGKILL");
    await ended;
  };
  const state = await until(START_MS, async () =>
    isOver() ? "over" : (await isAnswering(`${url}/healthz`)) && "up",
  );
  if (state === "up") return stop;
  await stop();
  throw new CannotRun("the sidecar does not start:", ...lines().slice(-LAST_LINES));
}
