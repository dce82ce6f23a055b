import type { Clock, SharedTime } from "../platform/clock.ts";
import type { Bus, Outbox } from "./bridge/ports.ts";
import type { Leadership, Rates, Reach, RejectedMessages } from "./storage/ports.ts";
import type { Records, RecordsWithStreams } from "./storage/records.ts";

/** State of one game server that the processes share. */
export interface SharedServer {
  outbox: Outbox;
  bus: Bus;
}

/** Records, by the file that they have without Redis: if one file fails, the others still work. */
export interface SharedRecords {
  links: Records;
  players: Records;
  bans: Records;
  feed: RecordsWithStreams;
  /** for data that need not outlive a single process; monotonic milliseconds */
  volatile: RecordsWithStreams & { now(): number };
}

/** All state that the sidecar processes of one bridge share. */
export interface SharedState {
  /** the clock for times that others see; all processes share its wall time */
  clock: Clock;
  time: SharedTime;
  records: SharedRecords;
  /** An id generated once for this storage. */
  bridgeId(): Promise<string>;
  /** the first game server */
  server: SharedServer;
  /** the other game servers, by name */
  servers: ReadonlyMap<string, SharedServer>;
  rates: Rates;
  refused: RejectedMessages;
  /** for sending queued webhook events */
  leadership: Leadership;
  reach: Reach;
  /** metrics of the storage */
  gauges: readonly { name: string; help: string; read(): number; labels?: Record<string, string> }[];
  /** To be called when this process serves requests: until then reads wait for an unreachable storage. */
  started(): void;
  /** To be called when the features are closed. */
  close(): Promise<void>;
}
