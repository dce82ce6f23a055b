import { renamed } from "../../../../shared/names.ts";
import {
  type Ban,
  type BannedPlayer,
  type Bans,
  type Draft,
  isByName,
  isHeld,
  keyOf,
  lift,
  setApart,
  take,
} from "./bans.ts";

/** A player, with what entries know besides: nobody else may remember her. */
export function withHeld(list: Bans, player: BannedPlayer): BannedPlayer {
  const held = list.of(player.uuid).find(({ persistentId }) => persistentId !== undefined);
  if (player.persistentId || held?.persistentId === undefined) return player;
  return { ...player, name: player.name || held.name, persistentId: held.persistentId };
}

/** Players who are banned under a name, as far as it is known who they are. */
export const heldAs = (list: Bans, name: string, now: number): BannedPlayer[] => [
  ...new Map(
    [...list.named(name), ...list.had(name)].flatMap(each => {
      const { uuid } = each;
      return uuid !== undefined && isHeld(each, now) ? [[uuid, { name: each.name, uuid }] as const] : [];
    }),
  ).values(),
];

/** Entries that are about a player on a game server, `on`, of whom this is known now; by name where nobody knows whose it is. */
function about(list: Bans, player: BannedPlayer, on: string): Ban[] {
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
const isOfAnother = ({ uuid }: Ban, { uuid: own, persistentId = "" }: BannedPlayer): boolean =>
  uuid !== undefined && uuid !== own && persistentId !== "";

/** Whether a player is banned on a game server. */
export const isBanned = (
  list: Bans,
  player: BannedPlayer,
  { on, now }: { on: string; now: number },
): boolean =>
  about(list, player, on).some(each => isHeld(each, now) && !(isByName(each) && isOfAnother(each, player)));

/** Whether anybody of this name is banned on a game server. */
export const isNameBanned = (list: Bans, name: string, { on, now }: { on: string; now: number }): boolean =>
  list.named(name).some(each => isHeld(each, now) && (each.on === undefined || each.on === on));

/**
 * A player comes to a game server: what is known now of whom its entries are about.
 * @returns names of bans by which alone the player was taken for the banned one
 */
export function sight(
  draft: Draft,
  player: BannedPlayer,
  { on, now }: { on: string; now: number },
): string[] {
  const { persistentId = "", uuid, name } = player;
  const bound: string[] = [];
  for (const each of about(draft, player, on).filter(
    each => each.persistentId === undefined && isHeld(each, now),
  )) {
    if (isOfAnother(each, player)) setApart(draft, each);
    else if (persistentId !== "") {
      const { apart: _apart, toldAt: _told, ...known } = each;
      if (each.uuid === undefined) bound.push(each.name);
      if (each.apart) draft.put(lift(each, each));
      take(draft, { ...known, name: each.apart ? name : each.name, uuid, persistentId });
    } else if (each.uuid === undefined) draft.put({ ...each, uuid });
  }
  for (const each of about(draft, player, on))
    if (isHeld(each, now) && !isByName(each) && name !== "" && each.name !== name)
      draft.put(renamed(each, name));
  return bound;
}
