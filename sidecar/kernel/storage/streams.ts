import { later } from "./stream-ids.ts";

/** Definition of a stream: entries of one kind, in the order in which they were appended. */
export interface Stream<E> {
  /** name in the storage; never changes */
  readonly name: string;
  /**
   * How long an entry is useful, in milliseconds: a process that starts needs no earlier ones. Undefined: entries stay until they
   * are dropped.
   */
  readonly forMs?: number;
  /** log line for a damaged entry */
  readonly damaged: string;
  /** Parses a stored text; undefined: damaged, and left out. */
  parse(text: string): E | undefined;
  format(entry: E): string;
}

export interface StreamEntry<E> {
  /** increases, and is never reused; see `stream-ids.ts` */
  id: string;
  entry: E;
}

/** Listener of a stream. */
interface StreamListener<E> {
  /** Current entries, oldest first, and the newest dropped id: at the start, and again after missed entries. */
  begin(floor: string, entries: readonly StreamEntry<E>[]): void;
  /** Entries appended by any process, in order, batched. */
  add(entries: readonly StreamEntry<E>[]): void;
}

/**
 * Streams of all kinds, which `Transaction.append` appends to. Several sidecar processes may share them: any of them may append, and
 * each reads everything. Once a transaction has settled, listeners of this process have its entries.
 */
export interface Streams {
  /** Whether other processes also append. */
  readonly areShared: boolean;
  /** Subscribes to a stream; returns the unsubscribe function. */
  tail<E>(of: Stream<E>, listener: StreamListener<E>): () => void;
  /** Drops entries; in a shared storage, once every process has had time to read them. */
  drop(of: Stream<unknown>, ids: readonly string[]): Promise<void>;
  /** Settles when all entries appended so far by any process were read here. */
  sync(of: Stream<unknown>): Promise<void>;
}

/** A process's copy of a stream, and its listeners. */
export function createStreamBuffer<E>(of: Stream<E>) {
  const listeners = new Set<StreamListener<E>>();
  let floor = "0-0";
  let current: StreamEntry<E>[] = [];
  return {
    of,
    floor: (): string => floor,
    begin(place: string, entries: readonly StreamEntry<E>[]): void {
      floor = place;
      current = [...entries];
      for (const listener of listeners) listener.begin(floor, current);
    },
    add(entries: readonly StreamEntry<E>[]): void {
      if (of.forMs === undefined) for (const entry of entries) current.push(entry);
      for (const listener of listeners) listener.add(entries);
    },
    drop(ids: readonly string[]): void {
      const dropped = new Set(ids);
      current = current.filter(({ id }) => !dropped.has(id));
      floor = ids.reduce(later, floor);
    },
    tail(listener: StreamListener<E>): () => void {
      listeners.add(listener);
      listener.begin(floor, current);
      return () => listeners.delete(listener);
    },
  };
}

export type StreamBuffer = ReturnType<typeof createStreamBuffer<unknown>>;
