import { type Lease, StorageAway } from "../ports.ts";
import type { Collection, Records, RecordsWithStreams } from "../records.ts";
import { BEHIND_ALL, type IndexEntry, type IndexRange, startOf } from "../records.ts";
import { type Change, type DamageListener, decideOn, recordsOf, type StreamAppend } from "../transaction.ts";
import { COMMIT, COMMIT_ALWAYS, commitValues, type Step } from "./commit.ts";
import type { RedisConnection } from "./connection.ts";
import readScript from "./lua/read.lua";
import { listOf, maybeText, numberOf, pairsOf, script, textOf } from "./script.ts";
import type { RedisStreams } from "./streams.ts";

const READ = script(readScript, { mayOverfill: true });

/** How often a decision is retried after conflicts. */
const MAX_TRIES = 1_000;
/** Approximate number of records of one slice when reading all of them. */
const SLICE_SIZE = 200;

/** Storage of a record: a field of a hash, or its own key if it may expire. */
const hashOf = ({ name }: Collection<unknown>): string => name;
const keyOf = ({ name }: Collection<unknown>, key: string): string => (key === "" ? name : `${name}:${key}`);
export const indexOf = ({ name }: Collection<unknown>, index: string): string => `${name}:by-${index}`;
const memberOf = ({ value, key }: IndexEntry): string => `${value}\0${key}`;

/** Thrown when a decision needs records that are not read yet: it runs again once they are. */
class Unread extends Error {
  readonly of: Collection<unknown>;
  readonly keys: readonly string[];

  constructor(of: Collection<unknown>, keys: readonly string[]) {
    super("not read yet");
    this.of = of;
    this.keys = keys;
  }
}

/** A record that was read, with its text; undefined: none. */
interface ReadRecord {
  of: Collection<unknown>;
  key: string;
  text: string | undefined;
  /** it is an earlier copy, and may have changed */
  isCopy?: boolean;
}

/** Changes of one transaction. */
interface Changes {
  changes: readonly Change[];
  appended: readonly StreamAppend[];
}

type CommitResult =
  | { isDone: true; ids: string[] }
  /** the current texts of those that have changed, by index among the reads */
  | { isDone: false; others: { place: number; text: string | undefined }[] };

/** Remembered copies of records; over that, all are dropped. */
const MAX_REMEMBERED = 50_000;

/** Records and streams in Redis: a change is decided here, and committed if what it read is unchanged. */
export const createRedisRecordsWithStreams = (
  redis: Pick<RedisConnection, "ask" | "key" | "read" | "run">,
  damaged: DamageListener,
  streams: RedisStreams,
): RecordsWithStreams => ({ ...createRedisRecords(redis, damaged, streams), ...streams.streams });

