import { BAN_HEAD, BANS, HEAD_KEY } from "../features/bans/records.ts";
import { PRESENCE, presenceKey, REPORTED, reportedKey } from "../features/feed/records.ts";
import { KNOWN, VISITS } from "../features/known-players/records.ts";
import { LINKS } from "../features/linking/records.ts";
import { linkedUuid, NO_LINK } from "../features/linking/rules/links.ts";
import { CONNECTIONS, connectionKey } from "../features/servers/records.ts";
import { COUNTED, countedKey, POINTS, pointKey, ROLLUPS, rollupKey } from "../features/status/records.ts";
import { LONG_SPANS } from "../features/status/rules/rollups.ts";
import type { Collection } from "../kernel/storage/records.ts";
import { createRedisRecords, indexOf } from "../kernel/storage/redis/records.ts";
import type { Migrate } from "../kernel/storage/redis/registry.ts";
import { listOf, maybeText, pairsOf, textOf, textsOf } from "../kernel/storage/redis/script.ts";
import { valuesOf } from "../kernel/storage/transaction.ts";

// Migrates what sidecars up to 0.1.0 stored in Redis, in format 1: most records as now, with different indexes.

/** Keys of format 1 that are no longer read. */
const OBSOLETE_KEYS = [
  ...[
    "requests",
    "places",
    "labels",
    "due",
    "last-place",
    "choice-counts",
    "ban-head",
    "bans",
    "ban-numbers",
  ],
  ...[
    "known-present",
    "known-unlisted",
    "known-names",
    "known-by-name",
    "known-by-lowered",
    "known-oldest-stay",
  ],
  ...["known-folded", "known-by-folded", "known-names-folded"],
  ...["last-seen", "first-seen", "playtime", "kills", "deaths", "visits"].map(sort => `known-by-${sort}`),
];

/** Keys of format 2. Some may exist after an interrupted migration, and a format 1 sidecar may have run since. */
const FORMAT_2_KEYS = [
  ...[BANS, BAN_HEAD, CONNECTIONS].map(({ name }) => name),
  ...[LINKS, KNOWN, VISITS, BANS].flatMap(of => of.indexes.map(index => indexOf(of, index))),
];

type MigratedRedis = Parameters<Migrate>[0];

async function* fieldsIn(
  { ask, key }: MigratedRedis,
  hash: string,
): AsyncIterable<[field: string, text: string][]> {
  let from = "0";
  do {
    const [next, fields] = listOf(await ask("HSCAN", key(hash), from, "COUNT", "200"));
    yield pairsOf(fields);
    from = textOf(next);
  } while (from !== "0");
}

/**
 * Migrates format 1 to format 2. It may be repeated after an interruption.
 * @param names those of the game servers beside the first
 */
const migrateFormat1 =
  (names: readonly string[]) =>
  async (redis: MigratedRedis): Promise<void> => {
    const { ask, key } = redis;
    const records = createRedisRecords(redis, () => undefined);

    const fieldsOf = (hash: string) => fieldsIn(redis, hash);

    /** Builds the indexes of a collection, whose records stay as they are. */
    async function index(of: Collection<unknown>): Promise<void> {
      for await (const slice of fieldsOf(of.name)) {
        const added = new Map<string, string[]>();
        for (const [field, text] of slice)
          for (const { index, value } of valuesOf(of, field, text))
            added.set(index, [...(added.get(index) ?? []), "0", `${value}\0${field}`]);
        await Promise.all(
          [...added].map(([index, members]) => ask("ZADD", key(indexOf(of, index)), ...members)),
        );
      }
    }

    await ask("UNLINK", ...FORMAT_2_KEYS.map(key));
    for (const of of [LINKS, KNOWN, VISITS]) await index(of);
    const numbers = new Map(
      pairsOf(await ask("ZRANGE", key("ban-numbers"), "0", "-1", "WITHSCORES")).map(([of, n]) => [
        of,
        Number(n),
      ]),
    );
    for await (const slice of fieldsOf("bans"))
      await records.transact(transaction => {
        // Fetches all of them in one call; they are changed one by one below.
        transaction.getMany(
          BANS,
          slice.map(([name]) => name),
        );
        for (const [name, text] of slice) {
          const entry = BANS.parse(`{"n":${numbers.get(name)},"ban":${text}}`);
          if (entry) transaction.put(BANS, name, entry);
        }
      });
    const [upTo, list] = (maybeText(await ask("GET", key("ban-head"))) ?? "").split(" ");
    const servers = new Map<string, string | undefined>();
    for (const name of ["", ...names])
      servers.set(name, maybeText(await ask("HGET", key(`${name && `world:${name}:`}meta`), "game-server")));
    await records.transact(transaction => {
      if (list !== undefined) transaction.put(BAN_HEAD, HEAD_KEY, { list, upTo: Number(upTo) });
      for (const [name, text] of servers) {
        const server = text === undefined ? undefined : CONNECTIONS.parse(text);
        if (server) transaction.put(CONNECTIONS, connectionKey(name), server);
      }
    });
    for await (const slice of fieldsOf(LINKS.name)) {
      const players = slice.flatMap(([, text]) => linkedUuid(LINKS.parse(text) ?? NO_LINK) ?? []);
      if (players.length > 0) await ask("UNLINK", ...players.map(uuid => key(`player:${uuid}`)));
    }
    await ask("UNLINK", ...OBSOLETE_KEYS.map(key));
  };

