import { type Banned, type Bans, isHeld } from "./bans.ts";

/** A player, with what entries know besides: nobody else may remember her. */
export function withHeld(list: Bans, player: Banned): Banned {
  const held = list.of(player.uuid).find(({ persistentId }) => persistentId !== undefined);
  if (player.persistentId || held?.persistentId === undefined) return player;
  return { ...player, name: player.name || held.name, persistentId: held.persistentId };
}

/** Players who are banned under a name, as far as it is known who they are. */
export const heldAs = (list: Bans, name: string, now: number): Banned[] => [
  ...new Map(
    list.named(name).flatMap(each => {
      const { uuid } = each;
      return uuid !== undefined && isHeld(each, now) ? [[uuid, { name: each.name, uuid }] as const] : [];
    }),
  ).values(),
];
