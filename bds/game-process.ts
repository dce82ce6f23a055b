import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../cli/errno.ts";
import { within } from "../cli/within.ts";
import { createGameConsole, type GameConsole } from "./game-console.ts";
import { isForWindows } from "./program.ts";
import { systemProcesses } from "./system.ts";
import { hasTerminal, inTerminal } from "./terminal.ts";

/** How long a server may take to end after `stop`, in milliseconds. */
const STOP_MS = 20_000;
/** How long a killed server may take to end, in milliseconds. */
const KILL_MS = 10_000;

export interface GameEnd {
  code: number | null;
  signal: string | null;
  /** whether `stop` or `kill` was called before */
  isRequested: boolean;
  /** milliseconds from its start */
  afterMs: number;
}

export interface GameProcess {
  readonly console: GameConsole;
  /** resolves when the server has ended or could not be started; never rejects */
  readonly ended: Promise<GameEnd>;
  /** undefined while it runs */
  readonly end: GameEnd | undefined;
  /** Sends `stop`, and kills the server after 20 s. Resolves with whether it ended by itself. */
  stop(): Promise<boolean>;
  /** Kills it with all processes that it has started. */
  kill(): Promise<void>;
}

interface Start {
  /** folder of the server, and its working directory */
  folder: string;
  program: string;
  /** whether it gets a terminal; default: if the system has one */
  terminal?: boolean;
}

/** Starts a game server. If that fails, `ended` and the console say why. */
export function startGame({ folder, program, terminal = hasTerminal() }: Start): GameProcess {
  const { file, args } = commandOf(program, folder, terminal);
  const begun = performance.now();
  mkdirSync(join(folder, "temp"), { recursive: true });
  const child = spawn(file, args, {
    cwd: folder,
    env: gameEnvironment(folder, process.env),
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    // Ctrl+C at the terminal is for the program that started the server, which stops it.
    detached: process.platform !== "win32",
  });
  const console = createGameConsole(text => {
    if (child.stdin.writable) child.stdin.write(text);
  });
  let isRequested = false;
  let end: GameEnd | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => console.take(text));
  // The server may end while it is written to.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<GameEnd>(resolve => {
    const settle = (code: number | null, signal: string | null): void => {
      if (end !== undefined) return;
      end = { code, signal, isRequested, afterMs: performance.now() - begun };
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
    isRequested = true;
    if (end !== undefined) return;
    for (const pid of treeOf(child)) orElse(() => process.kill(pid, "SIGKILL"), false);
    await within(ended, KILL_MS);
    // A process that outlives the server may still hold its output.
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
      isRequested = true;
      console.type("stop");
      if ((await within(ended, STOP_MS)) !== undefined) return true;
      await kill();
      return false;
    },
    kill,
  };
}

/**
 * The command of a game server. Without a terminal it writes its lines in blocks, so it gets one from util-linux' `script`
 * where the system has that.
 */
export function commandOf(
  program: string,
  folder: string,
  terminal: boolean,
): { file: string; args: string[] } {
  if (isForWindows(program)) return { file: join(folder, program), args: [] };
  if (!terminal) return { file: `./${program}`, args: [] };
  const [file, ...args] = inTerminal("stty -echo;", [`./${program}`]);
  return { file, args };
}

const LINUX = ["PATH", "LANG"];
const WINDOWS = ["SystemRoot", "SystemDrive", "Path", "PATH", "windir", "ComSpec", "NUMBER_OF_PROCESSORS"];

/** An environment without the owner's variables: home and temporary files are in the server's folder. */
export function gameEnvironment(
  folder: string,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): NodeJS.ProcessEnv {
  const temp = join(folder, "temp");
  const pick = (names: readonly string[]): NodeJS.ProcessEnv =>
    Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
  if (platform === "win32")
    return {
      ...pick(WINDOWS),
      TEMP: temp,
      TMP: temp,
      USERPROFILE: folder,
      APPDATA: folder,
      LOCALAPPDATA: folder,
    };
  const extra = { HOME: folder, TMPDIR: temp, LD_LIBRARY_PATH: ".", SHELL: "/bin/sh", TERM: "dumb" };
  return { ...pick(LINUX), ...extra };
}

/** A process and its descendants, as far as the system lists them. */
function treeOf({ pid }: ChildProcess): number[] {
  if (pid === undefined) return [];
  const parents = systemProcesses.pids().map(each => [each, parentOf(each)] as const);
  const tree = [pid];
  for (const each of tree)
    tree.push(...parents.flatMap(([child, parent]) => (parent === each ? [child] : [])));
  return tree;
}

/** In this line the program's name, which may contain any text, precedes state and parent. */
const parentOf = (pid: number): number =>
  orElse(() => Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]), 0);
