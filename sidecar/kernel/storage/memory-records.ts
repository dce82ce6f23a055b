import { createMemoryStreams, type RecordsBehind } from "./memory-streams.ts";
import type { Collection, RecordsWithStreams } from "./records.ts";
import { compareTexts, type IndexEntry, startOf } from "./records.ts";
import { type Damaged, decideOn, recordsOf } from "./transaction.ts";

/** Records that a collection holds at most where they expire; past it the one goes that would end first. */
const MOST_EXPIRING = 2_000;

interface StoredRecord {
  text: string;
  /** when it ends, by the clock; Infinity: never */
  until: number;
}

/**
 * Records and streams that last as long as this process, or are kept in a file, which is read once.
 * @param now milliseconds by a clock that only rises
 */
export function createMemoryRecords(
  now: () => number,
  damaged: Damaged = () => undefined,
  file?: RecordsBehind,
): RecordsWithStreams & { flush(): void } {
  const collections = new Map<string, Map<string, StoredRecord>>();
  const { add, flush, streams } = createMemoryStreams(Math.floor(now()), damaged, file);

  function heldIn(of: Collection<unknown>): Map<string, StoredRecord> {
    const known = collections.get(of.name);
    if (known) return known;
    const held = new Map<string, StoredRecord>();
    for (const [key, text] of file?.texts(of) ?? []) held.set(key, { text, until: Number.POSITIVE_INFINITY });
    collections.set(of.name, held);
    return held;
  }

  function load(of: Collection<unknown>, keys: readonly string[]): (string | undefined)[] {
    const held = heldIn(of);
    return keys.map(key => {
      const found = held.get(key);
      return found && found.until > now() ? found.text : undefined;
    });
  }

  function makeRoom(held: Map<string, StoredRecord>): void {
    let first: { key: string; until: number } | undefined;
    for (const [key, { until }] of held)
      if (until <= now()) held.delete(key);
      else if (first === undefined || until < first.until) first = { key, until };
    if (first !== undefined && held.size >= MOST_EXPIRING) held.delete(first.key);
  }

  /** Every entry of an index, in its order. */
  function sorted(of: Collection<unknown>, index: string): IndexEntry[] {
    const found = [...heldIn(of)].flatMap(([key, { text }]) => {
      const record = of.parse(text);
      const values = record === undefined ? [] : of.valuesIn(index, record, key);
      return [...new Set(values)].flatMap(value => (value === undefined ? [] : [{ value, key }]));
    });
    return found.sort(compare);
  }

  const records: RecordsWithStreams & { flush(): void } = {
    ...streams,
    /** Writes and tells at once what has changed in this turn. */
    flush,
    get: async (of, key) => recordsOf(of, [key], load(of, [key]), damaged)[0]?.[1],
    getMany: async (of, keys) => new Map(recordsOf(of, keys, load(of, keys), damaged)),
    async entries(of, index, range) {
      const { to, limit } = range;
      const start = startOf(range);
      return sorted(of, index)
        .filter(entry => compare(entry, start) > 0 && (to === undefined || compareTexts(entry.value, to) < 0))
        .slice(0, limit);
    },
    count: async (of, index, range = {}) => (await records.entries(of, index, range)).length,
    size: async of => heldIn(of).size,
    async *all(of) {
      const keys = [...heldIn(of).keys()];
      yield recordsOf(of, keys, load(of, keys), damaged);
    },
    clear: async all => {
      for (const { name } of all) collections.delete(name);
    },
    checkWritable: async () => undefined,
    async transact(decide) {
      const { answer, changes, appended } = decideOn(decide, load, damaged);
      for (const { of, key, after, forMs } of changes) {
        const held = heldIn(of);
        if (forMs !== undefined && !held.has(key)) makeRoom(held);
        if (after === undefined) held.delete(key);
        else
          held.set(key, {
            text: after,
            until: forMs === undefined ? Number.POSITIVE_INFINITY : now() + forMs,
          });
      }
      if (appended.length > 0 || (file && changes.length > 0)) await add(changes, appended);
      return answer;
    },
  };
  return records;
}

const compare = (one: IndexEntry, other: IndexEntry): number =>
  compareTexts(one.value, other.value) || compareTexts(one.key, other.key);
