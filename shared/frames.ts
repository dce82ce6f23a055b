import { action, playerRef } from "./actions.ts";
import { fact } from "./facts.ts";
import { bool, type Infer, int, list, object, optional, text } from "./guard.ts";
import { FORM_TEXT_LENGTH, ID_LENGTH, LIFE_MS, MAX_ACTIONS, MAX_FACTS, MAX_LINK_REQUESTS } from "./limits.ts";

/**
 * Requests of the pack and their answers, JSON both ways, over POST. Every request carries the bridge token in the
 * `Authorization` header.
 */
export const PATHS = { hello: "/bridge/hello", poll: "/bridge/poll", facts: "/bridge/facts" } as const;

const id = text(ID_LENGTH, 1);
const seq = int(0, Number.MAX_SAFE_INTEGER);
const wire = int(1, 1_000_000);

/** First request of a pack, repeated until it is answered and whenever the sidecar does not know the session. */
export const hello = object({
  product: text(32, 1),
  wire,
  wireOldest: wire,
  /** made up by the pack each time its script starts; the same run gets the same session again */
  run: id,
  /** `seq` of the oldest fact that the pack still holds */
  firstFact: seq,
});
export type Hello = Infer<typeof hello>;

/** Texts that players see in the link form; `{browser}` stands for the browser's characters. */
export const formTexts = object({
  title: text(FORM_TEXT_LENGTH, 1),
  body: text(FORM_TEXT_LENGTH, 1),
  accept: text(FORM_TEXT_LENGTH, 1),
  decline: text(FORM_TEXT_LENGTH, 1),
});
export type FormTexts = Infer<typeof formTexts>;

/** A link request that the sidecar has on record. */
export const wantedForm = object({
  request: id,
  player: optional(playerRef),
  browser: text(16, 1),
  /** how long the player may still answer, in milliseconds, counted like `Action.expiresInMs` */
  openForMs: int(0, LIFE_MS),
  /**
   * true: show the form if it is not on the pack's list. false: the sidecar still waits for the outcome of the
   * `link-open`, so keep the form if it is there, but do not make one
   */
  open: bool,
});
export type WantedForm = Infer<typeof wantedForm>;

export const helloAnswer = object({
  product: text(32, 1),
  wire,
  wireOldest: wire,
  /** to be named in every other request */
  session: id,
  /** how often to send a snapshot, in milliseconds */
  refreshMs: int(100, 24 * 60 * 60 * 1000),
  form: formTexts,
  /** every link request on record; the pack forgets all others that it did not get by an action since */
  links: list(wantedForm, MAX_LINK_REQUESTS),
});
export type HelloAnswer = Infer<typeof helloAnswer>;

/** Asks for actions; held open until there is one. */
export const poll = object({
  session: id,
  /** `seq` of the last action that the pack has taken: everything up to it may be forgotten */
  after: seq,
});
export type Poll = Infer<typeof poll>;

/** Reports what happened, answered at once. Only one such request is open at a time. */
export const factsFrame = object({
  session: id,
  after: seq,
  /** `seq` of the first of the facts; the others follow without gaps */
  first: seq,
  facts: list(fact, MAX_FACTS),
});
export type FactsFrame = Infer<typeof factsFrame>;

/** Answer to both: the oldest actions that come after `after`, and what the sidecar has of the facts. */
export const delivery = object({
  actions: list(action, MAX_ACTIONS),
  /** `seq` of the last fact that the sidecar has taken: everything up to it may be forgotten */
  received: seq,
});
export type Delivery = Infer<typeof delivery>;

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
  /** 405 */
  method_not_allowed: 405,
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
export type BridgeError = Infer<typeof bridgeError>;
