import { checkJson } from "../../../../shared/guard.ts";
import { folded } from "../../../../shared/names.ts";
import { MOST_STAYS } from "../../../../shared/public/known.ts";
import {
  compare,
  KNOWN_SORTS,
  type KnownSort,
  keyOf,
  lowered,
  type Place,
  playerOf,
  standingOf,
} from "../../../features/known-players/rules/known-list.ts";
import { BEHIND_ALL, sortable, unitsOf } from "../../../features/known-players/rules/known-names.ts";
import {
  foldedNames,
  hasHad,
  isPresent,
  type KnownRecord,
  knownRecord,
  newestFirst,
  type Stay,
} from "../../../features/known-players/rules/known-players.ts";
import { createDamage } from "../files/damage.ts";
import type { KnownChange, KnownQuery, KnownStore } from "../ports/known.ts";
import type { Log } from "../ports.ts";
import { untilAgreed } from "./agree.ts";
import type { Connection } from "./connection.ts";
import { readFields } from "./fields.ts";
import foldedKnown from "./lua/folded-known.lua";
import keepKnown from "./lua/keep-known.lua";
import namedKnown from "./lua/named-known.lua";
import pageKnown from "./lua/page-known.lua";
import tidyKnown from "./lua/tidy-known.lua";
import { listOf, numberOf, pairsOf, textOf, textsOf } from "./reply.ts";
import { knownScript, script } from "./script.ts";

const KEEP = knownScript(keepKnown);
/** What the game has told takes the place of what it was asked, and there is a most of it. */
const KEEP_TOLD = knownScript(keepKnown, { mayOverfill: true });
const TIDY = knownScript(tidyKnown, { mayOverfill: true });
const IS_FOLDED = script(foldedKnown, { mayOverfill: true });
const PAGE = script(pageKnown, { mayOverfill: true });
const NAMED = script(namedKnown, { mayOverfill: true });

/** Players who are changed in one step at most, and who are erased in one. */
const MOST_AT_ONCE = 100;
const MOST_ERASED = 100;
/** Players who are read at once where all are gone through, more or less. */
const MOST_IN_SLICE = 200;
/** Where names of more players begin so, a page is looked for in the order of all names. */
const MOST_SORTED = 1_000;

const RECORDS = "known";
const PRESENT = "known-present";
const BY_NAME = "known-by-name";
const BY_LOWERED = "known-by-lowered";
const STAYS = "known-stays";
const FOLDED = "known-folded";
const BY_FOLDED = "known-by-folded";
/** That all names are folded, and in which version. */
const MARK = "known-names-folded";
const FOLD_VERSION = 1;
type Counted = Exclude<KnownSort, "name">;
const COUNTED = KNOWN_SORTS.filter((sort): sort is Counted => sort !== "name");
const orderOf = (sort: Counted): string => `known-by-${sort}`;
const ALL = [
  ...[RECORDS, PRESENT, "known-unlisted", "known-names", BY_NAME, BY_LOWERED, STAYS, "known-oldest-stay"],
  ...[FOLDED, BY_FOLDED],
  ...COUNTED.map(orderOf),
];

const STAYS_TEXT = /^\d+-\d+(?:,\d+-\d+)*$/;
const textOfStays = (stays: readonly Stay[]): string => stays.map(({ from, to }) => `${from}-${to}`).join();

/** A player of a page: by the key as it is stored, with the record as text. */
interface Placed {
  uuid: string;
  key: string;
  text: string;
}
const placedIn = (reply: unknown): Placed[] => {
  const texts = textsOf(reply);
  return Array.from({ length: texts.length / 3 }, (_, i) => {
    const [uuid = "", key = "", text = ""] = texts.slice(3 * i);
    return { uuid, key, text };
  });
};

/** Where a page goes on, by the key as it is stored. */
type From = Pick<Placed, "uuid" | "key"> | undefined;
const fromOf = ({ key, uuid }: Place): From => ({
  uuid,
  key: typeof key === "string" ? sortable(key) : `${key}`,
});

const foldedTextOf = (record: KnownRecord): string =>
  foldedNames(record)
    .map(each => `${sortable(each)}\0`)
    .join("");

/** Known players in Redis, and what folds the names of those whom an earlier build has stored. */
export type RedisKnown = KnownStore & { fold: () => Promise<void> };

