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

/** An online player with the figures shown by the public service. */
export const playerRow = object({
  player: playerRef,
  /** current health, rounded to a whole number */
  health: int(0, 1_000_000),
  deaths: count,
  playerKills: count,
  playtimeSeconds: count,
  /** true: the player is hidden from player lists */
  hidden: optional(bool),
  /**
   * Whether the player wants no link requests; only if the answer to hello names the game server. Left out until the stored choice
   * has been read, and while a change of it is unreported
   */
  blocked: optional(bool),
  /**
   * When the current visit began, in milliseconds since 1970 by the clock of the game's machine: different for every join. Left out
   * until the player's stored record has been read; earlier figures are missing until then as well
   */
  since: optional(count),
});
export type PlayerRow = Infer<typeof playerRow>;

/** How an action ended. */
export const outcome = object({
  /** id of the action */
  id: ident,
  /** name of the action, as in `ActionBody`, or one unknown to this version; older packs leave it out */
  do: optional(ident),
  /**
   * `done`: carried out; `offline`: the player is not online; `absent`: the name was not on the allowlist; `blocked`: the player
   * wants no link requests; `busy`: too many of them wait for this player or in total, or the player's choices cannot be read yet;
   * `expired`: arrived too late and was not begun; `failed`: see `reason`
   */
  status: oneOf("done", "offline", "absent", "blocked", "busy", "expired", "failed"),
  /** the player, for a `link-open` that is done */
  player: optional(playerRef),
  reason: optional(text(REASON_LENGTH)),
});
export type Outcome = Infer<typeof outcome>;

/** A report of the pack about an event, in the order of the events. */
export const fact = tagged("is", {
  /** a player has joined and can play */
  joined: object({ row: playerRow }),
  /** `row`: the final figures of the player, with the last health that was read */
  left: object({ id: text(PLAYER_ID_LENGTH, 1), row: optional(playerRow) }),
  /** a public chat message; `name` as the game shows it, with prefix and suffix; both texts with their `§` codes */
  said: object({ name: text(DISPLAY_NAME_LENGTH), text: text(CHAT_LENGTH), player: optional(playerRef) }),
  /** a player who is not hidden died; `killer`: another such player who killed them */
  died: object({ player: playerRef, killer: optional(playerRef) }),
  /** the player answered the link form */
  answered: object({ request: ident, accepted: bool }),
  /** the player removes all their links, of every browser */
  "unlinked-by-player": object({ player: playerRef }),
  /** an operator (the console if `by` is missing) sets who may chat from the website; without `mode`, only asks */
  webchat: object({ by: optional(playerRef), mode: optional(webChatMode) }),
  /** an operator (the console if `by` is missing) mutes or unmutes a browser */
  mute: object({
    by: optional(playerRef),
    browser: text(BROWSER_LABEL_LENGTH, BROWSER_LABEL_LENGTH),
    isMuted: bool,
  }),
  /** choices of a player; only if the answer to hello names the game server */
  chose: object({ player: playerRef, blocked: optional(bool), hidden: optional(bool) }),
  /**
   * the player asked to be forgotten, in the visit that began at `since`; only if the answer to hello has `forgets`
   */
  forgot: object({ player: playerRef, since: optional(count) }),
  /** one of `parts` parts of the list of online players; together they replace everything known before */
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
