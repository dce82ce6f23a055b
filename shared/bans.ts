import { bool, count, type Infer, list, object, optional, text } from "./guard.ts";
import {
  AUTHOR_LENGTH,
  BAN_REASON_LENGTH,
  MAX_EARLIER_NAMES,
  NAME_LENGTH,
  PLAYER_ID_LENGTH,
} from "./limits.ts";
import { foldName, isSameName } from "./names.ts";

/** A change of the list of bans: a player is banned or unbanned, on one server or on all. Times in milliseconds since 1970. */
export const banChange = object({
  /** newest known name of the player */
  name: text(NAME_LENGTH, 1),
  /** earlier names of the player, newest first */
  names: optional(list(text(NAME_LENGTH, 1), MAX_EARLIER_NAMES)),
  /** `Player.persistentId` as the game spells it, once it is known who has the name */
  persistentId: optional(text(PLAYER_ID_LENGTH, 1)),
  /** when it was decided */
  at: count,
  /** true: on every server of the sidecar, else on the one that sends or gets the change */
  everywhere: optional(bool),
  /** when the ban ends by itself */
  until: optional(count),
  /** two code units are one character at most */
  reason: optional(text(2 * BAN_REASON_LENGTH, 1)),
  /** who decided it: the name of a key, or `game:` with the name of a player or `Server` */
  by: optional(text(AUTHOR_LENGTH, 1)),
  /** true: the ban is lifted */
  lifted: optional(bool),
  /** true: no new decision: it was reported before, or only says who has the name */
  again: optional(bool),
});
export type BanChange = Infer<typeof banChange>;

/** Key of the banned player: the `persistentId` without case where there is one, else the folded name. The two never collide. */
export const banKey = ({ name, persistentId }: Pick<BanChange, "name" | "persistentId">): string =>
  persistentId === undefined ? `@${foldName(name)}` : `#${persistentId.toLowerCase()}`;

/** Key of an entry of the list: the player, and all servers or one. */
export const entryKey = (change: Pick<BanChange, "name" | "persistentId" | "everywhere">): string =>
  (change.everywhere ? "*" : "") + banKey(change);

/** Whether a change replaces the present one of its entry: the later one wins, and of two at one time the one that unbans. */
export const replaces = (change: BanChange, held: BanChange): boolean =>
  change.at === held.at ? change.lifted === true && !held.lifted : change.at > held.at;

/**
 * Whether a change ends a ban of another entry, which may be about the same player. A change with a `persistentId` replaces the
 * entry by name. Unbanning a name ends earlier bans of players who had it.
 */
export function endsBan(change: BanChange, ban: BanChange): boolean {
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
