import { bool, count, type Infer, list, object, optional, text } from "./guard.ts";
import {
  AUTHOR_LENGTH,
  BAN_REASON_LENGTH,
  MAX_EARLIER_NAMES,
  NAME_LENGTH,
  PLAYER_ID_LENGTH,
} from "./limits.ts";
import { foldName, isSameName } from "./names.ts";

/** A change of the ban list: a player is banned or unbanned, on one server or on all. Times in milliseconds since 1970. */
export const banChange = object({
  /** most recent known name of the player */
  name: text(NAME_LENGTH, 1),
  /** earlier names of the player, newest first */
  names: optional(list(text(NAME_LENGTH, 1), MAX_EARLIER_NAMES)),
  /** `Player.persistentId` as the game spells it, once the player is known */
  persistentId: optional(text(PLAYER_ID_LENGTH, 1)),
  /** when the change was made */
  at: count,
  /** true: on every server of the sidecar, else on the one that sends or gets the change */
  everywhere: optional(bool),
  /** when the ban expires */
  until: optional(count),
  /** a character takes at most two code units */
  reason: optional(text(2 * BAN_REASON_LENGTH, 1)),
  /** who made the change: the name of a key, or `game:` and the name of a player or `Server` */
  by: optional(text(AUTHOR_LENGTH, 1)),
  /** true: unbans */
  lifted: optional(bool),
  /** true: not a new decision: it was reported before, or only identifies the player */
  again: optional(bool),
});
export type BanChange = Infer<typeof banChange>;

/** Key of the banned player: the lower-case `persistentId` if there is one, else the folded name. The two never collide. */
export const banKey = ({ name, persistentId }: Pick<BanChange, "name" | "persistentId">): string =>
  persistentId === undefined ? `@${foldName(name)}` : `#${persistentId.toLowerCase()}`;

/** Key of an entry of the list: the player, and all servers or one. */
export const entryKey = (change: Pick<BanChange, "name" | "persistentId" | "everywhere">): string =>
  (change.everywhere ? "*" : "") + banKey(change);

/** Whether a change replaces the current one of its entry: the later one wins, and of two with the same time the one that unbans. */
export const replaces = (change: BanChange, current: BanChange): boolean =>
  change.at === current.at ? change.lifted === true && !current.lifted : change.at > current.at;

/**
 * Whether a change ends a ban of another entry that may be about the same player. A change with a `persistentId` replaces the entry
 * by name. Unbanning a name ends earlier bans of players who had it.
 */
export function endsBan(change: BanChange, ban: BanChange): boolean {
  if (!change.everywhere !== !ban.everywhere) return false;
  if (!isSameName(change.name, ban.name)) {
    // The player was renamed after this was decided by name.
    const isDecision =
      ban.persistentId === undefined && change.persistentId !== undefined && change.at === ban.at;
    return isDecision && change.names?.some(name => isSameName(name, ban.name)) === true;
  }
  if (change.persistentId !== undefined) return ban.persistentId === undefined && change.at >= ban.at;
  return change.lifted === true && ban.persistentId !== undefined && change.at > ban.at;
}
