import type { GameConsole } from "../bds/game-console.ts";

/** How far the test has come: each level needs the one before, but `script` does not need `pack`, nor `stable` what is after `world`. */
export type Level =
  /** the copy has made its world */
  | "world"
  /** setup has installed the pack */
  | "installed"
  /** the game runs with the pack, which is connected */
  | "pack"
  /** the game runs with the probes in the pack's script */
  | "script"
  /** it runs with the pack that keeps achievements, and with probes for the console link */
  | "stable"
  /** typed commands reach that script */
  | "console";

/** One question that decides whether the bridge works on a game. */
export interface Probe {
  /** lower-case letters, digits and hyphens; never renamed */
  readonly id: string;
  /** the expected answer, word for word; after "; " details may follow */
  readonly expect: string;
  /** what does not work in the bridge otherwise */
  readonly why: string;
  /** the level that it needs; undefined: none */
  readonly needs?: Level;
  /**
   * Resolves with what it has seen, within two minutes.
   * @throws Skipped if the game cannot be tested; any other error is a failure
   */
  ask(env: TestEnvironment): Promise<string>;
}

/** The game cannot be tested for this. The message says why. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** Nothing can be tested. One line for each reason, with what to do; exit code 2. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
  readonly lines: readonly string[];

  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** An object of unknown shape. */
export type Fields = Readonly<Record<string, unknown>>;

/** A web server on this machine for requests of the script. */
export interface ProbeHttpServer {
  /** such as `http://127.0.0.1:40123` */
  readonly url: string;
  /** requests, oldest first */
  readonly arrived: readonly { readonly path: string; readonly atMs: number }[];
  close(): Promise<void>;
}

/** The result of setup or the doctor. */
export interface ToolResult {
  readonly code: number | null;
  /** its output and errors, without empty lines */
  readonly lines: readonly string[];
}

/** What the probes use: a copy of the game server, with a sidecar beside it. */
export interface TestEnvironment {
  readonly folder: string;
  readonly gamePort: number;
  /** the sidecar's configuration */
  readonly config: string;
  /** console of the last start */
  readonly console: GameConsole;
  /** Asks the probes in the script of the pack that was put in last, over the console. */
  readonly script: {
    /** @throws where the script fails, or does not answer within `ms` milliseconds */
    ask(name: string, input?: Fields, ms?: number): Promise<unknown>;
  };
  readonly httpServer: ProbeHttpServer;
  /** the sidecar's public service, with an administrator's key */
  readonly web: { readonly url: string; readonly key: string };
  readonly levels: Set<Level>;
  /** how the game has crashed the first time; undefined: it has not */
  readonly crash: string | undefined;
  /**
   * Starts the game in the copy.
   * @param terminal whether it writes to a terminal; default: if the system has one
   * @throws where it is not ready in time
   */
  start(terminal?: boolean): Promise<void>;
  /** Whether the game ended within 20 s of `stop`; true where none runs. */
  stop(): Promise<boolean>;
  /** Ends the game this way and starts it again with its world; resolves when game and script are ready. */
  restart(by: "stop" | "kill"): Promise<void>;
  /** Runs setup on the copy, with the sidecar's configuration. */
  setUp(...options: string[]): Promise<ToolResult>;
  examine(): Promise<ToolResult>;
  startSidecar(): Promise<void>;
  /** Replaces the pack's script by the one with probes, with the permissions that it needs. */
  putProbes(gametest: string | undefined): void;
  /** Copies the world, which has no experiment yet, for `useKeptWorld`. */
  keepWorld(): void;
  /** From the next start on the game opens that copy, without cheats, and with this `content-log-level`; undefined: the game's own. */
  useKeptWorld(logLevel?: string): void;
  /** Replaces the script of the pack that keeps achievements by the one with probes. */
  putConsoleProbes(): void;
}
