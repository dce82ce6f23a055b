import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach } from "@jest/globals";
import { inTerminal } from "../../../bds/terminal.ts";
import { orElse } from "../../../cli/errno.ts";
import { eventually, until } from "../../../test/helpers/eventually.ts";
import { TOKEN } from "../../../test/helpers/fake-pack.ts";
import { newFolder } from "../../../test/helpers/folder.ts";
import { needs } from "../../../test/helpers/needs.ts";
import { toolPath } from "../../../test/helpers/tools.ts";

export const onLinux = needs("Linux", process.platform === "linux");

const GAME = fileURLToPath(new URL("game.mjs", import.meta.url));

/** What the stand-in game reports; the sums are complete once it has ended. */
interface GameReport {
  pid: number;
  isMarked: boolean;
  hasEnded: boolean;
  /** SHA-256 of what it printed and read */
  printed: string;
  read: string;
  bytesPrinted: number;
  bytesRead: number;
  env: Record<string, string>;
}

/** `script`: of the test, around `launch` */
type Role = "launch" | "script" | "game" | "sidecar";

interface Options {
  /** commands of the game, see `game.mjs` */
  game?: readonly string[];
  /** options of launch; default: no sidecar */
  args?: readonly string[];
  env?: Record<string, string>;
  /** folder of the game server; default: a new one */
  folder?: string;
  /** whether the game may get a terminal; default: yes */
  terminal?: boolean;
  /** arguments of the game server's program, if it is not Node */
  gameArgs?: readonly string[];
  /** the command that runs these words */
  shell?: (words: readonly string[]) => readonly string[];
  /** whether what it prints is read; default: yes */
  isRead?: boolean;
}

const started: Launched[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.killAll();
});

/** A folder of a game server whose program is a copy of Node. */
export function gameFolder(): string {
  const folder = newFolder("game 'ü ");
  linkNode(join(folder, "bedrock_server"));
  mkdirSync(join(folder, "worlds"));
  return folder;
}

let copyOfNode: string | undefined;

/** Puts Node at a path, under another name. */
export function linkNode(path: string): void {
  rmSync(path, { force: true });
  // The folder of the tests may be on another disk.
  if (copyOfNode === undefined) {
    copyOfNode = join(newFolder("node-"), "node");
    copyFileSync(process.execPath, copyOfNode);
  }
  linkSync(copyOfNode, path);
}

/** Starts the built `launch`, which is killed with all that it has started after the test. */
export function launch(options: Options = {}): Launched {
  const launched = new Launched(options);
  started.push(launched);
  return launched;
}

class Launched {
  readonly folder: string;
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** exit code, 128 + n for signal n */
  readonly ended: Promise<number>;
  readonly #report: string;
  readonly #printed: Buffer[] = [];
  #errors = "";

