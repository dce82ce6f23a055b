import { type BackingFile, createMemoryStreams } from "./memory-streams.ts";
import type { Collection, RecordsWithStreams } from "./records.ts";
import { compareTexts, type IndexEntry, startOf } from "./records.ts";
import { type DamageListener, decideOn, recordsOf } from "./transaction.ts";

/** Records of an expiring collection; over that, the one that expires first is removed. */
const MAX_EXPIRING = 2_000;

interface StoredRecord {
  text: string;
  /** when it expires, by the clock; `Infinity`: never */
  until: number;
}

/**
 * Records and streams in memory, optionally backed by a file that is read once.
 * @param now monotonic milliseconds
 */
export function createMemoryRecords(
  now: () => number,
  damaged: DamageListener = () => undefined,
  file?: BackingFile,
): RecordsWithStreams & { flush(): void } {
  const collections = new Map<string, Map<string, StoredRecord>>();
  const { add, flush, streams } = createMemoryStreams(Math.floor(now()), damaged, file);

  function storedIn(of: Collection<unknown>): Map<string, StoredRecord> {
    const known = collections.get(of.name);
    if (known) return known;
    const stored = new Map<string, StoredRecord>();
    for (const [key, text] of file?.texts(of) ?? [])
      stored.set(key, { text, until: Number.POSITIVE_INFINITY });
    collections.set(of.name, stored);
    return stored;
  }

  function load(of: Collection<unknown>, keys: readonly string[]): (string | undefined)[] {
    const stored = storedIn(of);
    return keys.map(key => {
      const found = stored.get(key);
      return found && found.until > now() ? found.text : undefined;
    });
  }

  function makeRoom(stored: Map<string, StoredRecord>): void {
    let first: { key: string; until: number } | undefined;
    for (const [key, { until }] of stored)
      if (until <= now()) stored.delete(key);
      else if (first === undefined || until < first.until) first = { key, until };
    if (first !== undefined && stored.size >= MAX_EXPIRING) stored.delete(first.key);
  }

  /** All entries of an index, sorted. */
  function sorted(of: Collection<unknown>, index: string): IndexEntry[] {
    const found = [...storedIn(of)].flatMap(([key, { text }]) => {
      const record = of.parse(text);
      const values = record === undefined ? [] : of.valuesIn(index, record, key);
      return [...new Set(values)].flatMap(value => (value === undefined ? [] : [{ value, key }]));
    });
    return found.sort(compare);
  }

  const records: RecordsWithStreams & { flush(): void } = {
    ...streams,
    /** Writes and publishes the changes of this event-loop iteration immediately. */
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
    size: async of => storedIn(of).size,
    async *all(of) {
      const keys = [...storedIn(of).keys()];
      yield recordsOf(of, keys, load(of, keys), damaged);
    },
    clear: async all => {
      for (const { name } of all) collections.delete(name);
    },
    checkWritable: async () => undefined,
    async transact(decide) {
      const { answer, changes, appended } = decideOn(decide, load, damaged);
      for (const { of, key, after, forMs } of changes) {
        const stored = storedIn(of);
        if (forMs !== undefined && !stored.has(key)) makeRoom(stored);
        if (after === undefined) stored.delete(key);
        else
          stored.set(key, {
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