/** Records in Redis, without appending to streams. */
export function createRedisRecords(
  redis: Pick<RedisConnection, "ask" | "key" | "read" | "run">,
  damaged: DamageListener,
  streams?: RedisStreams,
): Records {
  /** last copies of records in collections that are first decided on a copy */
  const remembered = new Map<string, string | undefined>();

  async function textsOf(of: Collection<unknown>, keys: readonly string[]): Promise<(string | undefined)[]> {
    if (keys.length === 0) return [];
    const reply = of.expires
      ? await redis.read(
          READ,
          keys.map(key => keyOf(of, key)),
          [],
        )
      : await redis.read(READ, [hashOf(of)], keys);
    return listOf(reply).map(maybeText);
  }

  async function commit(
    read: readonly ReadRecord[],
    { changes, appended }: Changes,
    lease: Lease | undefined,
  ): Promise<CommitResult> {
    const checks = read.map(({ of, key, text }) => ({
      key: of.expires ? keyOf(of, key) : hashOf(of),
      field: of.expires ? "" : key,
      text,
    }));
    const steps = changes.flatMap(({ of, key, after, forMs, removed, added }) => [
      storing(of, key, after, forMs),
      ...removed.map(({ index, value }) => indexStep("ZREM", of, index, memberOf({ value, key }))),
      ...added.map(({ index, value }) => indexStep("ZADD", of, index, 0, memberOf({ value, key }))),
    ]);
    for (const { to, entries } of appended)
      for (const entry of entries) steps.push(appending(to, to.format(entry)));
    const { keys, values } = commitValues(checks, steps);
    const reply = await redis.run(mayOverfill(changes, lease) ? COMMIT_ALWAYS : COMMIT, keys, values, lease);
    const [isDone, found] = listOf(reply);
    if (isDone === 1) return { isDone: true, ids: listOf(found).map(textOf) };
    const others = listOf(found);
    return {
      isDone: false,
      others: Array.from({ length: others.length / 2 }, (_, i) => ({
        place: numberOf(others[2 * i]) - 1,
        text: maybeText(others[2 * i + 1]),
      })),
    };
  }

  function appending(to: StreamAppend["to"], text: string): Step {
    if (streams === undefined) throw new Error(`nothing is appended to ${to.name} here`);
    return streams.appending(to, text);
  }

  /** Waits until this process has read the entries that it appended. */
  async function waitUntilRead(appended: readonly StreamAppend[], ids: readonly string[]): Promise<void> {
    let count = 0;
    for (const { to, entries } of appended) {
      count += entries.length;
      await streams?.waitUntilRead(to, ids[count - 1] ?? "");
    }
  }

  function remember({ of, key }: ReadRecord | Change, text: string | undefined): void {
    if (!of.isRemembered) return;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(keyOf(of, key), text);
  }

  const entries = async (
    of: Collection<unknown>,
    index: string,
    range: IndexRange,
  ): Promise<IndexEntry[]> => {
    const { to = BEHIND_ALL, limit = -1 } = range;
    const key = redis.key(indexOf(of, index));
    const start = `(${memberOf(startOf(range))}`;
    const members = await redis.ask("ZRANGE", key, start, `(${to}`, "BYLEX", "LIMIT", "0", `${limit}`);
    return listOf(members).map(member => entryOf(textOf(member)));
  };

  return {
    get: async (of, key) => recordsOf(of, [key], await textsOf(of, [key]), damaged)[0]?.[1],
    getMany: async (of, keys) => new Map(recordsOf(of, keys, await textsOf(of, keys), damaged)),
    entries,
    async count(of, index, { from = "", to = BEHIND_ALL } = {}) {
      return numberOf(await redis.ask("ZLEXCOUNT", redis.key(indexOf(of, index)), `[${from}`, `(${to}`));
    },
    size: async of => numberOf(await redis.ask("HLEN", redis.key(hashOf(of)))),
    async *all(of) {
      // Redis may return a field twice.
      const seen = new Set<string>();
      let from = "0";
      do {
        const scanned = await redis.ask("HSCAN", redis.key(hashOf(of)), from, "COUNT", `${SLICE_SIZE}`);
        const [next, fields] = listOf(scanned);
        const slice = [...new Map(pairsOf(fields))].filter(([key]) => !seen.has(key));
        for (const [key] of slice) seen.add(key);
        yield recordsOf(
          of,
          slice.map(([key]) => key),
          slice.map(([, text]) => text),
          damaged,
        );
        from = textOf(next);
      } while (from !== "0");
    },
    async clear(all) {
      const keys = all.flatMap(of => [hashOf(of), ...of.indexes.map(index => indexOf(of, index))]);
      await redis.ask("UNLINK", ...keys.map(redis.key));
    },
    async checkWritable() {
      const { keys, values } = commitValues([], [{ command: "SET", key: "room", values: ["1"] }]);
      await redis.run(COMMIT, keys, values);
    },
    async transact(decide, { lease } = {}) {
      const read = new Map<string, ReadRecord>();
      const load = (of: Collection<unknown>, keys: readonly string[], isReplaced = false) => {
        if (of.isRemembered)
          for (const key of keys) {
            const name = keyOf(of, key);
            if (!read.has(name)) read.set(name, { of, key, text: remembered.get(name), isCopy: true });
          }
        const found = keys.map(key => read.get(keyOf(of, key)));
        const unread = keys.filter((_, i) => found[i] === undefined);
        if (unread.length > 0 && !isReplaced) throw new Unread(of, unread);
        return found.map(record => record?.text);
      };
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        try {
          const { answer, changes, appended } = decideOn(decide, load, damaged);
          const all = [...read.values()];
          const isCertain = !all.some(({ isCopy }) => isCopy);
          if (changes.length === 0 && appended.length === 0 && isCertain) return answer;
          const committed = await commit(all, { changes, appended }, lease);
          if (committed.isDone) {
            for (const record of all) remember(record, record.text);
            for (const change of changes) remember(change, change.after);
            await waitUntilRead(appended, committed.ids);
            return answer;
          }
          for (const { place, text } of committed.others) {
            const record = all[place];
            if (record) record.text = text;
          }
          for (const record of all) record.isCopy = false;
        } catch (error) {
          if (!(error instanceof Unread)) throw error;
          const { of, keys } = error;
          const texts = await textsOf(of, keys);
          for (const [i, key] of keys.entries()) read.set(keyOf(of, key), { of, key, text: texts[i] });
        }
      }
      throw new StorageAway("too many conflicting changes by other sidecars");
    },
  };
}

/** Whether a full Redis accepts a change: a report of the game, whose amount is limited, or one that needs no more space. */
const mayOverfill = (changes: readonly Change[], lease: Lease | undefined): boolean =>
  lease !== undefined ||
  changes.every(
    ({ of, before = "", after = "" }) =>
      after === "" || after === before || of.isSmall || (of.expires && after.length <= before.length),
  );

const indexStep = (
  command: "ZADD" | "ZREM",
  of: Collection<unknown>,
  index: string,
  ...values: (string | number)[]
): Step => ({ command, key: indexOf(of, index), values });

function storing(
  of: Collection<unknown>,
  key: string,
  after: string | undefined,
  forMs: number | undefined,
): Step {
  if (!of.expires) {
    const values = after === undefined ? [key] : [key, after];
    return { command: after === undefined ? "HDEL" : "HSET", key: hashOf(of), values };
  }
  const own = keyOf(of, key);
  if (after === undefined) return { command: "DEL", key: own, values: [] };
  const ends = forMs === undefined ? [] : ["PX", Math.max(1, Math.ceil(forMs))];
  return { command: "SET", key: own, values: [after, ...ends] };
}

function entryOf(member: string): IndexEntry {
  const end = member.indexOf("\0");
  return { value: member.slice(0, end), key: member.slice(end + 1) };
}
