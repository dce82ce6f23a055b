import type { GameConsole } from "../bds/game-console.ts";

/** How far the trial has come: each level needs the one before, but for `script`, which needs no `pack`. */
export type Level =
  /** the copy has made its world */
  | "world"
  /** setup has put the pack in */
  | "installed"
  /** the game runs with the pack, which is connected */
  | "pack"
  /** the game runs with the probes in the pack's script */
  | "script";

/** One thing that decides whether the bridge works on a game. */
export interface Probe {
  /** of lower-case letters, digits and hyphens, and never renamed */
  readonly id: string;
  /** what is to be seen, word for word; after "; " details may follow */
  readonly expect: string;
  /** what of the bridge does not work where something else is seen */
  readonly why: string;
  /** where it can be asked; undefined: anywhere */
  readonly needs?: Level;
  /**
   * Says in words what it has seen, within two minutes.
   * @throws Skipped where it cannot be asked on this game; any other error means that it failed
   */
  ask(env: TestEnvironment): Promise<string>;
}

/** Something cannot be asked here. The message says why. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** Nothing can be tried. One line for each reason, with what to do; exit code 2. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
  readonly lines: readonly string[];

  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** What an object of unknown shape holds. */
export type Fields = Readonly<Record<string, unknown>>;

/** A web service on this machine that requests of the script reach. */
export interface ProbeHttpServer {
  /** such as `http://127.0.0.1:40123` */
  readonly url: string;
  /** what has arrived, oldest first */
  readonly arrived: readonly { readonly path: string; readonly atMs: number }[];
  close(): Promise<void>;
}

/** What a program of this product has come to. */
export interface ToolResult {
  readonly code: number | null;
  /** its output, errors too, without empty lines */
  readonly lines: readonly string[];
}

/** What the probes have at hand: a copy of the game server, and a sidecar beside it. */
export interface TestEnvironment {
  /** folder of the copy */
  readonly folder: string;
  /** TCP port of the game */
  readonly gamePort: number;
  /** console of the game that was started last */
  readonly console: GameConsole;
  /** Asks the probes in the pack's script, over the console. */
  readonly script: {
    /** @throws where the script cannot do it, or does not answer within `ms` milliseconds */
    ask(name: string, input?: Fields, ms?: number): Promise<unknown>;
  };
  readonly httpServer: ProbeHttpServer;
  /** the sidecar's public service, with a key for administration */
  readonly web: { readonly url: string; readonly key: string };
  readonly levels: Set<Level>;
  /** how the game has ended without being told to, the first time; undefined: it has not */
  readonly crash: string | undefined;
  /** Starts the game in the copy. @throws where it is not ready in time */
  start(): Promise<void>;
  /** Whether it ended within 20 s of `stop` on its console; true where none runs. */
  stop(): Promise<boolean>;
  /** Ends the game so and starts it again with its world; resolves when it is ready, and the script with it. */
  restart(by: "stop" | "kill"): Promise<void>;
  /** Runs setup on the copy, with the sidecar's configuration. */
  setUp(...options: string[]): Promise<ToolResult>;
  examine(): Promise<ToolResult>;
  /** Starts the sidecar, where it does not run. */
  startSidecar(): Promise<void>;
  /** Puts the script with the probes in the place of the pack's, allowed to use what it asks. */
  putProbes(gametest: string | undefined): void;
}
