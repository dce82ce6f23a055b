import { bool, type Infer, int, object, oneOf, optional, record, tagged, text } from "./guard.ts";
import {
  CHAT_LENGTH,
  ID_LENGTH,
  MAX_LIFE_MS,
  MAX_VALUES,
  NAME_LENGTH,
  PLAYER_ID_LENGTH,
  REASON_LENGTH,
  SITE_NAME_LENGTH,
  VALUE_LENGTH,
} from "./limits.ts";

/** A player, between pack and sidecar. */
export const playerRef = object({
  /** `Player.id`, which stays as long as the world does */
  id: text(PLAYER_ID_LENGTH, 1),
  /** `Player.persistentId`; empty where the game does not offer it */
  persistentId: text(PLAYER_ID_LENGTH),
  /** name that the game reports */
  name: text(NAME_LENGTH, 1),
});
export type PlayerRef = Infer<typeof playerRef>;

/** Id of an action, a session or a link request. */
export const ident = text(ID_LENGTH, 1);
const life = int(0, MAX_LIFE_MS);

/** What the game is to do. */
export const actionBody = tagged("do", {
  /** show a line to everybody, literally. Outcome: done */
  chat: object({ text: text(CHAT_LENGTH, 1) }),
  /** show one of the texts to one player, in their language, or on the console. Outcome: done, offline */
  tell: object({
    player: optional(playerRef),
    message: oneOf(
      "api.unlinked",
      "bridge.unlink-none",
      "bridge.webchat-is",
      "bridge.webchat-set",
      "bridge.muted",
      "bridge.unmuted",
    ),
    /** values for its `{names}` */
    values: optional(record(text(VALUE_LENGTH), MAX_VALUES)),
  }),
  /** show the link form to the online player of exactly this name. Outcome: done with `player`, offline, blocked, busy */
  "link-open": object({
    request: ident,
    username: text(NAME_LENGTH, 1),
    /** first characters of the browser session, shown to the player */
    browser: text(16, 1),
    /** how long the player may answer, in milliseconds, counted like `expiresInMs` */
    openForMs: life,
    /** name of the site that asks, where it is not the service's own; older packs show a link request without it */
    site: optional(text(SITE_NAME_LENGTH, 1)),
  }),
  /** forget a link request and close its form. Outcome: done */
  "link-close": object({ request: ident }),
  /** report the allowlist in `names` facts. Outcome: done after the last of them */
  "allowlist-read": object({}),
  /** put a name on the allowlist. Outcome: done once the list was read back and holds it */
  "allowlist-add": object({ name: text(NAME_LENGTH, 1) }),
  /** take every entry of exactly this name off it. Outcome: done once the list was read back without one, absent: there was none */
  "allowlist-remove": object({ name: text(NAME_LENGTH, 1) }),
  /**
   * kick the online player of exactly this name, who reads the reason; only for packs that name it in hello.
   * Outcome: done once the game no longer lists the player, offline
   */
  kick: object({ name: text(NAME_LENGTH, 1), reason: optional(text(REASON_LENGTH, 1)) }),
  /** ask for changes of the list of bans; only for packs that name it in hello. Outcome: done */
  bans: object({}),
  /** apply what an online player chose on another game server; only for packs whose rows have `blocked`. Outcome: done, offline */
  choose: object({ player: playerRef, blocked: bool, hidden: bool }),
  /**
   * erase deaths, kills and playtime of an online player who asked another game server to forget them, and without `counts`
   * count nothing more until the next visit; only for packs whose rows have `since`. Outcome: done, offline
   */
  forget: object({ player: playerRef, counts: bool }),
});
export type ActionBody = Infer<typeof actionBody>;
export type ActionName = ActionBody["do"];

/** Actions only for packs that name them in hello: others of this wire version do not know them. */
export const NEGOTIATED_ACTIONS = ["kick", "bans"] as const satisfies readonly ActionName[];

/** An action in an answer to the pack. */
export const action = object({
  /** place in the queue of this session; rises, with gaps */
  seq: int(1, Number.MAX_SAFE_INTEGER),
  /** named again by the outcome */
  id: ident,
  /**
   * How long the action may still be begun, in milliseconds from the moment the sidecar received the request that
   * this answers. The pack counts from the moment it sent that request, which was earlier, so a late answer can
   * never begin an action that the sidecar has given up.
   */
  expiresInMs: life,
  body: actionBody,
});
export type Action = Infer<typeof action>;
