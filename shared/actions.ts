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

/** A player, as pack and sidecar refer to them. */
export const playerRef = object({
  /** `Player.id`, stable within a world */
  id: text(PLAYER_ID_LENGTH, 1),
  /** `Player.persistentId`; empty if the game does not have it */
  persistentId: text(PLAYER_ID_LENGTH),
  /** name reported by the game */
  name: text(NAME_LENGTH, 1),
});
export type PlayerRef = Infer<typeof playerRef>;

/** Id of an action, a session or a link request. */
export const ident = text(ID_LENGTH, 1);
const life = int(0, MAX_LIFE_MS);

/** A command to the game. */
export const actionBody = tagged("do", {
  /** show a text to everybody, literally. Outcome: done */
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
  /** show the link form to the online player with exactly this name. Outcome: done with `player`, offline, blocked, busy */
  "link-open": object({
    request: ident,
    username: text(NAME_LENGTH, 1),
    /** first characters of the browser session, shown in the form */
    browser: text(16, 1),
    /** how long the player may answer, in milliseconds, counted like `expiresInMs` */
    openForMs: life,
    /** name of the site that the player signs in to; without it, or with an older pack, the form is a plain link request */
    site: optional(text(SITE_NAME_LENGTH, 1)),
  }),
  /** drop a link request and close its form. Outcome: done */
  "link-close": object({ request: ident }),
  /** report the allowlist in `names` facts. Outcome: done after the last of them */
  "allowlist-read": object({}),
  /** add a name to the allowlist. Outcome: done once the list was read back and contains it */
  "allowlist-add": object({ name: text(NAME_LENGTH, 1) }),
  /** remove every entry with exactly this name. Outcome: done once the list was read back without one; absent if there was none */
  "allowlist-remove": object({ name: text(NAME_LENGTH, 1) }),
  /**
   * kick the online player with exactly this name and show them the reason; only for packs that list it in hello.
   * Outcome: done once the game no longer lists the player, offline
   */
  kick: object({ name: text(NAME_LENGTH, 1), reason: optional(text(REASON_LENGTH, 1)) }),
  /** request changes of the ban list; only for packs that list it in hello. Outcome: done */
  bans: object({}),
  /** apply choices of an online player made elsewhere; only for packs whose rows have `blocked`. Outcome: done, offline */
  choose: object({ player: playerRef, blocked: bool, hidden: bool }),
  /**
   * erase deaths, kills and playtime of an online player who used another game server to be forgotten; with `counts: false`,
   * count nothing until the next visit. Only for packs whose rows have `since`. Outcome: done, offline
   */
  forget: object({ player: playerRef, counts: bool }),
});
export type ActionBody = Infer<typeof actionBody>;
export type ActionName = ActionBody["do"];

/** Actions only for packs that list them in hello: others of this wire version do not support them. */
export const NEGOTIATED_ACTIONS = ["kick", "bans"] as const satisfies readonly ActionName[];

/** An action in an answer to the pack. */
export const action = object({
  /** position in the queue of this session; increases, with gaps */
  seq: int(1, Number.MAX_SAFE_INTEGER),
  /** repeated in the outcome */
  id: ident,
  /**
   * How long the action may still be begun, in milliseconds since the sidecar received the request that this answers. The pack counts
   * from when it sent that request, which was earlier, so a late answer can never begin an action that the sidecar has given up.
   */
  expiresInMs: life,
  body: actionBody,
});
export type Action = Infer<typeof action>;
