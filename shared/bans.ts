import { bool, count, type Infer, list, object, optional, text } from "./guard.ts";
import { BAN_REASON_LENGTH, BY_LENGTH, MAX_EARLIER_NAMES, NAME_LENGTH, PLAYER_ID_LENGTH } from "./limits.ts";
import { folded, isSameName } from "./names.ts";

/** A change of the list of bans: one player is banned on one server or on all of them, or is no longer. Times as `Date` has them. */
export const banChange = object({
  /** the newest of the player, as far as it is known */
  name: text(NAME_LENGTH, 1),
  /** earlier names of the player, newest first */
  names: optional(list(text(NAME_LENGTH, 1), MAX_EARLIER_NAMES)),
  /** `Player.persistentId` as the game spells it, where it is known who has the name */
  persistentId: optional(text(PLAYER_ID_LENGTH, 1)),
  /** when it was decided */
  at: count,
  /** true: on every server of the sidecar, else on the one that tells it, or is told */
  everywhere: optional(bool),
  /** when the ban ends by itself */
  until: optional(count),
  /** two code units are one character at most */
  reason: optional(text(2 * BAN_REASON_LENGTH, 1)),
  /** who decided it: the name of a key, or `game:` with the name of a player or `Server` */
  by: optional(text(BY_LENGTH, 1)),
  /** true: the ban is lifted */
  lifted: optional(bool),
  /** true: nobody has decided this anew: it was told before, or says now who has the name */
  again: optional(bool),
});
export type BanChange = Infer<typeof banChange>;

/** Who a ban is about: the `persistentId` without case where there is one, else the folded name. No key of the one is one of the other. */
export const banKey = ({ name, persistentId }: Pick<BanChange, "name" | "persistentId">): string =>
  persistentId === undefined ? `@${folded(name)}` : `#${persistentId.toLowerCase()}`;

/** What of a list is one entry: who, and on all servers or on one. */
export const entryKey = (change: Pick<BanChange, "name" | "persistentId" | "everywhere">): string =>
  (change.everywhere ? "*" : "") + banKey(change);

/** Whether a change takes the place of what is held of the same entry: the later one does, and of two at once the one that lifts. */
export const beats = (change: BanChange, held: BanChange): boolean =>
  change.at === held.at ? change.lifted === true && !held.lifted : change.at > held.at;

/**
 * Whether a change ends a ban of another entry that may be of the same player. Who has a name is known with a `persistentId`: the
 * entry by name is over with it. Who lifts a ban by name means whoever was banned under that name before.
 */
export function ends(change: BanChange, ban: BanChange): boolean {
  if (!change.everywhere !== !ban.everywhere) return false;
  if (!isSameName(change.name, ban.name)) {
    // The player has been renamed since this was decided by name.
    const isDecision =
      ban.persistentId === undefined && change.persistentId !== undefined && change.at === ban.at;
    return isDecision && change.names?.some(name => isSameName(name, ban.name)) === true;
  }
  if (change.persistentId !== undefined) return ban.persistentId === undefined && change.at >= ban.at;
  return change.lifted === true && ban.persistentId !== undefined && change.at > ban.at;
}
