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
 * Requests of the pack and their answers, JSON both ways, over POST. Every request carries the bridge token in the
 * `Authorization` header.
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

/** How the link form looks: two buttons, or a chest of 27 slots that the resource pack draws. */
const linkForm = oneOf("buttons", "chest");
export type LinkForm = Infer<typeof linkForm>;

/** Texts in one language of the game, such as `de_DE`; the default text replaces a missing one. */
const languageTexts = object({ locale: text(LOCALE_LENGTH, 1), texts: gameTexts });
export type LanguageTexts = Infer<typeof languageTexts>;

/** A link request that the sidecar has on record. */
const pendingLinkRequest = object({
  request: ident,
  player: optional(playerRef),
  browser: text(16, 1),
  /** as in `link-open` */
  site: optional(text(SITE_NAME_LENGTH, 1)),
  /** how long the player may still answer, in milliseconds, counted like `Action.expiresInMs` */
  openForMs: int(0, MAX_LIFE_MS),
  /**
   * true: show the form if it is not on the pack's list. false: the sidecar still waits for the outcome of the
   * `link-open`, so keep the form if it is there, but do not make one
   */
  open: bool,
});
export type PendingLinkRequest = Infer<typeof pendingLinkRequest>;

export const helloAnswer = object({
  product: text(32, 1),
  wire,
  wireOldest: wire,
  /** to be named in every other request */
  session: ident,
  /** how often to send a snapshot, in milliseconds */
  refreshMs: int(100, 24 * 60 * 60 * 1000),
  linkForm,
  /** what the settings call this game server, where they have several: what players choose is then theirs on all of them */
  server: optional(text(SERVER_NAME_LENGTH, 1)),
  /** true: the sidecar takes `forgot` facts */
  forgets: optional(bool),
  /** true: the sidecar keeps a list of bans, and syncs it with that of the game */
  bans: optional(bool),
  /** for players whose language is not among `languages` */
  texts: gameTexts,
  languages: list(languageTexts, MAX_LANGUAGES),
  /** every link request on record; the pack forgets all others that it did not get by an action since */
  links: list(pendingLinkRequest, MAX_LINK_REQUESTS),
});
export type HelloAnswer = Infer<typeof helloAnswer>;

/** Answer to polls and facts: the oldest actions after `after`, and up to which fact the sidecar has them. */
export const delivery = object({
  actions: list(action, MAX_ACTIONS),
  /** `seq` of the last fact that the sidecar has taken: everything up to it may be forgotten */
  received: seq,
  /** in the answer to facts: lines from the web that were refused in the last minute, and the address of most of them */
  refused: optional(object({ lines: int(1, Number.MAX_SAFE_INTEGER), from: text(64, 1) })),
});
export type Delivery = Infer<typeof delivery>;

/** Changes of the list of bans after the number in the request, of all servers and of this one. */
export const bansAnswer = object({
  /** which list it is */
  list: ident,
  /** number of the last of `changes`; without `more` that of the newest change there is */
  upTo: seq,
  /** in the order of their numbers */
  changes: list(banChange, BANS_PER_FRAME),
  /** whether there are more to be asked for */
  more: bool,
});
export type BansAnswer = Infer<typeof bansAnswer>;

/** Codes of refused requests, in `{ "error": code }`, with what the pack does about each. */
export const BRIDGE_ERRORS = {
  /** 401: the token is wrong or missing. Say so once, try again with back-off */
  unauthorized: 401,
  /** 400: the message does not have the agreed shape; `detail` names the place */
  invalid_message: 400,
  /** 413: the body is over the limit */
  body_too_large: 413,
  /** 409: say hello again */
  unknown_session: 409,
  /** 409: another game server has taken over; wait long before the next hello */
  session_replaced: 409,
  /** 426: the wire versions do not meet; `update` names the side that has to be updated, pack or sidecar */
  wire_mismatch: 426,
  /** 404 */
  not_found: 404,
  /** 421: another `Host` than the listener answers to */
  host_not_allowed: 421,
  /** 405 */
  method_not_allowed: 405,
  /** 503: the storage that sidecars share cannot be reached: go on in a moment, where this stopped */
  storage_away: 503,
  /** 500: a fault of the sidecar, named in its log by `detail` */
  unexpected_result: 500,
} as const;
export type BridgeErrorCode = keyof typeof BRIDGE_ERRORS;

export const bridgeError = object({
  error: text(64, 1),
  detail: optional(text(1024)),
  product: optional(text(32)),
  update: optional(text(16)),
});
