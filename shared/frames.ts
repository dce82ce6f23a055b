import { action, ident, playerRef } from "./actions.ts";
import { banChange } from "./bans.ts";
import { gameTexts } from "./game-texts.ts";
import { bool, count, type Infer, int, list, object, oneOf, optional, text } from "./guard.ts";
import {
  BANS_PER_FRAME,
  LOCALE_LENGTH,
  MAX_ACTIONS,
  MAX_LANGUAGES,
  MAX_LIFE_MS,
  MAX_LINK_REQUESTS,
  SERVER_NAME_LENGTH,
  SITE_NAME_LENGTH,
} from "./limits.ts";

/**
 * Paths of the pack's requests: JSON over POST, answered with JSON. Every request carries the bridge token in the `Authorization`
 * header.
 */
export const PATHS = {
  hello: "/bridge/hello",
  poll: "/bridge/poll",
  facts: "/bridge/facts",
  bans: "/bridge/bans",
} as const;

/** Number of a fact or an action. */
export const seq = count;
export const wire = int(1, 1_000_000);

/** Look of the link form: two buttons, or a chest of 27 slots drawn by the resource pack. */
const linkForm = oneOf("buttons", "chest");
export type LinkForm = Infer<typeof linkForm>;

/** Texts in one language of the game, such as `de_DE`; a missing one falls back to the default. */
const languageTexts = object({ locale: text(LOCALE_LENGTH, 1), texts: gameTexts });
export type LanguageTexts = Infer<typeof languageTexts>;

/** An open link request of the sidecar. */
const pendingLinkRequest = object({
  request: ident,
  player: optional(playerRef),
  browser: text(16, 1),
  /** as in `link-open` */
  site: optional(text(SITE_NAME_LENGTH, 1)),
  /** how long the player may still answer, in milliseconds, counted like `Action.expiresInMs` */
  openForMs: int(0, MAX_LIFE_MS),
  /**
   * true: show the form if it is not on the pack's list. false: the sidecar still waits for the outcome of the `link-open`, so keep an
   * existing form, but do not create one
   */
  open: bool,
});
export type PendingLinkRequest = Infer<typeof pendingLinkRequest>;

export const helloAnswer = object({
  product: text(32, 1),
  wire,
  wireOldest: wire,
  /** to be sent in every other request */
  session: ident,
  /** interval of snapshots, in milliseconds */
  refreshMs: int(100, 24 * 60 * 60 * 1000),
  linkForm,
  /** name of this game server if the sidecar serves several: choices of players then apply to all of them */
  server: optional(text(SERVER_NAME_LENGTH, 1)),
  /** true: the sidecar accepts `forgot` facts */
  forgets: optional(bool),
  /** true: the sidecar keeps a ban list, and syncs it with the pack's */
  bans: optional(bool),
  /** for players whose language is not among `languages` */
  texts: gameTexts,
  languages: list(languageTexts, MAX_LANGUAGES),
  /** identifies the texts; if hello had the same, `texts` and `languages` are empty */
  textsId: optional(ident),
  /** every open link request; the pack drops all others, except those from later actions */
  links: list(pendingLinkRequest, MAX_LINK_REQUESTS),
});
export type HelloAnswer = Infer<typeof helloAnswer>;

/** Answer to polls and facts: the oldest actions after `after`, and the last fact that was received. */
export const delivery = object({
  actions: list(action, MAX_ACTIONS),
  /** `seq` of the last fact that the sidecar has processed: the pack may drop everything up to it */
  received: seq,
  /** in the answer to facts: chat messages from the website rejected in the last minute, and the address that sent the most */
  refused: optional(object({ lines: int(1, Number.MAX_SAFE_INTEGER), from: text(64, 1) })),
});
export type Delivery = Infer<typeof delivery>;

/** Changes of the ban list after the number in the request, for all servers and for this one. */
export const bansAnswer = object({
  /** id of the list */
  list: ident,
  /** number of the last of `changes`; without `more`, of the newest change of the list */
  upTo: seq,
  /** in the order of their numbers */
  changes: list(banChange, BANS_PER_FRAME),
  /** whether there are more changes to request */
  more: bool,
});
export type BansAnswer = Infer<typeof bansAnswer>;

/** Error codes, in `{ "error": code }`, with the pack's reaction to each. */
export const BRIDGE_ERRORS = {
  /** 401: the token is wrong or missing. Log it once, retry with back-off */
  unauthorized: 401,
  /** 400: the message does not pass its guard; `detail` names the place */
  invalid_message: 400,
  /** 413: the body is over the limit */
  body_too_large: 413,
  /** 409: say hello again */
  unknown_session: 409,
  /** 409: another game server has taken over; wait long before the next hello */
  session_replaced: 409,
  /** 426: the wire versions do not match; `update` names the side to update, pack or sidecar */
  wire_mismatch: 426,
  /** 404 */
  not_found: 404,
  /** 421: the listener does not accept this `Host` */
  host_not_allowed: 421,
  /** 405 */
  method_not_allowed: 405,
  /** 503: the storage that sidecars share cannot be reached: retry shortly, with the same session */
  storage_away: 503,
  /** 500: an internal error of the sidecar, identified in its log by `detail` */
  unexpected_result: 500,
} as const;
export type BridgeErrorCode = keyof typeof BRIDGE_ERRORS;

export const bridgeError = object({
  error: text(64, 1),
  detail: optional(text(1024)),
  product: optional(text(32)),
  update: optional(text(16)),
});