/** Who has been here, in Redis: each change is decided on here, and stored there if nobody has changed the record meanwhile. */
export function createRedisKnown(redis: Connection, log: Pick<Log, "warn">): RedisKnown {
  const damaged = createDamage(log, {});

  function parse(uuid: string, text: string): KnownRecord | undefined {
    if (text === "") return undefined;
    const read = checkJson(knownRecord, text);
    if ("value" in read) return read.value;
    damaged(uuid, "what is known of a player is damaged and counts as none");
    return undefined;
  }
  const playersOf = (texts: Iterable<readonly [string, string]>): [string, KnownRecord][] =>
    [...texts].flatMap(([uuid, text]) => {
      const record = parse(uuid, text);
      return record ? [[uuid, record]] : [];
    });

  /** What the script gets to hear of a player. */
  function valuesOf(uuid: string, before: string, change: KnownChange): (string | number)[] {
    const { record, ended = [], forgets } = change;
    const { name } = record ?? { name: "" };
    const player = record && playerOf(uuid, record, false);
    return [
      ...[uuid, before, record ? JSON.stringify(record) : "", record ? standingOf(record) : ""],
      ...[sortable(name), sortable(lowered(name)), forgets ? "forgets" : "", textOfStays(ended)],
      record ? foldedTextOf(record) : "",
      ...COUNTED.map(sort => (player ? keyOf(player, sort) : "")),
    ];
  }

  const bounds = (prefix: string): [string, string] => [
    `[${sortable(prefix)}`,
    `(${sortable(prefix)}${BEHIND_ALL}`,
  ];
  const countNamed = async (prefix: string): Promise<number> =>
    numberOf(await redis.ask("ZLEXCOUNT", redis.key(BY_LOWERED), ...bounds(prefix)));

  /** Those whose names begin so, where they are few. */
  async function few(prefix: string, from: From, most: number): Promise<Placed[]> {
    const members = textsOf(await redis.ask("ZRANGEBYLEX", redis.key(BY_LOWERED), ...bounds(prefix)));
    const places = members
      .map(member => {
        const [, key = "", uuid = ""] = member.split("\0");
        return { key, uuid };
      })
      .filter(place => from === undefined || compare(place, from) > 0)
      .sort(compare)
      .slice(0, most);
    const texts = await readFields(
      redis,
      RECORDS,
      places.map(({ uuid }) => uuid),
    );
    return places.map(place => ({ ...place, text: texts.get(place.uuid) ?? "" }));
  }

  /** Those behind a place in the order of names, from one bound to the other, whose names begin so. */
  async function named(from: From, [first, end]: readonly [string, string], prefix: string, most: number) {
    const behind = from && `(${from.key}\0${from.uuid}\0\u0001`;
    const isPast = behind !== undefined && behind.slice(1) > first.slice(1);
    return placedIn(await redis.run(NAMED, [RECORDS, BY_NAME], [isPast ? behind : first, end, prefix, most]));
  }

  async function look({ sort, prefix = "" }: KnownQuery, from: From, most: number): Promise<Placed[]> {
    if (sort !== "name")
      return placedIn(
        await redis.run(PAGE, [RECORDS, orderOf(sort)], [from?.key ?? "", from?.uuid ?? "", most]),
      );
    if (prefix === "") return named(from, ["-", "+"], "", most);
    if ((await countNamed(prefix)) <= MOST_SORTED) return few(prefix, from, most);
    const found: Placed[] = [];
    for (const unit of unitsOf(prefix))
      if (found.length < most)
        found.push(...(await named(from, bounds(unit), sortable(prefix), most - found.length)));
    return found;
  }

  async function* all(): AsyncIterable<[string, KnownRecord][]> {
    // Redis may tell of one twice.
    const told = new Set<string>();
    let from = "0";
    do {
      const scanned = await redis.ask("HSCAN", redis.key(RECORDS), from, "COUNT", `${MOST_IN_SLICE}`);
      const [next, fields] = listOf(scanned);
      const slice = [...new Map(pairsOf(fields))].filter(([uuid]) => !told.has(uuid));
      for (const [uuid] of slice) told.add(uuid);
      yield playersOf(slice);
      from = textOf(next);
    } while (from !== "0");
  }

  const change: KnownStore["change"] = async (uuids, decide, { most, turn }) => {
    for (let at = 0; at < uuids.length; at += MOST_AT_ONCE) {
      let texts = await readFields(redis, RECORDS, uuids.slice(at, at + MOST_AT_ONCE));
      await untilAgreed("who has been here", async () => {
        const values = [...texts].flatMap(([uuid, text]) => {
          const change = decide(uuid, parse(uuid, text));
          return change ? valuesOf(uuid, text, change) : [];
        });
        if (values.length === 0) return { answer: undefined };
        const bounds = [most, MOST_ERASED, MOST_STAYS];
        const others = await redis.run(turn ? KEEP_TOLD : KEEP, ALL, [...bounds, ...values], turn);
        texts = new Map(pairsOf(others));
        return texts.size === 0 ? { answer: undefined } : undefined;
      });
    }
  };

  const isFolded = async (step: "asks" | "ended"): Promise<boolean> =>
    (await redis.run(IS_FOLDED, [RECORDS, FOLDED, MARK], [FOLD_VERSION, step])) === 1;

  /** Folds the names of players whom an earlier build has stored or renamed. */
  async function foldAll(): Promise<void> {
    if (await isFolded("asks")) return;
    for await (const slice of all()) {
      const held = await readFields(
        redis,
        FOLDED,
        slice.map(([uuid]) => uuid),
      );
      const uuids = slice.flatMap(([uuid, record]) =>
        held.get(uuid) === foldedTextOf(record) ? [] : [uuid],
      );
      await change(uuids, (_, record) => record && { record }, { most: Number.MAX_SAFE_INTEGER });
    }
    await isFolded("ended");
  }

  /** one pass for all who wait for it */
  let folding: Promise<void> | undefined;
  const fold = (): Promise<void> => {
    folding ??= foldAll().finally(() => {
      folding = undefined;
    });
    return folding;
  };

  return {
    read: async uuids => new Map(playersOf(await readFields(redis, RECORDS, uuids))),
    async present() {
      const uuids = textsOf(await redis.ask("HKEYS", redis.key(PRESENT)));
      // Who has left between the one and the other is there no more.
      return new Map(
        playersOf(await readFields(redis, RECORDS, uuids)).filter(([, record]) => isPresent(record)),
      );
    },
    change,
    fold,
    async named(name) {
      await fold();
      const from = `${sortable(folded(name))}\0`;
      const found = await redis.ask("ZRANGEBYLEX", redis.key(BY_FOLDED), `[${from}`, `(${from}${BEHIND_ALL}`);
      const uuids = textsOf(found).map(member => member.slice(member.indexOf("\0") + 1));
      return playersOf(await readFields(redis, RECORDS, uuids)).filter(([, record]) => hasHad(record, name));
    },
    async page(query) {
      const { after, limit } = query;
      const found: [string, KnownRecord][] = [];
      let from = after && fromOf(after);
      // Behind those that are damaged stand others.
      for (let isMore = true; isMore && found.length < limit; ) {
        const left = limit - found.length;
        const placed = await look(query, from, left);
        found.push(...playersOf(placed.map(({ uuid, text }) => [uuid, text])));
        from = placed.at(-1);
        isMore = placed.length === left;
      }
      return found;
    },
    all,
    count: async (prefix = "") =>
      prefix === "" ? numberOf(await redis.ask("ZCARD", redis.key(BY_NAME))) : countNamed(prefix),
    async stays(uuid, limit) {
      const text = (await readFields(redis, STAYS, [uuid])).get(uuid) ?? "";
      if (text !== "" && !STAYS_TEXT.test(text)) {
        damaged(`stays of ${uuid}`, "visits of a player are damaged and count as none");
        return [];
      }
      const stays = [...text.matchAll(/(\d+)-(\d+)/g)].map(([, from, to]) => ({
        from: Number(from),
        to: Number(to),
      }));
      return newestFirst(stays).slice(0, limit);
    },
    tidy: async ({ unseenSince, endedBefore }) =>
      (await redis.run(TIDY, ALL, [MOST_ERASED, -unseenSince, endedBefore, MOST_STAYS])) === 1,
    clear: async () => void (await redis.ask("UNLINK", ...[...ALL, MARK].map(redis.key))),
    close: async () => undefined,
  };
}
