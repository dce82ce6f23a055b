import type { Clock, SharedTime } from "../platform/clock.ts";
import type { Bus, Outbox } from "./bridge/ports.ts";
import type { Duty, Rates, Reach, RefusedLines } from "./storage/ports.ts";
import type { Records, RecordsWithStreams } from "./storage/records.ts";

/** What the processes share of one game server. */
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
  /** of the first game server */
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
