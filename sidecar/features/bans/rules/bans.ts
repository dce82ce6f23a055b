import { ident } from "../../../../shared/actions.ts";
import { type BanChange, banKey, beats, ends } from "../../../../shared/bans.ts";
import { bool, type Infer, int, list, object, optional, text } from "../../../../shared/guard.ts";
import {
  BAN_REASON_LENGTH,
  BY_LENGTH,
  MAX_BANS,
  MAX_EARLIER_NAMES,
  NAME_LENGTH,
  PLAYER_ID_LENGTH,
  SERVER_LENGTH,
} from "../../../../shared/limits.ts";
import { earlierNames, folded, isSameName, renamed } from "../../../../shared/names.ts";

/** Entries that ban nobody any more, of which so many are kept: an earlier change must not bring them back. */
const MOST_OVER = 10_000;

const time = int(0, Number.MAX_SAFE_INTEGER);

/** The last moment that a `Date` can be, in milliseconds since 1970. */
const LAST = 8_640_000_000_000_000;
/** When a ban ends that is to end then. */
export const endOf = (until: number): number => Math.min(until, LAST);

/** An entry of the list as it is stored: one player, on one game server or on all. Times are in milliseconds since 1970. */
export const ban = object({
  /** the newest of the player; blank: nobody knows it */
  name: text(NAME_LENGTH),
  /** as in `BanChange` */
  names: optional(list(text(NAME_LENGTH, 1), MAX_EARLIER_NAMES)),
  uuid: optional(ident),
  /** as in `BanChange` */
  persistentId: optional(text(PLAYER_ID_LENGTH, 1)),
  /** the game server, that of the first one blank; left out: all */
  on: optional(text(SERVER_LENGTH)),
  at: time,
  until: optional(time),
  reason: optional(text(2 * BAN_REASON_LENGTH, 1)),
  by: optional(text(BY_LENGTH, 1)),
  lifted: optional(bool),
  /** when it was decided as the game told, whose clock was ahead */
  toldAt: optional(time),
  /** the game server that has told it, the first one blank; left out: it was asked for on the web */
  from: optional(text(SERVER_LENGTH)),
  /** the name says nothing of who this is, the uuid alone does; no game is told */
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

/** What is one entry of the list goes by this. */
export const keyOf = (ban: Pick<Ban, "name" | "uuid" | "persistentId" | "on" | "apart">): string =>
  `${ban.on ?? "*"}${ban.apart ? `%${ban.uuid}` : banKey(ban)}`;

/** Whether it bans anybody now. */
export const isHeld = ({ lifted, until }: Ban, now: number): boolean =>
  !lifted && (until === undefined || now < until);

const changeOf = (ban: Ban, everywhere: boolean): BanChange => {
  const { name, names, persistentId, at, lifted } = ban;
  return {
    name,
    at,
    ...(names && { names }),
    ...(persistentId !== undefined && { persistentId }),
    ...(lifted && { lifted }),
    everywhere,
  };
};

/** The list, where entries are found by their keys, by folded names, and by uuids, each in the order of their numbers. */
export type BanList = ReturnType<typeof createBanList>;
export type Bans = Pick<BanList, "get" | "named" | "had" | "of" | "all">;

export function createBanList() {
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
    index(names, folded(name), key, isIn);
    for (const each of had) index(earlier, folded(each), key, isIn);
    index(uuids, uuid, key, isIn);
  }
  function drop(key: string): void {
    const held = all.get(key);
    if (held === undefined) return;
    all.delete(key);
    indexAll(held.ban, key, false);
  }
  const get = (key: string): Ban | undefined => all.get(key)?.ban;
  const found = (keys: Iterable<string> = []): Ban[] => [...keys].flatMap(key => get(key) ?? []);

  return {
    get,
    named: (name: string): readonly Ban[] => found(names.get(folded(name))),
    /** Those of players who had the name earlier. */
    had: (name: string): readonly Ban[] => found(earlier.get(folded(name))),
    of: (uuid: string): readonly Ban[] => found(uuids.get(uuid)),
    all: function* (): Iterable<Ban> {
      for (const { ban } of all.values()) yield ban;
    },
    /** Entries with larger numbers than this, with them. */
    after: function* (n: number): Iterable<{ n: number; ban: Ban }> {
      for (const entry of all.values()) if (entry.n > n) yield entry;
    },
    size: (): number => all.size,
    /** Keeps an entry in the place of one that has its key and a lower number. */
    put(n: number, ban: Ban): void {
      const key = keyOf(ban);
      if ((all.get(key)?.n ?? 0) >= n) return;
      drop(key);
      all.set(key, { n, ban });
      indexAll(ban, key, true);
    },
    /** Keys of the oldest of those that ban nobody any more, where there are too many of them. */
    past(now: number): string[] {
      if (all.size <= MOST_OVER) return [];
      const over = [...all].filter(([, { ban }]) => !isHeld(ban, now)).map(([key]) => key);
      return over.slice(0, Math.max(0, over.length - MOST_OVER));
    },
    drop,
  };
}

/** The list with changes that are decided on together, which `puts` tells. */
export interface Draft extends Bans {
  put(ban: Ban): void;
  puts(): Ban[];
}

export function draftOf(list: Bans): Draft {
  const own = new Map<string, Ban>();
  const withOwn = (held: readonly Ban[], isSo: (ban: Ban) => boolean): Ban[] => [
    ...held.filter(ban => !own.has(keyOf(ban))),
    ...[...own.values()].filter(isSo),
  ];
  return {
    get: key => own.get(key) ?? list.get(key),
    named: name => withOwn(list.named(name), ban => isSameName(ban.name, name)),
    had: name => withOwn(list.had(name), ban => ban.names?.some(each => isSameName(each, name)) === true),
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
const isSame = (change: Ban, held: Ban): boolean =>
  (change.at === held.at || (change.toldAt !== undefined && change.toldAt === held.toldAt)) &&
  !change.lifted === !held.lifted;

/** Whether a change at the same moment bans for another reason or until another time. */
const isOther = (change: Ban, held: Ban): boolean =>
  change.reason !== held.reason || change.until !== held.until;

/** Whether an entry is by name alone, of whoever has it. */
export const isByName = ({ persistentId, apart }: Ban): boolean => persistentId === undefined && !apart;

/** Entries under any name that this one knows. */
const namedAs = (list: Bans, { name, names = [] }: Ban): Ban[] =>
  [name, ...names].flatMap(each => list.named(each));

/** Whether a change by name has been told before, and is of a player by now. */
const isBound = (list: Bans, { name, persistentId, on, at }: Ban): boolean =>
  persistentId === undefined &&
  [...list.named(name), ...list.had(name)].some(
    each => each.persistentId !== undefined && each.on === on && each.at === at,
  );

/** The ban by name that is held of which a change says who has the name. */
export const heldByName = (list: Bans, change: Ban): Ban | undefined =>
  change.lifted
    ? undefined
    : namedAs(list, change).find(
        each => isByName(each) && each.on === change.on && isSame({ ...change, toldAt: change.at }, each),
      );

/** Whether both may be about one player, as far as is known. */
const mayBeOne = (one: Ban, other: Ban): boolean =>
  one.uuid === undefined || other.uuid === undefined || one.uuid === other.uuid;

/**
 * Takes a change up, by the rules that both ends have: `kept`, or `same` where it is there already. One that came too late is
 * `late`. Where the list has another ban, that gets a new number, so that the pack that sent the change receives it.
 */
export function take(draft: Draft, change: Ban): "kept" | "same" | "late" {
  const held = draft.get(keyOf(change));
  if (held && isSame(change, held)) {
    if (isOther(change, held)) draft.put(held);
    return "same";
  }
  if (held && !beats(changeOf(change, true), changeOf(held, true))) {
    draft.put(held);
    return isBound(draft, change) ? "same" : "late";
  }
  draft.put(withEarlier(change, held));
  for (const other of namedAs(draft, change))
    if (other.on === change.on && !other.apart && !other.lifted && mayBeOne(change, other))
      if (ends(changeOf(change, true), changeOf(other, true))) draft.put(lift(other, change));
  const byName = draft.get(keyOf({ name: change.name, ...(change.on !== undefined && { on: change.on }) }));
  if (byName && !change.lifted && ends(changeOf(byName, true), changeOf(change, true)))
    draft.put(lift(change, byName));
  return "kept";
}

/** A change with the names that what is held of the same entry knows. */
function withEarlier(change: Ban, held: Ban | undefined): Ban {
  if (held === undefined) return change;
  const names = earlierNames(change.name, [...(change.names ?? []), held.name, ...(held.names ?? [])]);
  return names.length === 0 ? change : { ...change, names };
}

/** The entry as one that bans nobody, since then. */
export function lift(held: Ban, { at, by }: Pick<Ban, "at" | "by">): Ban {
  const { until: _until, reason: _reason, by: _by, toldAt: _told, ...who } = held;
  return { ...who, at, lifted: true, ...(by !== undefined && { by }) };
}

/** What a key or the game decides about a player. */
export type Decision = Pick<Ban, "until" | "reason" | "by">;

/** When a decision counts that has to win over what is there. */
const after = (now: number, ...held: (Ban | undefined)[]): number =>
  held.reduce((at, ban) => Math.max(at, (ban?.at ?? 0) + 1), now);

/** Bans a player on one game server, `on`, or on all; false: there are too many. */
export function add(
  draft: Draft,
  player: Pick<BannedPlayer, "name" | "names"> & {
    uuid?: string | undefined;
    persistentId?: string | undefined;
  },
  { on, now, decision }: { on: string | undefined; now: number; decision: Decision },
): boolean {
  const { name, names = [], uuid, persistentId } = player;
  const where = on === undefined ? {} : { on };
  const known = {
    ...{ name, ...where },
    ...(names.length > 0 && { names }),
    ...(uuid !== undefined && { uuid }),
  };
  const byName = draft.get(keyOf({ name, ...where }));
  // Somebody else is banned by that name.
  const isTaken = byName && isHeld(byName, now) && !mayBeOne({ ...byName, ...known }, byName);
  const apart = !persistentId && uuid !== undefined && (name === "" || isTaken === true);
  const who = { ...known, ...(persistentId && { persistentId }), ...(apart && { apart }) };
  const before = [draft.get(keyOf(who)), ...(uuid === undefined ? [] : draft.of(uuid))].filter(
    each => each?.on === on,
  );
  const isAnother = !before.some(each => each && isHeld(each, now));
  if (isAnother && heldIn(draft, now, undefined) >= MAX_BANS) return false;
  const at = after(now, byName, ...before);
  take(draft, { ...who, ...decision, at });
  for (const each of before)
    if (each && !each.lifted && keyOf(each) !== keyOf(who)) draft.put(lift(each, { at }));
  return true;
}

/** Of what was told by one game server, or asked for on the web. */
function heldIn(list: Bans, now: number, from: string | undefined): number {
  let held = 0;
  for (const each of list.all()) if (each.from === from && isHeld(each, now)) held++;
  return held;
}

/** Lifts these entries. */
export function remove(draft: Draft, bans: readonly Ban[], { now, by }: { now: number; by: string }): void {
  for (const each of bans) take(draft, lift(each, { at: after(now, each), by }));
}

/** Whom a list names. */
export type BanTarget = { name: string } | { uuid: string };

/** What is listed of somebody, of one game server's own or of all: by an earlier name where nobody is listed by that name now. */
export function listedOf(
  list: Bans,
  who: BanTarget,
  { now, on }: { now: number; on?: string | undefined },
): Ban[] {
  const isListed = (each: Ban): boolean => isHeld(each, now) && (on === undefined || each.on === on);
  if ("uuid" in who) return list.of(who.uuid).filter(isListed);
  const named = list.named(who.name).filter(isListed);
  return named.length > 0 ? named : list.had(who.name).filter(isListed);
}

/** What holds on a game server, or anywhere, by code unit of the names. */
export const listed = (list: Bans, { now, on }: { now: number; on?: string | undefined }): Ban[] =>
  [...list.all()]
    .filter(each => isHeld(each, now) && (on === undefined || each.on === undefined || each.on === on))
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));

/** What a game server has decided, or has from an earlier list; `most`: how many bans it may have decided, whatever others have. */
export function taken(
  draft: Draft,
  change: Ban,
  { now, isAgain, most }: { now: number; isAgain: boolean; most: number },
): "kept" | "same" | "late" | "full" {
  const { at } = change;
  const own = at > now ? { ...change, at: now, toldAt: at } : change;
  const isAnother = !own.lifted && draft.get(keyOf(own))?.from !== own.from;
  if (isAnother && heldIn(draft, now, own.from) >= most) return "full";
  const [other] = isAgain ? namedAs(draft, own).filter(each => isByName(each) && !mayBeOne(own, each)) : [];
  // The game has taken somebody else for the one who is banned: another one has the name now.
  if (other && other.on === own.on && other.at === own.at && isHeld(other, now)) {
    setApart(draft, other);
    return take(draft, lift(own, other));
  }
  const outcome = take(draft, own);
  const held = draft.get(keyOf(own));
  // Decided before, of a player who has come back with another name.
  if (outcome === "same" && !isAgain && held?.persistentId !== undefined && held.name !== own.name)
    draft.put(renamed(held, own.name));
  return outcome;
}

/** The name says nothing any more of who is banned. */
export function setApart(draft: Draft, held: Ban): void {
  draft.put(lift(held, held));
  draft.put({ ...held, apart: true });
}

/** What a game server is told of an entry: nothing of one that is none of its own, or that says no more than a uuid. */
export function told(held: Ban, own: string): [BanChange] | [] {
  const { uuid: _uuid, on, toldAt: _told, from: _from, apart, ...change } = held;
  if (apart || change.name === "" || (on !== undefined && on !== own)) return [];
  return [{ ...change, ...(on === undefined && { everywhere: true }) }];
}
