import { ident } from "../../shared/actions.ts";
import { type BanChange, banKey, beats, ends } from "../../shared/bans.ts";
import { bool, type Infer, int, object, optional, text } from "../../shared/guard.ts";
import {
  BAN_REASON_LENGTH,
  BY_LENGTH,
  MAX_BANS,
  NAME_LENGTH,
  PLAYER_ID_LENGTH,
  SERVER_LENGTH,
} from "../../shared/limits.ts";

/** Entries that ban nobody any more, of which so many are kept: an earlier change must not bring them back. */
const MOST_OVER = 10_000;
/** Game servers ban on past what may be asked for on the web: one that does so without end fills no storage. */
const MOST_HELD = 2 * MAX_BANS;

const time = int(0, Number.MAX_SAFE_INTEGER);

/** The last moment that a `Date` can be, in milliseconds since 1970. */
const LAST = 8_640_000_000_000_000;
/** When a ban ends that is to end then. */
export const endOf = (until: number): number => Math.min(until, LAST);

/** An entry of the list as it is stored: one player, on one game server or on all. Times are in milliseconds since 1970. */
export const ban = object({
  /** of the player, when this was decided; blank: nobody knows it */
  name: text(NAME_LENGTH),
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
  /** the name says nothing of who this is, the uuid alone does; no game is told */
  apart: optional(bool),
});
export type Ban = Infer<typeof ban>;

/** A player whom a ban may be about; `persistentId` blank or left out where it is not known. */
export interface Banned {
  name: string;
  uuid: string;
  persistentId?: string;
}

/** What is one entry of the list goes by this. */
export const keyOf = (ban: Pick<Ban, "name" | "uuid" | "persistentId" | "on" | "apart">): string =>
  `${ban.on ?? "*"}${ban.apart ? `%${ban.uuid}` : banKey(ban)}`;

/** Whether it bans anybody now. */
export const isHeld = ({ lifted, until }: Ban, now: number): boolean =>
  !lifted && (until === undefined || now < until);

const folded = (name: string): string => name.toLowerCase();
const changeOf = (ban: Ban, everywhere: boolean): BanChange => {
  const { name, persistentId, at, lifted } = ban;
  return {
    name,
    at,
    ...(persistentId !== undefined && { persistentId }),
    ...(lifted && { lifted }),
    everywhere,
  };
};

/** The list, where entries are found by their keys, by names without case, and by uuids, each in the order of their numbers. */
export type BanList = ReturnType<typeof createBanList>;
export type Bans = Pick<BanList, "get" | "named" | "of" | "all">;

export function createBanList() {
  const all = new Map<string, { n: number; ban: Ban }>();
  const names = new Map<string, Set<string>>();
  const uuids = new Map<string, Set<string>>();

  function index(places: Map<string, Set<string>>, by: string | undefined, key: string, isIn: boolean): void {
    if (by === undefined) return;
    const keys = places.get(by) ?? new Set();
    if (isIn) places.set(by, keys.add(key));
    else if (keys.delete(key) && keys.size === 0) places.delete(by);
  }
  function indexAll({ name, uuid }: Ban, key: string, isIn: boolean): void {
    index(names, folded(name), key, isIn);
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
    named: name => withOwn(list.named(name), ban => folded(ban.name) === folded(name)),
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

/** Whether an entry is by name alone, of whoever has it. */
const isByName = ({ persistentId, apart }: Ban): boolean => persistentId === undefined && !apart;

/** Whether a change by name has been told before, and is of a player by now. */
const isBound = (list: Bans, { name, persistentId, on, at }: Ban): boolean =>
  persistentId === undefined &&
  list.named(name).some(each => each.persistentId !== undefined && each.on === on && each.at === at);

/** Whether both may be about one player, as far as is known. */
const mayBeOne = (one: Ban, other: Ban): boolean =>
  one.uuid === undefined || other.uuid === undefined || one.uuid === other.uuid;

/**
 * Takes a change up, by the rules that both ends have: `kept`, or `same` where it is there already. One that came too late is
 * `late`: what is held gets another number, so that whoever made the change hears of that.
 */
export function take(draft: Draft, change: Ban): "kept" | "same" | "late" {
  const held = draft.get(keyOf(change));
  if (held && isSame(change, held)) return "same";
  if (held && !beats(changeOf(change, true), changeOf(held, true))) {
    draft.put(held);
    return isBound(draft, change) ? "same" : "late";
  }
  draft.put(change);
  for (const other of draft.named(change.name))
    if (other.on === change.on && !other.apart && !other.lifted && mayBeOne(change, other))
      if (ends(changeOf(change, true), changeOf(other, true))) draft.put(lift(other, change));
  const byName = draft.get(keyOf({ name: change.name, ...(change.on !== undefined && { on: change.on }) }));
  if (byName && !change.lifted && ends(changeOf(byName, true), changeOf(change, true)))
    draft.put(lift(change, byName));
  return "kept";
}

/** The entry as one that bans nobody, since then. */
function lift(held: Ban, { at, by }: Pick<Ban, "at" | "by">): Ban {
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
  player: { name: string; uuid?: string | undefined; persistentId?: string | undefined },
  { on, now, decision }: { on: string | undefined; now: number; decision: Decision },
): boolean {
  const { name, uuid, persistentId } = player;
  const where = on === undefined ? {} : { on };
  const known = { name, ...(uuid !== undefined && { uuid }), ...where };
  const byName = draft.get(keyOf({ name, ...where }));
  // Somebody else is banned by that name.
  const isTaken = byName && isHeld(byName, now) && !mayBeOne({ ...byName, ...known }, byName);
  const apart = !persistentId && uuid !== undefined && (name === "" || isTaken === true);
  const who = { ...known, ...(persistentId && { persistentId }), ...(apart && { apart }) };
  const before = [draft.get(keyOf(who)), ...(uuid === undefined ? [] : draft.of(uuid))].filter(
    each => each?.on === on,
  );
  const isAnother = !before.some(each => each && isHeld(each, now));
  if (isAnother && heldIn(draft, now) >= MAX_BANS) return false;
  const at = after(now, byName, ...before);
  take(draft, { ...who, ...decision, at });
  for (const each of before)
    if (each && !each.lifted && keyOf(each) !== keyOf(who)) draft.put(lift(each, { at }));
  return true;
}

function heldIn(list: Bans, now: number): number {
  let held = 0;
  for (const each of list.all()) if (isHeld(each, now)) held++;
  return held;
}

/** Lifts these entries. */
export function remove(draft: Draft, bans: readonly Ban[], { now, by }: { now: number; by: string }): void {
  for (const each of bans) take(draft, lift(each, { at: after(now, each), by }));
}

/** Whom a list names. */
export type Named = { name: string } | { uuid: string };

/** What is listed of somebody, of one game server's own or of all. */
export const listedOf = (
  list: Bans,
  who: Named,
  { now, on }: { now: number; on?: string | undefined },
): Ban[] =>
  ("uuid" in who ? list.of(who.uuid) : list.named(who.name)).filter(
    each => isHeld(each, now) && (on === undefined || each.on === on),
  );

/** What holds on a game server, or anywhere, by code unit of the names. */
export const listed = (list: Bans, { now, on }: { now: number; on?: string | undefined }): Ban[] =>
  [...list.all()]
    .filter(each => isHeld(each, now) && (on === undefined || each.on === undefined || each.on === on))
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));

