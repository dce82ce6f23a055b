import { type BanChange, endsBan, replaces } from "../../../../shared/bans.ts";
import { MAX_BANS } from "../../../../shared/limits.ts";
import { earlierNames, renamed } from "../../../../shared/names.ts";
import { type Ban, type BanIndex, type BannedPlayer, type Draft, isActive, keyOf } from "./ban-list.ts";

/** The last moment that a `Date` can be, in milliseconds since 1970. */
const LAST = 8_640_000_000_000_000;
export const endOf = (until: number): number => Math.min(until, LAST);

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

const isSame = (change: Ban, existing: Ban): boolean =>
  (change.at === existing.at || (change.toldAt !== undefined && change.toldAt === existing.toldAt)) &&
  !change.lifted === !existing.lifted;

/** Whether a change at the same time has another reason or end. */
const isOther = (change: Ban, existing: Ban): boolean =>
  change.reason !== existing.reason || change.until !== existing.until;

/** Whether an entry bans a name, of any player. */
export const isByName = ({ persistentId, apart }: Ban): boolean => persistentId === undefined && !apart;

/** Entries of players with this name, now or earlier. */
const namedAs = (list: BanIndex, { name, names = [] }: Ban): Ban[] =>
  [name, ...names].flatMap(each => list.named(each));

/** Whether a change by name was taken up before, and is bound to a player by now. */
const isBound = (list: BanIndex, { name, persistentId, on, at }: Ban): boolean =>
  persistentId === undefined &&
  [...list.named(name), ...list.hadName(name)].some(
    each => each.persistentId !== undefined && each.on === on && each.at === at,
  );

/** The ban by name that a change, which knows the player, was made from. */
export const matchingNameBan = (list: BanIndex, change: Ban): Ban | undefined =>
  change.lifted
    ? undefined
    : namedAs(list, change).find(
        each => isByName(each) && each.on === change.on && isSame({ ...change, toldAt: change.at }, each),
      );

const mayBeSame = (one: Ban, other: Ban): boolean =>
  one.uuid === undefined || other.uuid === undefined || one.uuid === other.uuid;

/**
 * Applies a change by the rules shared with the pack: `kept`, `same` if the list already has it, or `late` if the list has a newer
 * one. An entry that stays gets a new number, so that the pack that sent the change receives it.
 */
export function applyChange(draft: Draft, change: Ban): "kept" | "same" | "late" {
  const existing = draft.get(keyOf(change));
  if (existing && isSame(change, existing)) {
    if (isOther(change, existing)) draft.put(existing);
    return "same";
  }
  if (existing && !replaces(changeOf(change, true), changeOf(existing, true))) {
    draft.put(existing);
    return isBound(draft, change) ? "same" : "late";
  }
  draft.put(withEarlier(change, existing));
  for (const other of namedAs(draft, change))
    if (other.on === change.on && !other.apart && !other.lifted && mayBeSame(change, other))
      if (endsBan(changeOf(change, true), changeOf(other, true))) draft.put(lift(other, change));
  const byName = draft.get(keyOf({ name: change.name, ...(change.on !== undefined && { on: change.on }) }));
  if (byName && !change.lifted && endsBan(changeOf(byName, true), changeOf(change, true)))
    draft.put(lift(change, byName));
  return "kept";
}

/** A change with the earlier names of its entry. */
function withEarlier(change: Ban, existing: Ban | undefined): Ban {
  if (existing === undefined) return change;
  const names = earlierNames(change.name, [
    ...(change.names ?? []),
    existing.name,
    ...(existing.names ?? []),
  ]);
  return names.length === 0 ? change : { ...change, names };
}

/** The entry, lifted. */
export function lift(existing: Ban, { at, by }: Pick<Ban, "at" | "by">): Ban {
  const { until: _until, reason: _reason, by: _by, toldAt: _told, ...who } = existing;
  return { ...who, at, lifted: true, ...(by !== undefined && { by }) };
}

type BanDecision = Pick<Ban, "until" | "reason" | "by">;

/** Time of a decision, which has to be later than those that it replaces. */
const after = (now: number, ...existing: (Ban | undefined)[]): number =>
  existing.reduce((at, ban) => Math.max(at, (ban?.at ?? 0) + 1), now);

