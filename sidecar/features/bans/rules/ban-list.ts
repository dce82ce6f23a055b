import { ident } from "../../../../shared/actions.ts";
import { banKey } from "../../../../shared/bans.ts";
import { bool, count, type Infer, list, object, optional, text } from "../../../../shared/guard.ts";
import {
  AUTHOR_LENGTH,
  BAN_REASON_LENGTH,
  MAX_EARLIER_NAMES,
  NAME_LENGTH,
  PLAYER_ID_LENGTH,
  SERVER_NAME_LENGTH,
} from "../../../../shared/limits.ts";
import { foldName, isSameName } from "../../../../shared/names.ts";

/** Most entries of ended bans: they stay so that an earlier change does not bring the ban back. */
const MAX_LIFTED = 10_000;

/** An entry of the list as it is stored: one player, on one game server or on all. Times are in milliseconds since 1970. */
export const ban = object({
  /** most recent name; blank: unknown */
  name: text(NAME_LENGTH),
  names: optional(list(text(NAME_LENGTH, 1), MAX_EARLIER_NAMES)),
  uuid: optional(ident),
  persistentId: optional(text(PLAYER_ID_LENGTH, 1)),
  /** the game server, that of the first one blank; left out: all */
  on: optional(text(SERVER_NAME_LENGTH)),
  at: count,
  until: optional(count),
  reason: optional(text(2 * BAN_REASON_LENGTH, 1)),
  by: optional(text(AUTHOR_LENGTH, 1)),
  lifted: optional(bool),
  /** time of the decision by the game's clock, where that was ahead */
  toldAt: optional(count),
  /** the game server that reported it, the first one blank; left out: it was made on the website */
  from: optional(text(SERVER_NAME_LENGTH)),
  /** only the uuid says who this is, not the name; no game gets it */
  apart: optional(bool),
});
export type Ban = Infer<typeof ban>;

/** A player whom a ban may be about; `persistentId` blank or left out where it is not known. */
export interface BannedPlayer {
  name: string;
  uuid: string;
  persistentId?: string;
  /** earlier names, newest first */
  names?: string[];
}

/** The key of an entry: one for each player, or name, on each server. */
export const keyOf = (ban: Pick<Ban, "name" | "uuid" | "persistentId" | "on" | "apart">): string =>
  `${ban.on ?? "*"}${ban.apart ? `%${ban.uuid}` : banKey(ban)}`;

export const isActive = ({ lifted, until }: Ban, now: number): boolean =>
  !lifted && (until === undefined || now < until);

/** The list, where entries are found by their keys, by folded names, and by uuids, each in the order of their numbers. */
export interface BanList {
  get(key: string): Ban | undefined;
  named(name: string): readonly Ban[];
  /** Entries of players who had the name earlier. */
  hadName(name: string): readonly Ban[];
  of(uuid: string): readonly Ban[];
  all(): Iterable<Ban>;
  after(n: number): Iterable<{ n: number; ban: Ban }>;
  size(): number;
  /** Replaces the entry of this key, unless that has a larger number. */
  put(n: number, ban: Ban): void;
  /** Keys of the oldest entries of ended bans, if there are too many of them. */
  expired(now: number): string[];
  drop(key: string): void;
}

export type BanIndex = Pick<BanList, "get" | "named" | "hadName" | "of" | "all">;

export function createBanList(): BanList {
  const all = new Map<string, { n: number; ban: Ban }>();
  const names = new Map<string, Set<string>>();
  const earlier = new Map<string, Set<string>>();
  const uuids = new Map<string, Set<string>>();

  function index(places: Map<string, Set<string>>, by: string | undefined, key: string, isIn: boolean): void {
    if (by === undefined) return;
    const keys = places.get(by) ?? new Set();
    if (isIn) places.set(by, keys.add(key));
    else if (keys.delete(key) && keys.size === 0) places.delete(by);
  }
  function indexAll({ name, names: had = [], uuid }: Ban, key: string, isIn: boolean): void {
    index(names, foldName(name), key, isIn);
    for (const each of had) index(earlier, foldName(each), key, isIn);
    index(uuids, uuid, key, isIn);
  }
  function drop(key: string): void {
    const existing = all.get(key);
    if (existing === undefined) return;
    all.delete(key);
    indexAll(existing.ban, key, false);
  }
  const get = (key: string): Ban | undefined => all.get(key)?.ban;
  const found = (keys: Iterable<string> = []): Ban[] => [...keys].flatMap(key => get(key) ?? []);

  return {
    get,
    named: name => found(names.get(foldName(name))),
    hadName: name => found(earlier.get(foldName(name))),
    of: uuid => found(uuids.get(uuid)),
    all: function* (): Iterable<Ban> {
      for (const { ban } of all.values()) yield ban;
    },
    after: function* (n: number): Iterable<{ n: number; ban: Ban }> {
      for (const entry of all.values()) if (entry.n > n) yield entry;
    },
    size: () => all.size,
    put(n, ban) {
      const key = keyOf(ban);
      if ((all.get(key)?.n ?? 0) >= n) return;
      drop(key);
      all.set(key, { n, ban });
      indexAll(ban, key, true);
    },
    expired(now) {
      if (all.size <= MAX_LIFTED) return [];
      const over = [...all].filter(([, { ban }]) => !isActive(ban, now)).map(([key]) => key);
      return over.slice(0, Math.max(0, over.length - MAX_LIFTED));
    },
    drop,
  };
}

/** The list with changes that are decided together. */
export interface Draft extends BanIndex {
  put(ban: Ban): void;
  puts(): Ban[];
}

export function draftOf(list: BanIndex): Draft {
  const own = new Map<string, Ban>();
  const withOwn = (stored: readonly Ban[], isSo: (ban: Ban) => boolean): Ban[] => [
    ...stored.filter(ban => !own.has(keyOf(ban))),
    ...[...own.values()].filter(isSo),
  ];
  return {
    get: key => own.get(key) ?? list.get(key),
    named: name => withOwn(list.named(name), ban => isSameName(ban.name, name)),
    hadName: name =>
      withOwn(list.hadName(name), ban => ban.names?.some(each => isSameName(each, name)) === true),
    of: uuid => withOwn(list.of(uuid), ban => ban.uuid === uuid),
    all: function* () {
      for (const ban of list.all()) if (!own.has(keyOf(ban))) yield ban;
      yield* own.values();
    },
    put(ban) {
      own.delete(keyOf(ban));
      own.set(keyOf(ban), ban);
    },
    puts: () => [...own.values()],
  };
}
