/** In which of the trial's runs a probe is asked. Each run is one copy of the program with a new world. */
export type Run =
  /** the pack exactly as an owner gets it */
  | "plain"
  /** the same pack with the probes in its script */
  | "probes"
  /** with `online-mode` and `allow-list` on, where `--online` asks for it */
  | "online"
  /** with somebody who has joined, where `--with-me` asks for it */
  | "joined"
  /** after an hour, where `--long` asks for it */
  | "long";

/** What it is to the product that an answer is as assumed. */
export type Kind =
  /** pack, sidecar, setup or doctor need it, or the documents tell it to users */
  | "promise"
  /** a line of FIDELITY.md that the simulated game has, and nothing of the product rests on */
  | "inference";

/** What has come of a probe. `seen` in words that name no machine, folder, address or token. */
export type Seen =
  | { readonly state: "held"; readonly seen: string }
  | { readonly state: "broken"; readonly seen: string }
  /** what cannot be asked here, with its reason */
  | { readonly state: "skipped"; readonly why: string };

/** The console of the game server that is tried. */
export interface GameConsole {
  /** every line since the start of this run without its stamp, oldest first, at most 10,000 */
  readonly lines: readonly string[];
  /** Types a command, without its line end. */
  type(command: string): void;
  /** The first line from place `since` on (default: now) that fits; undefined where none comes within so many milliseconds. */
  line(pattern: RegExp, ms: number, since?: number): Promise<string | undefined>;
}

/** The probes in the script of the run `probes`. */
export interface ScriptSide {
  /**
   * Asks the script one thing by its name, through `scriptevent`; it answers by a marked line of the console.
   * @throws where no answer comes within so many milliseconds, or the script says that it could not do it
   */
  ask(name: string, input?: unknown, ms?: number): Promise<unknown>;
}

/** A service of the trial's own that requests of the script's probes reach, on this machine: `openProbeHost`. */
export interface ProbeHost {
  /** its address as the script may ask it, such as `http://127.0.0.1:40123` */
  readonly url: string;
  /** What has arrived since the start of this run, oldest first, at most 1,000. */
  readonly arrived: readonly {
    readonly method: string;
    readonly path: string;
    readonly bytes: number;
    readonly atMs: number;
    /** when the caller hung up before it had the whole answer */
    readonly goneAtMs?: number;
  }[];
}

/** The sidecar of this build that runs beside the game server. */
interface WebSide {
  /** address of the public service */
  readonly url: string;
  /** a key for administration, where the run has one */
  readonly key: string;
}

/** What a probe has at hand. */
export interface Trial {
  /** of the game server */
  readonly platform: "linux" | "windows";
  readonly console: GameConsole;
  /** undefined in runs other than `probes` */
  readonly script: ScriptSide | undefined;
  readonly host: ProbeHost;
  readonly web: WebSide;
  /** Milliseconds since some moment, never set back. */
  now(): number;
  /** A file of the copy, by its path from there with `/`; undefined where there is none. Worlds are not left out. */
  read(path: string): string | undefined;
  /** Ends the game server so, and starts it again in the same folder with the same world; resolves when it is ready. */
  restart(by: "stop" | "kill"): Promise<void>;
  /** Does this at the end of the run, whatever happens. */
  atEnd(undo: () => Promise<void> | void): void;
}

/** One thing that only a game can answer. */
export interface Probe {
  /** such as `net-long-poll`; of lower-case letters, digits and hyphens, and the same in every version */
  readonly id: string;
  readonly kind: Kind;
  /** what is assumed, as one sentence without a full stop */
  readonly assumes: string;
  /** how it is asked, as one sentence without a full stop */
  readonly how: string;
  /** rows of FIDELITY.md that its answer is about: heading of the section and first cell, joined by ` / ` */
  readonly rows: readonly string[];
  readonly run: Run;
  /** Must end by itself within two minutes (`long`: 70). An error that it throws is reported as `broken` with its message. */
  ask(trial: Trial): Promise<Seen>;
}
