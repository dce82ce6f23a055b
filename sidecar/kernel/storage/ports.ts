import type { NamedRate } from "../../platform/rate.ts";

/** Time and waiting, so that tests can own both. */
export interface Clock {
  /** wall time in milliseconds since 1970; whoever owns the machine may set it, back too */
  now(): number;
  /** milliseconds since some moment, which only ever rise: what waiting is measured by */
  monotonic(): number;
  /** calls back once after `ms` milliseconds; returns what cancels it */
  after(ms: number, callback: () => void): () => void;
  /** calls back every `ms` milliseconds; returns what ends it */
  every(ms: number, callback: () => void): () => void;
  /** calls back once in the next turn of the event loop: what has arrived until then was read */
  soon(callback: () => void): void;
}

/** Structured log: facts as fields, one short message. Fields never hold secrets, session ids or message texts. */
export type Log = Record<"debug" | "info" | "warn" | "error", (fields: object, message: string) => void>;

/**
 * Milliseconds since 1970 by the one clock that decides about deadlines which outlive a process or are shared; it goes on
 * steadily, whoever sets the clock of this machine.
 */
export type SharedTime = () => number;

/** What is rejected with where nothing can be done without the storage: all of it is worth another try. */
export class StorageFault extends Error {
  override readonly name: string = "StorageFault";
}

/** The storage has no room for what it was to keep. */
export class StorageFull extends StorageFault {
  override readonly name = "StorageFull";
}

/**
 * The storage cannot be reached, or does not do what it is asked at the moment. Whether what was asked for was done is not
 * known.
 */
export class StorageAway extends StorageFault {
  override readonly name = "StorageAway";
}

/** Whether the storage that sidecars share can be reached. */
export interface Reach {
  isAway(): boolean;
  /** Calls back whenever that changes. */
  onChange(listener: (isAway: boolean) => void): void;
}

/**
 * The turn to deal with what a pack says. Once it is over, what is changed in it changes nothing, and rejects with
 * `StorageAway`. What the game tells has room in a storage that is full: it takes the place of what was asked.
 */
export interface Turn {
  /** tells it from every other one */
  readonly token: string;
  /** where a storage that is shared shows whose turn it is */
  readonly key?: string;
  /** the session of the pack when it began, where that was learned with it */
  readonly pack?: { readonly session: string; readonly run: string; readonly fact: number };
}

/** A bucket of tokens: of each key there is one for each name of a rate, and it is full at first. */
export interface SharedBucket {
  key: string;
  rate: NamedRate;
  /** tokens that are taken at once; 1 where it is left out */
  cost?: number;
}

/**
 * How often something may happen, counted by keys such as addresses. Several sidecar processes may share one. Where an answer
 * is not there at once it comes within a second or so, and no promise rejects: one that cannot ask the others counts alone.
 */
export interface Rates {
  /**
   * Takes what it costs out of each bucket, up to the first one that has not as much: its place among them, or -1 when all had
   * it. What was taken before that one stays taken.
   */
  take(...buckets: readonly SharedBucket[]): number | Promise<number>;
  /** Puts back a token that was taken. */
  giveBack(bucket: SharedBucket): void;
  /** Has `remembers` say true of this key for so many milliseconds from now on. */
  remember(key: string, forMs: number): void;
  remembers(key: string): boolean | Promise<boolean>;
}

/** Something that is written down of who did it. */
interface Audited {
  /** wall time in milliseconds since 1970 */
  at: number;
  address: string;
  /** whom it is about; of an announcement what it says */
  name: string;
  /** status or error code of the answer */
  outcome: string;
}

/** What players and operators of one of several game servers change for all of them. */
export type GameChange =
  | "link.accept"
  | "link.end"
  | "webchat.set"
  | "browser.mute"
  | "browser.unmute"
  | `player.${"hide" | "show" | "block" | "unblock" | "forget"}`;

/** A change that the holder of a key has asked of the game, and what became of it. */
export interface AuditedChange extends Audited {
  /** name of the key, or `game:` and who decided it there */
  key: string;
  action:
    | "whitelist.add"
    | "whitelist.remove"
    | "player.kick"
    | "chat.announce"
    | "ban.add"
    | "ban.remove"
    | "ban.bind"
    | GameChange;
  /** name of the game server, where there are several */
  server?: string;
  /** where one was given */
  reason?: string;
}

/** Another site has asked who somebody is. */
export interface AuditedSignIn extends Audited {
  /** id of the site */
  client: string;
  action: "sign-in";
}

export type AuditEntry = AuditedChange | AuditedSignIn;

/** The record of that; each process has its own. */
export interface Audit {
  /** Settles once the entry is written, or cannot be, which is told in the log. Never rejects. */
  write(entry: AuditEntry): Promise<void>;
}

/** What the processes tell each other about lines from the web that they have refused in the last minute. */
export interface RefusedLines {
  /** Tells what this process has refused: lines, and the address of most of them. */
  tell(own: { lines: number; from: string } | undefined): void;
  /** What the others have told last. */
  others(): { lines: number; from: string }[];
}