  constructor({ game = [], args = ["--no-sidecar"], env = {}, ...options }: Options) {
    const { folder = gameFolder(), terminal = true, isRead = true, shell = words => words } = options;
    this.folder = folder;
    this.#report = join(newFolder("report-"), "game.json");
    const launch = [process.execPath, toolPath("launch"), "--server", folder, ...args];
    const [command = "", ...words] = shell([...launch, "--", ...(options.gameArgs ?? [GAME, ...game])]);
    this.child = spawn(command, words, {
      env: {
        ...process.env,
        ...(!terminal && { PATH: newFolder("nothing-") }),
        GAME_REPORT: this.#report,
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child.stdin.on("error", () => undefined);
    if (isRead) this.child.stdout.on("data", bytes => this.#printed.push(bytes));
    this.child.stderr.setEncoding("utf8").on("data", text => {
      this.#errors += text;
    });
    this.ended = new Promise<number>(resolve => {
      this.child.once("exit", (code, signal) =>
        resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]),
      );
    }).then(async code => {
      if (isRead && !this.child.stdout.destroyed) await once(this.child.stdout, "close");
      return code;
    });
  }

  get printed(): Buffer {
    return Buffer.concat(this.#printed);
  }

  /** what launch and the sidecar have written to the standard error */
  get errors(): string {
    return this.#errors;
  }

  /** What the game has reported last. */
  report = (): GameReport => JSON.parse(readFileSync(this.#report, "utf8")) as GameReport;

  type = (text: string | Uint8Array): void => void this.child.stdin.write(text);

  /** Waits until this has been printed. */
  prints = (text: string): Promise<void> =>
    eventually(() => {
      const { printed } = this;
      if (!printed.includes(text))
        throw new Error(`no "${text}" at the end of:\n${printed.subarray(-2_000)}`);
    });

  /** Addresses of the sidecar's listeners, once both are open. */
  async urls(): Promise<{ api: string; bridge: string }> {
    const urlOf = (listener: string): string =>
      this.#errors.split(`"listener":"${listener}","url":"`).at(-1)?.split('"')[0] ?? "";
    await this.says('"listener":"bridge"');
    return { api: urlOf("public"), bridge: urlOf("bridge") };
  }

  /** Waits until this is on the standard error. */
  says = (text: string): Promise<void> =>
    eventually(() => {
      if (!this.#errors.includes(text)) throw new Error(`no "${text}" in:\n${this.#errors}`);
    });

  /** The ids of its processes with a role. */
  pids(role: Role): number[] {
    const own = `GAME_REPORT=${this.#report}\0`;
    return allPids().filter(pid => partOf(pid, "environ").includes(own) && roleOf(pid) === role);
  }

  /** Waits for the process with a role. */
  pid = (role: Role): Promise<number> =>
    eventually(() => {
      const [pid] = this.pids(role);
      if (pid === undefined) throw new Error(`no ${role} yet:\n${this.#errors}`);
      return pid;
    });

  /** Waits until a game that floods its console waits for a reader. */
  async untilBlocked(): Promise<void> {
    const game = await this.pid("game");
    let [before, same] = ["", 0];
    await until(() => {
      const written = /wchar: [1-9]\d*/.exec(partOf(game, "io"))?.[0] ?? "";
      same = written === before && written !== "" ? same + 1 : 0;
      before = written;
      return same === 10;
    });
  }

  async killAll(): Promise<void> {
    const all = (): number[] =>
      (["launch", "sidecar", "script", "game"] as const).flatMap(each => this.pids(each));
    do for (const pid of all()) orElse(() => process.kill(pid, "SIGKILL"), false);
    while (all().length > 0 && (await wait(10, true)));
    await this.ended;
  }
}

/** Runs words at a terminal: what both outputs print is printed on one. */
export const atTerminal = (words: readonly string[]): string[] => inTerminal("", words);

/** The environment and the option of a sidecar with free ports and a configuration of its own. */
export function ownSidecar(): { env: Record<string, string>; args: string[]; config: string } {
  const config = join(newFolder("sidecar-"), "config.yml");
  return {
    config,
    args: ["--config", config],
    env: {
      WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
      WEB_BRIDGE_MODULES_API_PORT: "0",
      WEB_BRIDGE_BRIDGE_PORT: "0",
      WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
      WEB_BRIDGE_LOG_FORMAT: "json",
    },
  };
}

const allPids = (): number[] =>
  readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .map(Number);

/** A file of a process; blank once it has ended. */
const partOf = (pid: number, name: string): string =>
  orElse(() => readFileSync(`/proc/${pid}/${name}`, "utf8"), "");

function roleOf(pid: number): Role | undefined {
  const exe = orElse(() => readlinkSync(`/proc/${pid}/exe`), "");
  if (exe.endsWith("/bedrock_server")) return "game";
  if (exe.endsWith("/script")) return "script";
  const words = partOf(pid, "cmdline").split("\0");
  if (words[1]?.endsWith("dist/sidecar/main.js")) return "sidecar";
  return words[1]?.endsWith("dist/tools/launch.js") ? "launch" : undefined;
}

/** Whether a process runs. One that has ended and was not waited for does not. */
export const isRunning = (pid: number): boolean => /^\d+ \(.*\) [^Z]/s.test(partOf(pid, "stat"));

/** Processes that have ended and were not waited for, among the children of one. */
export const zombiesOf = (parent: number): number[] =>
  childrenOf(parent).filter(pid => / \(.*\) Z/s.test(partOf(pid, "stat")));

const childrenOf = (parent: number): number[] =>
  allPids().filter(pid => Number(/\) \S (\d+)/s.exec(partOf(pid, "stat"))?.[1]) === parent);

/** A process and all that it has started, itself or by others. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];