/** Bans a player on one game server, `on`, or on all. Returns the entry; undefined: there are too many. */
export function add(
  draft: Draft,
  player: Pick<BannedPlayer, "name" | "names"> & {
    uuid?: string | undefined;
    persistentId?: string | undefined;
  },
  { on, now, decision }: { on: string | undefined; now: number; decision: BanDecision },
): Ban | undefined {
  const { name, names = [], uuid, persistentId } = player;
  const where = on === undefined ? {} : { on };
  const known = {
    name,
    ...where,
    ...(names.length > 0 && { names }),
    ...(uuid !== undefined && { uuid }),
  };
  const byName = draft.get(keyOf({ name, ...where }));
  // Another player is banned by that name.
  const isTaken = byName && isActive(byName, now) && !mayBeSame({ ...byName, ...known }, byName);
  const apart = !persistentId && uuid !== undefined && (name === "" || isTaken === true);
  const who = { ...known, ...(persistentId && { persistentId }), ...(apart && { apart }) };
  const before = [draft.get(keyOf(who)), ...(uuid === undefined ? [] : draft.of(uuid))].filter(
    each => each?.on === on,
  );
  const isAnother = !before.some(each => each && isActive(each, now));
  if (isAnother && activeFrom(draft, now, undefined) >= MAX_BANS) return undefined;
  const at = after(now, byName, ...before);
  applyChange(draft, { ...who, ...decision, at });
  for (const each of before)
    if (each && !each.lifted && keyOf(each) !== keyOf(who)) draft.put(lift(each, { at }));
  return draft.get(keyOf(who));
}

/** How many bans come from one game server, or from the website. */
function activeFrom(list: BanIndex, now: number, from: string | undefined): number {
  let count = 0;
  for (const each of list.all()) if (each.from === from && isActive(each, now)) count++;
  return count;
}

export function remove(draft: Draft, bans: readonly Ban[], { now, by }: { now: number; by: string }): void {
  for (const each of bans) applyChange(draft, lift(each, { at: after(now, each), by }));
}

export type BanTarget = { name: string } | { uuid: string };

/** Entries of a player, of one game server or of all; by an earlier name where no entry has that name now. */
export function entriesOf(
  list: BanIndex,
  who: BanTarget,
  { now, on }: { now: number; on?: string | undefined },
): Ban[] {
  const isListed = (each: Ban): boolean => isActive(each, now) && (on === undefined || each.on === on);
  if ("uuid" in who) return list.of(who.uuid).filter(isListed);
  const named = list.named(who.name).filter(isListed);
  return named.length > 0 ? named : list.hadName(who.name).filter(isListed);
}

/** Active entries on a game server, or on any, sorted by the names' code units. */
export const activeBans = (list: BanIndex, { now, on }: { now: number; on?: string | undefined }): Ban[] =>
  [...list.all()]
    .filter(each => isActive(each, now) && (on === undefined || each.on === undefined || each.on === on))
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));

/** Applies a change from a game server, made there or part of an earlier list; `most`: limit of bans from one game server. */
export function applyFromGame(
  draft: Draft,
  change: Ban,
  { now, isAgain, most }: { now: number; isAgain: boolean; most: number },
): "kept" | "same" | "late" | "full" {
  const { at } = change;
  const own = at > now ? { ...change, at: now, toldAt: at } : change;
  const isAnother = !own.lifted && draft.get(keyOf(own))?.from !== own.from;
  if (isAnother && activeFrom(draft, now, own.from) >= most) return "full";
  const [other] = isAgain ? namedAs(draft, own).filter(each => isByName(each) && !mayBeSame(own, each)) : [];
  // The game has banned the wrong player: another one has the name now.
  if (other && other.on === own.on && other.at === own.at && isActive(other, now)) {
    detachName(draft, other);
    return applyChange(draft, lift(own, other));
  }
  const outcome = applyChange(draft, own);
  const existing = draft.get(keyOf(own));
  // An earlier decision about a player who has been renamed.
  if (outcome === "same" && !isAgain && existing?.persistentId !== undefined && existing.name !== own.name)
    draft.put(renamed(existing, own.name));
  return outcome;
}

/** Whether a player of this entry has ever been seen; if not, its name may be mistyped. */
export const isKnownPlayer = ({ name, uuid }: Ban): boolean => name !== "" && uuid !== undefined;

/** From now on the uuid alone says who is banned. */
export function detachName(draft: Draft, existing: Ban): void {
  draft.put(lift(existing, existing));
  draft.put({ ...existing, apart: true });
}

/** An entry as a game server gets it; none for another server's, or where only the uuid is known. */
export function changesFor(existing: Ban, own: string): [BanChange] | [] {
  const { uuid: _uuid, on, toldAt: _told, from: _from, apart, ...change } = existing;
  if (apart || change.name === "" || (on !== undefined && on !== own)) return [];
  return [{ ...change, ...(on === undefined && { everywhere: true }) }];
}
