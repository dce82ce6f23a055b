import type { Collection } from "../collection.ts";
import { BEHIND_ALL, type IndexEntry, type IndexRange, startOf } from "../index-range.ts";
import { StorageAway, type Turn } from "../ports.ts";
import type { Records } from "../records.ts";
import { type Change, type Damaged, decideOn, recordsOf } from "../transaction.ts";
import type { Connection } from "./connection.ts";
import commitScript from "./lua/commit.lua";
import readScript from "./lua/read.lua";
import { listOf, maybeText, numberOf, pairsOf, textOf } from "./reply.ts";
import { script } from "./script.ts";

const READ = script(readScript, { mayOverfill: true });
const COMMIT = script(commitScript, { isFenced: true });
/** For a Redis that is full, too. */
const COMMIT_ALWAYS = script(commitScript, { isFenced: true, mayOverfill: true });

/** How often is decided again since somebody else was quicker. */
const MOST_TRIES = 1_000;
/** Records that are read at once where all are gone through, more or less. */
const MOST_IN_SLICE = 200;

/** Where a record is stored: a field of a hash, or a key of its own where it may end by itself. */
const hashOf = ({ name }: Collection<unknown>): string => name;
const keyOf = ({ name }: Collection<unknown>, key: string): string => (key === "" ? name : `${name}:${key}`);
export const indexOf = ({ name }: Collection<unknown>, index: string): string => `${name}:by-${index}`;
const memberOf = ({ value, key }: IndexEntry): string => `${value}\0${key}`;

/** The records that a decision wants and that are not read yet: it is run again once they are. */
class Unread extends Error {
  readonly of: Collection<unknown>;
  readonly keys: readonly string[];

  constructor(of: Collection<unknown>, keys: readonly string[]) {
    super("not read yet");
    this.of = of;
    this.keys = keys;
  }
}

/** A record that was read, and its text; undefined: none. */
interface ReadRecord {
  of: Collection<unknown>;
  key: string;
  text: string | undefined;
}

/** Records in Redis: each change is decided on here, and made there if nobody has changed what it was decided on. */
export function createRedisRecords(
  redis: Pick<Connection, "ask" | "key" | "run">,
  damaged: Damaged,
): Records {
  async function textsOf(of: Collection<unknown>, keys: readonly string[]): Promise<(string | undefined)[]> {
    if (keys.length === 0) return [];
    const reply = of.expires
      ? await redis.run(
          READ,
          keys.map(key => keyOf(of, key)),
          [],
        )
      : await redis.run(READ, [hashOf(of)], keys);
    return listOf(reply).map(maybeText);
  }

  /** What is there instead of what was read, where that is not so any more; undefined: the change is made. */
  async function commit(
    read: readonly ReadRecord[],
    changes: readonly Change[],
    turn: Turn | undefined,
  ): Promise<{ place: number; text: string | undefined }[] | undefined> {
    const keys: string[] = [];
    const placeOf = (name: string): number => {
      if (!keys.includes(name)) keys.push(name);
      return keys.indexOf(name) + 2;
    };
    const checks = read.flatMap(({ of, key, text }) => [
      placeOf(of.expires ? keyOf(of, key) : hashOf(of)),
      of.expires ? "" : key,
      text === undefined ? "" : `=${text}`,
    ]);
    const step = (command: string, name: string, ...values: (string | number)[]) => [
      ...[command, values.length, placeOf(name)],
      ...values,
    ];
    const steps = changes.flatMap(({ of, key, after, forMs, removed, added }) => [
      ...storing(of, key, after, forMs, step),
      ...removed.flatMap(({ index, value }) => step("ZREM", indexOf(of, index), memberOf({ value, key }))),
      ...added.flatMap(({ index, value }) => step("ZADD", indexOf(of, index), 0, memberOf({ value, key }))),
    ]);
    const values = [read.length, ...checks, ...steps];
    const reply = await redis.run(mayOverfill(changes, turn) ? COMMIT_ALWAYS : COMMIT, keys, values, turn);
    if (reply === 1) return undefined;
    const found = listOf(reply);
    return Array.from({ length: found.length / 2 }, (_, i) => ({
      place: numberOf(found[2 * i]) - 1,
      text: maybeText(found[2 * i + 1]),
    }));
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
      // Redis may tell of one twice.
      const told = new Set<string>();
      let from = "0";
      do {
        const scanned = await redis.ask("HSCAN", redis.key(hashOf(of)), from, "COUNT", `${MOST_IN_SLICE}`);
        const [next, fields] = listOf(scanned);
        const slice = [...new Map(pairsOf(fields))].filter(([key]) => !told.has(key));
        for (const [key] of slice) told.add(key);
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
    checkWritable: async () => void (await redis.run(COMMIT, ["room"], [0, "SET", 1, 2, "1"])),
    async transact(decide, { turn } = {}) {
      const read = new Map<string, ReadRecord>();
      const load = (of: Collection<unknown>, keys: readonly string[]): (string | undefined)[] => {
        const found = keys.map(key => read.get(keyOf(of, key)));
        const unread = keys.filter((_, i) => found[i] === undefined);
        if (unread.length > 0) throw new Unread(of, unread);
        return found.map(record => record?.text);
      };
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        try {
          const { answer, changes } = decideOn(decide, load, damaged);
          if (changes.length === 0) return answer;
          const all = [...read.values()];
          const others = await commit(all, changes, turn);
          if (others === undefined) return answer;
          for (const { place, text } of others) {
            const record = all[place];
            if (record) record.text = text;
          }
        } catch (error) {
          if (!(error instanceof Unread)) throw error;
          const { of, keys } = error;
          const texts = await textsOf(of, keys);
          for (const [i, key] of keys.entries()) read.set(keyOf(of, key), { of, key, text: texts[i] });
        }
      }
      throw new StorageAway("what is stored is changed by others all the time");
    },
  };
}

/** Whether a change is kept in a full Redis: what the game reports, of which there is a most, and what takes no more room. */
const mayOverfill = (changes: readonly Change[], turn: Turn | undefined): boolean =>
  turn !== undefined ||
  changes.every(
    ({ of, before = "", after = "" }) =>
      after === "" || after === before || of.isSmall || (of.expires && after.length <= before.length),
  );

function storing(
  of: Collection<unknown>,
  key: string,
  after: string | undefined,
  forMs: number | undefined,
  step: (command: string, name: string, ...values: (string | number)[]) => (string | number)[],
): (string | number)[] {
  if (!of.expires) {
    return after === undefined ? step("HDEL", hashOf(of), key) : step("HSET", hashOf(of), key, after);
  }
  if (after === undefined) return step("DEL", keyOf(of, key));
  if (forMs === undefined) return step("SET", keyOf(of, key), after);
  return step("SET", keyOf(of, key), after, "PX", Math.max(1, Math.ceil(forMs)));
}

function entryOf(member: string): IndexEntry {
  const end = member.indexOf("\0");
  return { value: member.slice(0, end), key: member.slice(end + 1) };
}