/** Migrates feed and plots from format 2 to format 3; the stream of the feed stays as it is. */
const migrateFormat2 =
  (names: readonly string[]) =>
  async (redis: MigratedRedis): Promise<void> => {
    const { ask, key } = redis;
    const records = createRedisRecords(redis, () => undefined);
    const obsolete = ["feed-web"];
    for (const name of ["", ...names]) {
      const serverKey = (what: string): string => (name === "" ? what : `world:${name}:${what}`);
      const put = async <R>(of: Collection<R>, texts: readonly (readonly [key: string, text: string])[]) => {
        for (let from = 0; from < texts.length; from += 200)
          await records.transact(transaction => {
            for (const [place, text] of texts.slice(from, from + 200)) {
              const record = of.parse(text);
              if (record !== undefined) transaction.put(of, place, record);
            }
          });
      };
      const presence = maybeText(await ask("HGET", key(serverKey("presence")), "told"));
      if (presence !== undefined) await put(PRESENCE, [[presenceKey(name), presence]]);
      const keys = textsOf(await ask("LRANGE", key(serverKey("feed-keys")), "0", "-1"));
      await put(
        REPORTED,
        keys.map(each => [reportedKey(name, each), each] as const),
      );
      const points = await fieldsOf(redis, serverKey("history"));
      await put(
        POINTS,
        points.map(
          ([slot, point]) => [pointKey(name, Number(slot)), `{"slot":${slot},"point":${point}}`] as const,
        ),
      );
      for (const span of LONG_SPANS) {
        const totals = await fieldsOf(redis, serverKey(`history:${span}`));
        await put(
          ROLLUPS,
          totals.map(([slot, text]) => [rollupKey(name, span, Number(slot)), `${slot} ${text}`] as const),
        );
      }
      const counted = maybeText(await ask("GET", key(serverKey("history:counted"))));
      if (counted !== undefined) await put(COUNTED, [[countedKey(name), counted]]);
      obsolete.push(
        ...["bus", "presence", "feed-keys", "feed-known", "history", "history:counted"].map(serverKey),
      );
      if (name !== "") obsolete.push(serverKey("snapshot"));
      obsolete.push(...LONG_SPANS.map(span => serverKey(`history:${span}`)));
    }
    await ask("UNLINK", ...obsolete.map(key));
  };

async function fieldsOf(redis: MigratedRedis, hash: string): Promise<[field: string, text: string][]> {
  const all = new Map<string, string>();
  for await (const slice of fieldsIn(redis, hash)) for (const [field, text] of slice) all.set(field, text);
  return [...all];
}

/**
 * Migrates Redis from an earlier format to the current one.
 * @param names those of the game servers beside the first
 */
export const migrateRedis =
  (names: readonly string[]): Migrate =>
  async (redis, from) => {
    if (from === "1") await migrateFormat1(names)(redis);
    await migrateFormat2(names)(redis);
  };
