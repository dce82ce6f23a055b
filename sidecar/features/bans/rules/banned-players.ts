import { renamed } from "../../../../shared/names.ts";
import { applyChange, detachName, isByName, lift } from "./ban-changes.ts";
import { type Ban, type BanIndex, type BannedPlayer, type Draft, isActive, keyOf } from "./ban-list.ts";

/** A player with the persistent id that an entry may have. */
export function withStoredId(list: BanIndex, player: BannedPlayer): BannedPlayer {
  const existing = list.of(player.uuid).find(({ persistentId }) => persistentId !== undefined);
  if (player.persistentId || existing?.persistentId === undefined) return player;
  return { ...player, name: player.name || existing.name, persistentId: existing.persistentId };
}

/** Known players who are banned under a name. */
export const bannedUnder = (list: BanIndex, name: string, now: number): BannedPlayer[] => [
  ...new Map(
    [...list.named(name), ...list.hadName(name)].flatMap(each => {
      const { uuid } = each;
      return uuid !== undefined && isActive(each, now) ? [[uuid, { name: each.name, uuid }] as const] : [];
    }),
  ).values(),
];

/** Entries about a player on the game server `on`, those by name included. */
function entriesAbout(list: BanIndex, player: BannedPlayer, on: string): Ban[] {
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

/** Whether an entry is about another player of that name. A player without a persistent id is known by name alone. */
const isOfAnother = ({ uuid }: Ban, { uuid: own, persistentId = "" }: BannedPlayer): boolean =>
  uuid !== undefined && uuid !== own && persistentId !== "";

/** Whether a player is banned on a game server. */
export const isBanned = (
  list: BanIndex,
  player: BannedPlayer,
  { on, now }: { on: string; now: number },
): boolean =>
  entriesAbout(list, player, on).some(
    each => isActive(each, now) && !(isByName(each) && isOfAnother(each, player)),
  );

/** Whether anybody of this name is banned on a game server. */
export const isNameBanned = (
  list: BanIndex,
  name: string,
  { on, now }: { on: string; now: number },
): boolean => list.named(name).some(each => isActive(each, now) && (each.on === undefined || each.on === on));

/**
 * Binds entries to a player who is online.
 * @returns names of bans by which alone the player was taken for the banned one
 */
export function bindEntries(
  draft: Draft,
  player: BannedPlayer,
  { on, now }: { on: string; now: number },
): string[] {
  const { persistentId = "", uuid, name } = player;
  const bound: string[] = [];
  for (const each of entriesAbout(draft, player, on).filter(
    each => each.persistentId === undefined && isActive(each, now),
  )) {
    if (isOfAnother(each, player)) detachName(draft, each);
    else if (persistentId !== "") {
      const { apart: _apart, toldAt: _told, ...known } = each;
      if (each.uuid === undefined) bound.push(each.name);
      if (each.apart) draft.put(lift(each, each));
      applyChange(draft, { ...known, name: each.apart ? name : each.name, uuid, persistentId });
    } else if (each.uuid === undefined) draft.put({ ...each, uuid });
  }
  for (const each of entriesAbout(draft, player, on))
    if (isActive(each, now) && !isByName(each) && name !== "" && each.name !== name)
      draft.put(renamed(each, name));
  return bound;
}
