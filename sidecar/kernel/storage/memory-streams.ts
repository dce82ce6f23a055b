import { idOf } from "./stream-ids.ts";
import {
  createStreamBuffer,
  type Stream,
  type StreamBuffer,
  type StreamEntry,
  type Streams,
} from "./streams.ts";
import type { Change, DamageListener, StreamAppend } from "./transaction.ts";

/** A stored entry of a stream. */
export interface StoredEntry {
  id: string;
  text: string;
}

/** The file that backs the records and streams of a process. */
export interface BackingFile {
  /** The records of a collection when this process starts. */
  texts(of: NamedStorage): Iterable<[key: string, text: string]>;
  /** Starts a stream: its entries, oldest first, the newest dropped id, and a new epoch. */
  beginStream(of: NamedStorage): { floor: string; entries: StoredEntry[]; epoch: number };
  /** Writes changes that are already in memory; failed writes are retried. */
  write(changes: readonly Change[], appended: ReadonlyMap<NamedStorage, readonly StoredEntry[]>): void;
  drop(of: NamedStorage, ids: readonly string[]): void;
}

/** A collection or a stream. */
type NamedStorage = { readonly name: string };

/** Changes of one event-loop iteration, before further input. */
interface PendingBatch {
  changes: Change[];
  entries: Map<StreamBuffer, StreamEntry<unknown>[]>;
  settle: (() => void)[];
}

/**
 * Streams of this process. Listeners get a batch once it is written to the file, if there is one.
 * @param firstEpoch epoch of the ids without a file
 */
export function createMemoryStreams(firstEpoch: number, damaged: DamageListener, file?: BackingFile) {
  const streams = new Map<string, { buffer: StreamBuffer; epoch: number; seq: number }>();
  let pending: PendingBatch | undefined;

  function stateOf(of: Stream<unknown>) {
    const known = streams.get(of.name);
    if (known) return known;
    const buffer = createStreamBuffer(of);
    const { floor, entries, epoch } = file?.beginStream(of) ?? {
      floor: idOf(firstEpoch, 0),
      entries: [],
      epoch: firstEpoch,
    };
    const begun = { buffer, epoch, seq: 0 };
    streams.set(of.name, begun);
    const read = entries.map(({ id, text }) => ({ id, entry: of.parse(text) }));
    // If one is damaged, a reader that continues from before it has to get a gap.
    const last = read.findLastIndex(({ entry }) => entry === undefined);
    const unreadable = read.slice(0, last + 1);
    for (const { id, entry } of unreadable) if (entry === undefined) damaged(of, id);
    buffer.begin(unreadable.at(-1)?.id ?? floor, read.slice(last + 1));
    if (unreadable.length > 0)
      file?.drop(
        of,
        unreadable.map(({ id }) => id),
      );
    return begun;
  }

  function flush(): void {
    if (!pending) return;
    const { changes, entries, settle } = pending;
    pending = undefined;
    file?.write(
      changes,
      new Map([...entries].map(([{ of }, all]) => [of, all.map(each => textOf(of, each))])),
    );
    for (const [buffer, all] of entries) buffer.add(all);
    for (const resolve of settle) resolve();
  }

  return {
    /** Settles when everything is written and listeners have it. */
    add(changes: readonly Change[], appended: readonly StreamAppend[]): Promise<void> {
      // After all pending promises: messages from one read of a socket become one write for each reader.
      if (!pending) process.nextTick(flush);
      const batch: PendingBatch = pending ?? { changes: [], entries: new Map(), settle: [] };
      pending = batch;
      for (const change of changes) batch.changes.push(change);
      for (const { to, entries } of appended) {
        const state = stateOf(to);
        const all = batch.entries.get(state.buffer) ?? [];
        batch.entries.set(state.buffer, all);
        for (const entry of entries) all.push({ id: idOf(state.epoch, ++state.seq), entry });
      }
      return new Promise(resolve => void batch.settle.push(resolve));
    },
    flush,
    streams: {
      areShared: false,
      tail: (of, listener) => stateOf(of).buffer.tail(listener),
      async drop(of, ids) {
        if (ids.length === 0) return;
        stateOf(of).buffer.drop(ids);
        file?.drop(of, ids);
      },
      sync: async () => undefined,
    } satisfies Streams,
  };
}

const textOf = (of: Stream<unknown>, { id, entry }: StreamEntry<unknown>): StoredEntry => ({
  id,
  text: of.format(entry),
});