/** What a game server has decided, or has from the list of before. */
export function taken(
  draft: Draft,
  change: Ban,
  { now, isAgain }: { now: number; isAgain: boolean },
): "kept" | "same" | "late" | "full" {
  const { at } = change;
  const own = at > now ? { ...change, at: now, toldAt: at } : change;
  if (!own.lifted && draft.get(keyOf(own)) === undefined && heldIn(draft, now) >= MOST_HELD) return "full";
  const [other] = isAgain ? draft.named(own.name).filter(each => isByName(each) && !mayBeOne(own, each)) : [];
  // The game has taken somebody else for the one who is banned: another one has the name now.
  if (other && other.on === own.on && other.at === own.at && isHeld(other, now)) {
    setApart(draft, other);
    return take(draft, lift(own, other));
  }
  return take(draft, own);
}

/** The name says nothing any more of who is banned. */
function setApart(draft: Draft, held: Ban): void {
  draft.put(lift(held, held));
  draft.put({ ...held, apart: true });
}

/** Entries that are about a player on a game server, `on`, of whom this is known now; by name where nobody knows whose it is. */
function about(list: Bans, player: Banned, on: string): Ban[] {
  const { name, uuid, persistentId = "" } = player;
  const keys = [undefined, on].flatMap(on => {
    const where = on === undefined ? {} : { on };
    return [
      ...(persistentId === "" ? [] : [keyOf({ name, persistentId, ...where })]),
      ...(name === "" ? [] : [keyOf({ name, ...where })]),
    ];
  });
  const found = keys.flatMap(key => list.get(key) ?? []);
  const byUuid = list.of(uuid).filter(each => each.on === undefined || each.on === on);
  return [...new Set([...found, ...byUuid])];
}

/** Whether an entry is about somebody else of that name. Without a persistent id nothing but the name tells who somebody is. */
const isOfAnother = ({ uuid }: Ban, { uuid: own, persistentId = "" }: Banned): boolean =>
  uuid !== undefined && uuid !== own && persistentId !== "";

/** Whether a player is banned on a game server. */
export const isBanned = (list: Bans, player: Banned, { on, now }: { on: string; now: number }): boolean =>
  about(list, player, on).some(each => isHeld(each, now) && !(isByName(each) && isOfAnother(each, player)));

/** Whether anybody of this name is banned on a game server. */
export const isNameBanned = (list: Bans, name: string, { on, now }: { on: string; now: number }): boolean =>
  list.named(name).some(each => isHeld(each, now) && (each.on === undefined || each.on === on));

/** A player comes to a game server: what is known now of whom its entries are about. */
export function sight(draft: Draft, player: Banned, { on, now }: { on: string; now: number }): void {
  const { persistentId = "", uuid, name } = player;
  for (const each of about(draft, player, on).filter(
    each => each.persistentId === undefined && isHeld(each, now),
  )) {
    if (isOfAnother(each, player)) setApart(draft, each);
    else if (persistentId !== "") {
      const { apart: _apart, toldAt: _told, ...known } = each;
      if (each.apart) draft.put(lift(each, each));
      take(draft, { ...known, name: each.apart ? name : each.name, uuid, persistentId });
    } else if (each.uuid === undefined) draft.put({ ...each, uuid });
  }
}

/** What a game server is told of an entry: nothing of one that is none of its own, or that says no more than a uuid. */
export function told(held: Ban, own: string): [BanChange] | [] {
  const { uuid: _uuid, on, toldAt: _told, apart, ...change } = held;
  if (apart || change.name === "" || (on !== undefined && on !== own)) return [];
  return [{ ...change, ...(on === undefined && { everywhere: true }) }];
}
