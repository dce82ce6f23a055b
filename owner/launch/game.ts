import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { EXIT } from "../../cli/arguments.ts";
import { orElse } from "../../cli/errno.ts";
import { within } from "../../cli/within.ts";
import type { Terminal } from "./terminal.ts";

/** How long its last output may take, in milliseconds: nobody may read it, or what the game has started may hold its console. */
const LAST_OUTPUT_MS = 5_000;

/**
 * Runs a program that ignores the loss of its console, which would end it without saving. It ignores SIGTERM too: at a shutdown of the
 * machine all processes get that, and `launch` then types `stop`.
 */
const OUTLIVE = `trap '' HUP PIPE TERM; exec "$@"`;

/** A running game server. */
export interface Game {
  /** what it prints */
  readonly output: readonly Readable[];
  /** Sends bytes to its console. False: it has not read the earlier ones yet. */
  write(bytes: Uint8Array | string): boolean;
  /** Calls back when it has read what was sent. */
  onRead(listener: () => void): void;
  /** the process id of the game itself; undefined: it could not be started */
  readonly pid: number | undefined;
  /** resolves with its exit code, 128 + n for signal n, 2 if it could not be started, once its output was read; never rejects */
  readonly ended: Promise<number>;
  isRunning(): boolean;
  /** Kills it with all that it has started. */
  kill(): void;
}

interface GameStart {
  /** folder of the server, and its working directory */
  folder: string;
  /** name of the program in it */
  program: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** for its output; undefined: a pipe */
  terminal: Terminal | undefined;
  say(line: string): void;
}

/** Starts a game server. */
export function startGame({ folder, program, args, env, terminal, say }: GameStart): Game {
  const isWindows = process.platform === "win32";
  const [file, ...words] = isWindows
    ? [`${folder}\\${program}`, ...args]
    : ["/bin/sh", "-c", OUTLIVE, "sh", `./${program}`, ...args];
  const out = terminal?.fd ?? "pipe";
  const child = spawn(file, words, {
    cwd: folder,
    env,
    stdio: ["pipe", out, out],
    windowsHide: true,
    // Its own session, on Windows no console: Ctrl+C is for `launch`, and the game outlives it.
    detached: true,
  });
  terminal?.release();
  const { stdin, stdout, stderr } = child;
  // The game may end while it is written to.
  stdin?.on("error", () => undefined);
  const output = terminal === undefined ? [stdout, stderr].filter(each => each !== null) : [terminal.output];
  const printed = Promise.all(output.map(each => new Promise(done => each.once("close", done))));
  const ended = new Promise<number>(resolve => {
    child.on("error", error => {
      if (child.pid !== undefined) return;
      say(`The game server could not be started: ${error.message}`);
      terminal?.end();
      resolve(EXIT.misused);
    });
    child.once("exit", async (code, signal) => {
      terminal?.end();
      await within(printed, LAST_OUTPUT_MS);
      const exitCode = code ?? 128 + constants.signals[signal ?? "SIGKILL"];
      if (exitCode !== 0) say(`The game server ended (exit code ${exitCode})`);
      resolve(exitCode);
    });
  });
  return {
    output,
    write: bytes => !stdin?.writable || stdin.write(bytes),
    onRead: listener => void stdin?.on("drain", listener).on("close", listener),
    pid: child.pid,
    ended,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    kill() {
      if (isWindows) child.kill("SIGKILL");
      else if (child.pid !== undefined) orElse(() => process.kill(-Number(child.pid), "SIGKILL"), false);
    },
  };
}

/**
 * The environment of the game: the owner's, without settings and secrets of the bridge.
 * @param own the environment of this process
 */
export function gameEnvironment(own: NodeJS.ProcessEnv, platform: NodeJS.Platform): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith("WEB_BRIDGE_")));
  return platform === "win32" ? env : { LD_LIBRARY_PATH: ".", ...env };
}
