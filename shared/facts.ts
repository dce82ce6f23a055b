import { ident, playerRef } from "./actions.ts";
import { bool, count, type Infer, int, list, num, object, oneOf, optional, tagged, text } from "./guard.ts";
import {
  CHAT_LENGTH,
  DISPLAY_NAME_LENGTH,
  MAX_SNAPSHOT_PARTS,
  NAME_LENGTH,
  NAMES_PER_FACT,
  PLAYER_ID_LENGTH,
  PLAYERS_PER_SNAPSHOT_PART,
  REASON_LENGTH,
} from "./limits.ts";
import { BROWSER_LABEL_LENGTH, webChatMode } from "./web-chat.ts";

/** An online player with the figures that the public service shows. */
export const playerRow = object({
  player: playerRef,
  /** current health, rounded to a whole number */
  health: int(0, 1_000_000),
  deaths: count,
  playerKills: count,
  playtimeSeconds: count,
  /** true: the player wants to be in no list of players */
  hidden: optional(bool),
  /**
   * Whether the player wants no link requests; only where the answer to hello names the game server. Left out until the
   * stored choice could be read, and while a change of it is not reported
   */
  blocked: optional(bool),
  /**
   * When the present visit began, in milliseconds since 1970 by the clock of the game's machine: another one with every join.
   * Left out until the stored record of the player could be read; earlier figures are missing until then, too
   */
  since: optional(count),
});
export type PlayerRow = Infer<typeof playerRow>;

/** How an action ended. */
export const outcome = object({
  /** id of the action */
  id: ident,
  /** name of the action, as in `ActionBody`, or one that this version does not know; older packs leave it out */
  do: optional(ident),
  /**
   * `done`: carried out; `offline`: the player it was for is not online; `absent`: the name was not on the allowlist;
   * `blocked`: the player wants no link requests; `busy`: too many of them wait for this player or in this world, or the
   * player's choices cannot be read yet; `expired`: came too late and was not begun; `failed`: see `reason`
   */
  status: oneOf("done", "offline", "absent", "blocked", "busy", "expired", "failed"),
  /** the player found, on a `link-open` that is done */
  player: optional(playerRef),
  reason: optional(text(REASON_LENGTH)),
});
export type Outcome = Infer<typeof outcome>;

/** What the pack reports, in the order in which it happened. */
export const fact = tagged("is", {
  /** a player can play, after joining */
  joined: object({ row: playerRow }),
  /** `row`: the last figures of the player, with the health that was read last */
  left: object({ id: text(PLAYER_ID_LENGTH, 1), row: optional(playerRow) }),
  /** a line of public chat; `name` as the game shows it, prefix and suffix included, both with their `§` codes */
  said: object({ name: text(DISPLAY_NAME_LENGTH), text: text(CHAT_LENGTH), player: optional(playerRef) }),
  /** a player died who is in lists of players; `killer`: another such player did it */
  died: object({ player: playerRef, killer: optional(playerRef) }),
  /** the player answered the link form */
  answered: object({ request: ident, accepted: bool }),
  /** the player ends every link to them, on whichever browser */
  "unlinked-by-player": object({ player: playerRef }),
  /** an operator, or the console where `by` is missing, sets who may write from the web, or only asks */
  webchat: object({ by: optional(playerRef), mode: optional(webChatMode) }),
  /** an operator, or the console where `by` is missing, mutes or unmutes a browser of the web */
  mute: object({
    by: optional(playerRef),
    browser: text(BROWSER_LABEL_LENGTH, BROWSER_LABEL_LENGTH),
    isMuted: bool,
  }),
  /** what a player has chosen; only where the answer to hello names the game server */
  chose: object({ player: playerRef, blocked: optional(bool), hidden: optional(bool) }),
  /**
   * the player wants to be forgotten, and asked for it in the visit that began at `since`; only where the answer to hello says
   * `forgets`
   */
  forgot: object({ player: playerRef, since: optional(count) }),
  /** one of `parts` parts of the list of online players; together they replace what was known */
  snapshot: object({
    /** ticks per second over the last minute, 0 to 20 */
    tps: num(0, 20),
    part: int(0, MAX_SNAPSHOT_PARTS - 1),
    parts: int(1, MAX_SNAPSHOT_PARTS),
    rows: list(playerRow, PLAYERS_PER_SNAPSHOT_PART),
  }),
  /** part of the answer to the action `id` */
  names: object({ id: ident, names: list(text(NAME_LENGTH), NAMES_PER_FACT) }),
  outcome,
});
export type Fact = Infer<typeof fact>;
/** Facts of one kind, or of several. */
export type FactOf<K extends Fact["is"]> = Extract<Fact, { is: K }>;
