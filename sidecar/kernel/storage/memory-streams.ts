import { idOf } from "./stream-ids.ts";
import { createHeldStream, type HeldStream, type Stream, type StreamEntry, type Streams } from "./streams.ts";
import type { Appended, Change, Damaged } from "./transaction.ts";

/** An entry of a stream as it is stored. */
export interface StoredEntry {
  id: string;
  text: string;
}

/** Where records and streams of a process are kept while it does not run. */
export interface RecordsBehind {
  /** The records of a collection, when this process begins. */
  texts(of: Stored): Iterable<[key: string, text: string]>;
  /** Begins a stream: what is kept, oldest first, the newest id that is gone, and an epoch that no id had yet. */
  beginStream(of: Stored): { floor: string; entries: StoredEntry[]; epoch: number };
  /** Writes what this process holds already: what cannot be written is tried again. */
  write(changes: readonly Change[], appended: ReadonlyMap<Stored, readonly StoredEntry[]>): void;
  drop(of: Stored, ids: readonly string[]): void;
}

/** A collection or a stream. */
type Stored = { readonly name: string };

/** What is changed in one turn: before anything else comes from outside. */
interface PendingTurn {
  changes: Change[];
  entries: Map<HeldStream, StreamEntry<unknown>[]>;
  settle: (() => void)[];
}

/**
 * Streams of this process, which hears of a moment once that is written to the file, if there is one.
 * @param firstEpoch of the ids where there is no file
 */
export function createMemoryStreams(firstEpoch: number, damaged: Damaged, file?: RecordsBehind) {
  const streams = new Map<string, { held: HeldStream; epoch: number; seq: number }>();
  let moment: PendingTurn | undefined;

  function stateOf(of: Stream<unknown>) {
    const known = streams.get(of.name);
    if (known) return known;
    const held = createHeldStream(of);
    const { floor, entries, epoch } = file?.beginStream(of) ?? {
      floor: idOf(firstEpoch, 0),
      entries: [],
      epoch: firstEpoch,
    };
    const begun = { held, epoch, seq: 0 };
    streams.set(of.name, begun);
    const read = entries.map(({ id, text }) => ({ id, entry: of.parse(text) }));
    // Where one is damaged, a reader who goes on from before it has to hear that something is missing.
    const last = read.findLastIndex(({ entry }) => entry === undefined);
    const gone = read.slice(0, last + 1);
    for (const { id, entry } of gone) if (entry === undefined) damaged(of, id);
    held.begin(gone.at(-1)?.id ?? floor, read.slice(last + 1));
    if (gone.length > 0)
      file?.drop(
        of,
        gone.map(({ id }) => id),
      );
    return begun;
  }

  function flush(): void {
    if (!moment) return;
    const { changes, entries, settle } = moment;
    moment = undefined;
    file?.write(
      changes,
      new Map([...entries].map(([{ of }, all]) => [of, all.map(each => textOf(of, each))])),
    );
    for (const [held, all] of entries) held.add(all);
    for (const resolve of settle) resolve();
  }

  return {
    /** Settles when all of it is written and was heard. */
    add(changes: readonly Change[], appended: readonly Appended[]): Promise<void> {
      // Behind all promises that are due: the lines that one read of a socket brings are one write for each reader.
      if (!moment) process.nextTick(flush);
      const own: PendingTurn = moment ?? { changes: [], entries: new Map(), settle: [] };
      moment = own;
      for (const change of changes) own.changes.push(change);
      for (const { to, entries } of appended) {
        const state = stateOf(to);
        const all = own.entries.get(state.held) ?? [];
        own.entries.set(state.held, all);
        for (const entry of entries) all.push({ id: idOf(state.epoch, ++state.seq), entry });
      }
      return new Promise(resolve => void own.settle.push(resolve));
    },
    flush,
    streams: {
      areShared: false,
      tail: (of, listener) => stateOf(of).held.tail(listener),
      async drop(of, ids) {
        if (ids.length === 0) return;
        stateOf(of).held.drop(ids);
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
