import { later } from "./stream-ids.ts";

/** Entries of one kind, in the order in which they were appended. */
export interface Stream<E> {
  /** where it is stored; never changes */
  readonly name: string;
  /**
   * How long an entry is of use, in milliseconds: a process that begins needs none from before. Undefined: entries are kept until
   * they are dropped.
   */
  readonly forMs?: number;
  /** what the log says of a damaged entry */
  readonly damaged: string;
  /** The entry of a stored text; undefined: damaged, and left out. */
  parse(text: string): E | undefined;
  format(entry: E): string;
}

export interface StreamEntry<E> {
  /** rises, and is never given twice; see `stream-ids.ts` */
  id: string;
  entry: E;
}

/** What is heard of a stream. */
interface StreamListener<E> {
  /** What is kept, oldest first, and the newest id that is gone: at the beginning, and again where something was missed. */
  begin(floor: string, entries: readonly StreamEntry<E>[]): void;
  /** What was appended, by any process, in order, everything of one moment together. */
  add(entries: readonly StreamEntry<E>[]): void;
}

/**
 * Streams of all kinds, which `Transaction.append` appends to. Several sidecar processes may share them: any of them may append,
 * and each hears of everything. Once a transaction has settled, this process has heard what it has appended.
 */
export interface Streams {
  /** Whether other processes append, too. */
  readonly areShared: boolean;
  /** Begins to hear a stream; returns what ends that. */
  tail<E>(of: Stream<E>, listener: StreamListener<E>): () => void;
  /** Lets go of entries; in a shared storage, once every process has had time to read them. */
  drop(of: Stream<unknown>, ids: readonly string[]): Promise<void>;
  /** Settles when everything that any process has appended before was heard here. */
  sync(of: Stream<unknown>): Promise<void>;
}

/** What a process holds of a stream, and who hears it. */
export function createHeldStream<E>(of: Stream<E>) {
  const listeners = new Set<StreamListener<E>>();
  let floor = "0-0";
  let held: StreamEntry<E>[] = [];
  return {
    of,
    floor: (): string => floor,
    begin(place: string, entries: readonly StreamEntry<E>[]): void {
      floor = place;
      held = [...entries];
      for (const listener of listeners) listener.begin(floor, held);
    },
    add(entries: readonly StreamEntry<E>[]): void {
      if (of.forMs === undefined) for (const entry of entries) held.push(entry);
      for (const listener of listeners) listener.add(entries);
    },
    drop(ids: readonly string[]): void {
      const dropped = new Set(ids);
      held = held.filter(({ id }) => !dropped.has(id));
      floor = ids.reduce(later, floor);
    },
    tail(listener: StreamListener<E>): () => void {
      listeners.add(listener);
      listener.begin(floor, held);
      return () => listeners.delete(listener);
    },
  };
}

export type HeldStream = ReturnType<typeof createHeldStream<unknown>>;
