import { BAN_HEAD, BANS, HEAD_KEY } from "../features/bans/records.ts";
import { KNOWN, STAYS } from "../features/known-players/records.ts";
import { LINKS } from "../features/linking/records.ts";
import { linkedUuid, NO_LINK, parseRecord } from "../features/linking/rules/links.ts";
import { GAME_SERVERS, gameServerKey } from "../features/servers/records.ts";
import type { Collection } from "../kernel/storage/collection.ts";
import { createRedisRecords, indexOf } from "../kernel/storage/redis/records.ts";
import type { Migrate } from "../kernel/storage/redis/registry.ts";
import { listOf, maybeText, pairsOf, textOf } from "../kernel/storage/redis/reply.ts";
import { valuesOf } from "../kernel/storage/transaction.ts";

// What sidecars up to 0.1.0 have stored in Redis, in format 1: most records as now, with indexes of their own.

/** Keys of format 1 that nothing is read from any more. */
const GONE = [
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

/** What is made of it. Of a time that was broken off some may be there, and a sidecar of format 1 may have run since. */
const MADE = [
  ...[BANS, BAN_HEAD, GAME_SERVERS].map(({ name }) => name),
  ...[LINKS, KNOWN, STAYS, BANS].flatMap(of => of.indexes.map(index => indexOf(of, index))),
];

/**
 * Brings what format 1 has stored to format 2. Broken off, it may be done again.
 * @param names those of the game servers beside the first
 */
export const migrateFormat1 =
  (names: readonly string[]): Migrate =>
  async redis => {
    const { ask, key } = redis;
    const records = createRedisRecords(redis, () => undefined);

    async function* fieldsOf(hash: string): AsyncIterable<[field: string, text: string][]> {
      let from = "0";
      do {
        const [next, fields] = listOf(await ask("HSCAN", key(hash), from, "COUNT", "200"));
        yield pairsOf(fields);
        from = textOf(next);
      } while (from !== "0");
    }

    /** Finds the records of a collection, which stay as they are, by their indexes. */
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

    await ask("UNLINK", ...MADE.map(key));
    for (const of of [LINKS, KNOWN, STAYS]) await index(of);
    const numbers = new Map(
      pairsOf(await ask("ZRANGE", key("ban-numbers"), "0", "-1", "WITHSCORES")).map(([of, n]) => [
        of,
        Number(n),
      ]),
    );
    for await (const slice of fieldsOf("bans"))
      await records.transact(transaction => {
        // Read at once what is changed.
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
        const server = text === undefined ? undefined : GAME_SERVERS.parse(text);
        if (server) transaction.put(GAME_SERVERS, gameServerKey(name), server);
      }
    });
    for await (const slice of fieldsOf(LINKS.name)) {
      const players = slice.flatMap(([, text]) => linkedUuid(parseRecord(text) ?? NO_LINK) ?? []);
      if (players.length > 0) await ask("UNLINK", ...players.map(uuid => key(`player:${uuid}`)));
    }
    await ask("UNLINK", ...GONE.map(key));
  };
