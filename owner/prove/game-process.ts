import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createConsole, type ReadConsole } from "./console.ts";
import type { Processes } from "./processes.ts";
import type { Program } from "./program.ts";

/** How a game server is given time to end by itself, in milliseconds. */
const STOP_MS = 20_000;
/** And to be gone after it was killed. */
const KILL_MS = 10_000;
const AGAIN_MS = 50;
const never = (): Promise<never> => new Promise(() => undefined);

/** How the process of a game server has ended. */
interface Ended {
  code: number | null;
  signal: string | null;
  /** whether the trial has asked for it */
  isAsked: boolean;
  /** milliseconds from its start */
  afterMs: number;
}

/** A game server that was started. */
export interface GameProcess {
  /** resolves when it has ended; never rejects */
  readonly ended: Promise<Ended>;
  /** undefined as long as it runs */
  readonly end: Ended | undefined;
  /** Types "stop", and kills it where it has not ended after 20 s; whether it ended by itself. */
  stop(): Promise<boolean>;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

/** What is run, and with which words. */
interface Command {
  file: string;
  args: string[];
}

/**
 * How a game server is run. It writes its lines in blocks where its output is no terminal, so it gets one where the system has
 * util-linux' `script`, which says nothing itself and does not show what is typed.
 */
export function commandOf(
  executable: string,
  folder: string,
  platform: Program["platform"],
  script: boolean,
): Command {
  if (platform === "windows") return { file: join(folder, executable), args: [] };
  if (!script) return { file: `./${executable}`, args: [] };
  const word = `'./${executable.replaceAll("'", "'\\''")}'`;
  // Before version 2.35, as Ubuntu 20.04 and RHEL 8 have it, it knows no word for that: the terminal is told itself.
  return { file: "script", args: ["-qefc", `stty -echo; exec ${word}`, "/dev/null"] };
}

/** What of the environment a game server gets: nothing of the owner's but where programs lie. Its home is its own folder. */
export function environmentOf(
  folder: string,
  platform: Program["platform"],
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  if (platform === "windows") {
    const kept = ["SystemRoot", "SystemDrive", "Path", "PATH", "windir", "ComSpec", "NUMBER_OF_PROCESSORS"];
    const own = Object.fromEntries(kept.flatMap(key => (env[key] === undefined ? [] : [[key, env[key]]])));
    return {
      ...own,
      TEMP: join(folder, "temp"),
      TMP: join(folder, "temp"),
      USERPROFILE: folder,
      APPDATA: folder,
      LOCALAPPDATA: folder,
    };
  }
  const temp = join(folder, "temp");
  const language = env.LANG === undefined ? {} : { LANG: env.LANG };
  return {
    PATH: env.PATH,
    ...language,
    HOME: folder,
    TMPDIR: temp,
    LD_LIBRARY_PATH: ".",
    SHELL: "/bin/sh",
    TERM: "dumb",
  };
}

let hasScript: boolean | undefined;

/** Whether there is a terminal to be had. */
export function findScript(): boolean {
  try {
    hasScript ??= /util-linux/.test(
      execFileSync("script", ["--version"], { encoding: "utf8", stdio: "pipe", timeout: 5_000 }),
    );
  } catch {
    hasScript = false;
  }
  return hasScript;
}

/** What starting a game server needs. */
interface Start {
  folder: string;
  program: Pick<Program, "executable" | "platform">;
  console: ReadConsole;
  processes: Processes;
  now(): number;
  /** whether it gets a terminal */
  script: boolean;
  env?: NodeJS.ProcessEnv;
}

/** Makes the console of a game server that may be started several times: what is typed goes to the one that runs. */
export function gameConsole(): ReadConsole & { goesTo(child: ChildProcess | undefined): void } {
  let child: ChildProcess | undefined;
  const console = createConsole(line => {
    if (child?.stdin?.writable) child.stdin.write(`${line}\n`);
  });
  return Object.assign(console, {
    goesTo(next: ChildProcess | undefined) {
      child = next;
    },
  });
}

/** Starts a game server in its folder. */
export function startGame(start: Start & { console: ReturnType<typeof gameConsole> }): GameProcess {
  const { folder, program, console, processes, now, script, env = process.env } = start;
  const { executable, platform } = program;
  if (platform === "linux") chmodSync(join(folder, executable), 0o755);
  mkdirSync(join(folder, "temp"), { recursive: true });
  const { file, args } = commandOf(executable, folder, platform, script);
  const begun = now();
  const child = spawn(file, args, {
    cwd: folder,
    env: environmentOf(folder, platform, env),
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    // Ctrl+C at the terminal is for the trial alone, which ends the game in order.
    detached: platform === "linux",
  });
  console.goesTo(child);
  let isAsked = false;
  let end: Ended | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => console.take(text));
  }
  // One that ends while it is written to.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<Ended>(resolve => {
    const settle = (code: number | null, signal: string | null): void => {
      if (end !== undefined) return;
      console.flush();
      console.goesTo(undefined);
      end = { code, signal, isAsked, afterMs: now() - begun };
      resolve(end);
    };
    child.on("error", error => {
      console.take(`${error.message}\n`);
      settle(null, null);
    });
    child.on("close", settle);
  });

  const killAll = async (): Promise<void> => {
    isAsked = true;
    await processes.kill(await processes.within(folder));
    child.kill("SIGKILL");
    await within(ended, KILL_MS);
    // What holds its output may be another process that it has started.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
    await ended;
    // What it has started may take a moment longer to be gone.
    for (const last = now() + KILL_MS; now() < last; await within(ended.then(never), AGAIN_MS)) {
      const left = await processes.within(folder);
      if (left.length === 0) return;
      await processes.kill(left);
    }
  };

  return {
    ended,
    get end() {
      return end;
    },
    async stop() {
      isAsked = true;
      console.type("stop");
      if ((await within(ended, STOP_MS)) !== undefined) return true;
      await killAll();
      return false;
    },
    kill: killAll,
  };
}

/** What a promise comes to; undefined where it takes longer. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
