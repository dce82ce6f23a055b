import type { NamedRate } from "../../platform/rate.ts";

/** The storage failed. Every operation that rejects with this may be retried. */
export class StorageFault extends Error {
  override readonly name: string = "StorageFault";
}

/** The storage is full. */
export class StorageFull extends StorageFault {
  override readonly name = "StorageFull";
}

/** The storage cannot be reached, or cannot serve the request at the moment. The request may or may not have taken effect. */
export class StorageAway extends StorageFault {
  override readonly name = "StorageAway";
}

/** Reachability of the storage that sidecars share. */
export interface Reach {
  isAway(): boolean;
  /** Calls the listener on every change. */
  onChange(listener: (isAway: boolean) => void): void;
}

/**
 * The exclusive right to process the requests of a pack. After it expires, changes made under it have no effect and reject with
 * `StorageAway`. Changes under a lease are accepted by a full storage: reports replace what was there.
 */
export interface Lease {
  /** unique for each lease */
  readonly token: string;
  /** key of the lease in a shared storage */
  readonly key?: string;
  /** the session of the pack when the lease began, if it was read along with it */
  readonly pack?: { readonly session: string; readonly run: string; readonly fact: number };
}

/** A token bucket: one for each key and name of a rate, initially full. */
export interface SharedBucket {
  key: string;
  rate: NamedRate;
  /** tokens to take; default 1 */
  cost?: number;
}

/**
 * Rate limits, counted by keys such as addresses. Several sidecar processes may share them. An answer that is not synchronous comes
 * within about a second, and no promise rejects: a process that cannot reach the others counts on its own.
 */
export interface Rates {
  /**
   * Takes the cost out of each bucket, up to the first that has too little; returns its index, or -1 if all had enough. Tokens taken
   * from buckets before it stay taken.
   */
  take(...buckets: readonly SharedBucket[]): number | Promise<number>;
  /** Tokens that a bucket has now, as far as this process knows. */
  left(bucket: SharedBucket): number;
  /** Puts a taken token back. */
  giveBack(bucket: SharedBucket): void;
  /** Makes `remembers` return true for this key for `forMs` milliseconds. */
  remember(key: string, forMs: number): void;
  remembers(key: string): boolean | Promise<boolean>;
}

/** Exchanges between processes how many chat messages each has rejected in the last minute. */
export interface RejectedMessages {
  /** Publishes this process's number of rejected messages, and the address that sent the most. */
  publish(own: { lines: number; from: string } | undefined): void;
  /** The last values of the other processes. */
  others(): { lines: number; from: string }[];
}

/** Leader election: a task that one of the processes runs for all. */
export interface Leadership {
  /**
   * Calls `begin` when this process becomes the leader, and the function it resolves with when another process may have taken over.
   * Settles after the first attempt, with a function that resigns. Changes under the lease passed to `begin`, if any, have no effect
   * once another process leads.
   */
  hold(begin: (lease: Lease | undefined) => Promise<() => Promise<void>>): Promise<() => Promise<void>>;
}
