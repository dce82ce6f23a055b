import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { inTerminal } from "../../bds/terminal.ts";
import { EXIT } from "../../cli/arguments.ts";
import { orElse } from "../../cli/errno.ts";
import { within } from "../../cli/within.ts";

/** How long its last output may take, in milliseconds: nobody may read it, or what the game has started may hold its console. */
const LAST_OUTPUT_MS = 5_000;

/** A running game server. */
export interface Game {
  /** what it prints */
  readonly output: readonly Readable[];
  /** Sends bytes to its console. False: it has not read the earlier ones yet. */
  write(bytes: Uint8Array | string): boolean;
  /** Calls back when it has read what was sent. */
  onRead(listener: () => void): void;
  /** the process id of the game itself; undefined: it could not be started */
  readonly pid: Promise<number | undefined>;
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
  /** whether it gets a terminal, without which it holds its output back until some KB are full */
  terminal: boolean;
  say(line: string): void;
}

/** Starts a game server. */
export function startGame({ folder, program, args, env, terminal, say }: GameStart): Game {
  const isWindows = process.platform === "win32";
  const [file, ...words] = isWindows ? [program, ...args] : shellCommand([`./${program}`, ...args], terminal);
  const child = spawn(isWindows ? `${folder}\\${file}` : file, words, {
    cwd: folder,
    env,
    stdio: isWindows ? ["pipe", "pipe", "pipe"] : ["pipe", "pipe", "pipe", "pipe"],
    windowsHide: true,
    // Its own session, on Windows no console: Ctrl+C is for `launch`, and the game outlives it.
    detached: true,
  });
  const [stdin, stdout, stderr, announced] = child.stdio;
  // The game may end while it is written to.
  stdin.on("error", () => undefined);
  const pid = new Promise<number | undefined>(resolve => {
    if (isWindows || announced === null || announced === undefined) return resolve(child.pid);
    announced.once("data", bytes => resolve(Number(String(bytes))));
    announced.once("close", () => resolve(undefined));
  });
  // Until the terminal is raw, it would echo and change what is written to it, and drop all but 4 KB.
  stdin.cork();
  void pid.then(() => stdin.uncork());
  const ended = new Promise<number>(resolve => {
    child.on("error", error => {
      if (child.pid !== undefined) return;
      say(`The game server could not be started: ${error.message}`);
      resolve(EXIT.misused);
    });
    child.once("exit", async (code, signal) => {
      const closed = new Promise<void>(done => child.once("close", () => done()));
      await within(closed, LAST_OUTPUT_MS);
      resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]);
    });
  });
  return {
    output: [stdout, stderr],
    write: bytes => !stdin.writable || stdin.write(bytes),
    onRead: listener => void stdin.on("drain", listener).on("close", listener),
    pid,
    ended,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    kill() {
      if (isWindows) return void child.kill("SIGKILL");
      // With a terminal the game has a session of its own.
      void pid.then(own => {
        for (const id of [own, child.pid])
          if (id !== undefined) orElse(() => process.kill(-id, "SIGKILL"), false);
      });
    },
  };
}

/**
 * The command that runs a program under sh. It first writes its process id to descriptor 3. The game ignores that its console has
 * gone, which would end it without saving.
 */
function shellCommand(words: readonly string[], terminal: boolean): [string, ...string[]] {
  const prelude = `echo $$ >&3; exec 3>&-; trap '' HUP PIPE;`;
  if (!terminal) return ["/bin/sh", "-c", `${prelude} exec "$@" 2>&1`, "sh", ...words];
  // Raw: the terminal changes no byte in either direction, and has no longest line.
  return inTerminal(`stty raw -echo; ${prelude}`, words);
}

/**
 * The environment of the game: the owner's, without settings and secrets of the bridge.
 * @param own the environment of this process
 */
export function gameEnvironment(own: NodeJS.ProcessEnv, platform: NodeJS.Platform): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith("WEB_BRIDGE_")));
  // `script` runs its command with this shell.
  return platform === "win32" ? env : { LD_LIBRARY_PATH: ".", ...env, SHELL: "/bin/sh" };
}
