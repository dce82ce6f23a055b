import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../cli/errno.ts";
import { within } from "../cli/within.ts";
import { createGameConsole, type GameConsole } from "./game-console.ts";
import { systemProcesses } from "./system.ts";

/** How long a server may take to end after `stop`, in milliseconds. */
const STOP_MS = 20_000;
/** And to be gone after it was killed. */
const KILL_MS = 10_000;

/** How a game server has ended. */
export interface GameEnd {
  code: number | null;
  signal: string | null;
  /** whether `stop` or `kill` was called before */
  isAsked: boolean;
  /** milliseconds from its start */
  afterMs: number;
}

/** A game server that was started by `startGame`. */
export interface GameProcess {
  readonly console: GameConsole;
  /** resolves when it has ended; never rejects, also where it could not be started */
  readonly ended: Promise<GameEnd>;
  /** undefined as long as it runs */
  readonly end: GameEnd | undefined;
  /** Types `stop`, and kills it if it has not ended after 20 s. Whether it ended without being killed. */
  stop(): Promise<boolean>;
  /** Ends it at once with all that it has started, as a crash does. */
  kill(): Promise<void>;
}

interface Start {
  /** folder of the server, in which it runs */
  folder: string;
  /** name of the program in that folder */
  program: string;
  /** Default: `gameEnvironment` of this process's own. */
  env?: NodeJS.ProcessEnv;
  /** Whether it gets a terminal. Default: where the system has one. */
  terminal?: boolean;
}

/** Starts a game server. Whether that worked, and why not, is in its `ended` and on its console. */
export function startGame({ folder, program, env, terminal = hasTerminal() }: Start): GameProcess {
  const { file, args } = commandOf(program, folder, terminal);
  const begun = performance.now();
  mkdirSync(join(folder, "temp"), { recursive: true });
  const child = spawn(file, args, {
    cwd: folder,
    env: env ?? gameEnvironment(folder, process.env),
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    // Ctrl+C at the terminal is for the program that has started it, which ends it in order.
    detached: process.platform !== "win32",
  });
  const console = createGameConsole(text => {
    if (child.stdin.writable) child.stdin.write(text);
  });
  let isAsked = false;
  let end: GameEnd | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => console.take(text));
  // The server may end while it is written to.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<GameEnd>(resolve => {
    const settle = (code: number | null, signal: string | null): void => {
      if (end !== undefined) return;
      end = { code, signal, isAsked, afterMs: performance.now() - begun };
      console.end();
      resolve(end);
    };
    child.on("error", error => {
      console.take(`${error.message}\n`);
      settle(null, null);
    });
    child.on("close", settle);
  });

  async function kill(): Promise<void> {
    isAsked = true;
    if (end !== undefined) return;
    for (const pid of treeOf(child)) orElse(() => process.kill(pid, "SIGKILL"), false);
    await within(ended, KILL_MS);
    // A process that was started by it and outlives it may hold its output.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    await ended;
  }

  return {
    console,
    ended,
    get end() {
      return end;
    },
    async stop() {
      isAsked = true;
      console.type("stop");
      if ((await within(ended, STOP_MS)) !== undefined) return true;
      await kill();
      return false;
    },
    kill,
  };
}

/**
 * How a game server is run. It writes its lines in blocks where its output is no terminal, so it gets one where the system has
 * util-linux' `script`, which adds nothing and does not show what is typed.
 */
export function commandOf(
  program: string,
  folder: string,
  terminal: boolean,
): { file: string; args: string[] } {
  if (/\.exe$/i.test(program)) return { file: join(folder, program), args: [] };
  if (!terminal) return { file: `./${program}`, args: [] };
  const word = `'./${program.replaceAll("'", "'\\''")}'`;
  // Before version 2.35, as in Ubuntu 20.04 and RHEL 8, `script` has no option for that.
  return { file: "script", args: ["-qefc", `stty -echo; exec ${word}`, "/dev/null"] };
}

const LINUX = ["PATH", "LANG"];
const WINDOWS = ["SystemRoot", "SystemDrive", "Path", "PATH", "windir", "ComSpec", "NUMBER_OF_PROCESSORS"];

/** An environment with nothing of the owner's own but where programs lie: home and temporary files are in the server's folder. */
export function gameEnvironment(
  folder: string,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): NodeJS.ProcessEnv {
  const temp = join(folder, "temp");
  const kept = (names: readonly string[]): NodeJS.ProcessEnv =>
    Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
  if (platform === "win32")
    return {
      ...kept(WINDOWS),
      ...{ TEMP: temp, TMP: temp, USERPROFILE: folder, APPDATA: folder, LOCALAPPDATA: folder },
    };
  const own = { HOME: folder, TMPDIR: temp, LD_LIBRARY_PATH: ".", SHELL: "/bin/sh", TERM: "dumb" };
  return { ...kept(LINUX), ...own };
}

let terminalFound: boolean | undefined;

/** Whether this system has a `script` that gives a program a terminal. */
export function hasTerminal(): boolean {
  terminalFound ??= orElse(
    () =>
      /util-linux/.test(
        execFileSync("script", ["--version"], { encoding: "utf8", stdio: "pipe", timeout: 5_000 }),
      ),
    false,
  );
  return terminalFound;
}

/** A process with all that were started by it, where the system tells of them. */
function treeOf({ pid }: ChildProcess): number[] {
  if (pid === undefined) return [];
  const parents = systemProcesses.pids().map(each => [each, parentOf(each)] as const);
  const tree = [pid];
  for (const each of tree)
    tree.push(...parents.flatMap(([child, parent]) => (parent === each ? [child] : [])));
  return tree;
}

/** Behind the name of the program, which may hold anything, stand the state and the number of the parent. */
const parentOf = (pid: number): number =>
  orElse(() => Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]), 0);
