import type { NamedRate } from "../../platform/rate.ts";

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
export interface Lease {
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
