import type { Clock, SharedTime } from "../../platform/clock.ts";
import type { Bus, Lease, Outbox, Rates, Reach } from "./ports.ts";
import type { Records, RecordsWithStreams } from "./records.ts";

/** What the processes tell each other about lines from the web that they have refused in the last minute. */
export interface RefusedLines {
  /** Tells what this process has refused: lines, and the address of most of them. */
  tell(own: { lines: number; from: string } | undefined): void;
  /** What the others have told last. */
  others(): { lines: number; from: string }[];
}

/** What one of the processes does for all of them. */
export interface Duty {
  /**
   * Calls `begin` when this process gets the duty, and what that resolves with when another may have it. Settles once it was
   * tried to get it, with what gives it up. What is changed in the turn that `begin` gets, if any, is not once another has it.
   */
  hold(begin: (lease: Lease | undefined) => Promise<() => Promise<void>>): Promise<() => Promise<void>>;
}

/** What the processes share of the world of one game server. */
export interface SharedServer {
  outbox: Outbox;
  bus: Bus;
}

/** Records by what becomes of them where each has a file of its own: where the one fails, the others go on. */
export interface SharedRecords {
  links: Records;
  players: Records;
  bans: Records;
  feed: RecordsWithStreams;
  /** of what need not outlive a single process; milliseconds by its clock, which only rises */
  volatile: RecordsWithStreams & { now(): number };
}

/** Everything that the sidecar processes of one bridge share. */
export interface Shared {
  /** the clock for what is told to others; its wall time is that of all of them */
  clock: Clock;
  time: SharedTime;
  records: SharedRecords;
  /** An id made up once for this storage and the same ever since. */
  bridgeId(): Promise<string>;
  /** of the first world */
  server: SharedServer;
  /** of each further one, by its name */
  servers: ReadonlyMap<string, SharedServer>;
  rates: Rates;
  refused: RefusedLines;
  /** to send what webhooks wait for */
  duty: Duty;
  reach: Reach;
  /** figures of it for operators */
  gauges: readonly { name: string; help: string; read(): number; labels?: Record<string, string> }[];
  /** To be called when this process serves: until then what is read waits for a storage that has gone away. */
  started(): void;
  /** To be called when all of them are closed. */
  close(): Promise<void>;
}
