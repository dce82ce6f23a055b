import { ident } from "./actions.ts";
import { banChange } from "./bans.ts";
import { fact } from "./facts.ts";
import { seq, wire } from "./frames.ts";
import { type Infer, list, object, oneOf, optional, text } from "./guard.ts";
import { BANS_PER_FRAME, MAX_FACTS, MAX_KNOWN_ACTIONS, WORLD_NAME_LENGTH } from "./limits.ts";

// Separate from frames.ts: only the sidecar checks requests, so the pack does not need these guards.

/** The world of a game server. */
export const world = object({
  /** generated once and stored in the world, and so in its copies */
  id: ident,
  /** `level-name` of the server, from the pack's settings */
  name: optional(text(WORLD_NAME_LENGTH)),
});

/** Actions that a pack supports beyond those of its wire version; the sidecar may not know all of them. */
export const knownActions = list(ident, MAX_KNOWN_ACTIONS);

/** `command`: the pack cannot hear game chat; players write to the website with `/bridge:say`. */
export const gameChat = oneOf("command");

/** First request of a pack, repeated until it is answered, and whenever the session is unknown to the sidecar. */
export const hello = object({
  product: text(32, 1),
  wire,
  wireOldest: wire,
  /** generated each time the script starts; the same run gets the same session again */
  run: ident,
  /** `seq` of the oldest fact in the pack's queue */
  firstFact: seq,
  world: optional(world),
  knows: optional(knownActions),
  /** missing: the pack reports all game chat */
  gameChat: optional(gameChat),
  /** of the last answer to a hello, whose texts the pack has */
  textsId: optional(ident),
});
export type Hello = Infer<typeof hello>;

/** Requests actions; held open until there is one. */
export const poll = object({
  session: ident,
  /** `seq` of the last action that the pack has taken: the sidecar may drop everything up to it */
  after: seq,
});
export type Poll = Infer<typeof poll>;

/** Reports events; answered immediately. Only one such request is open at a time. */
export const factsFrame = object({
  session: ident,
  after: seq,
  /** `seq` of the first of the facts; the others follow without gaps */
  first: seq,
  facts: list(fact, MAX_FACTS),
});
export type FactsFrame = Infer<typeof factsFrame>;

/** Reports ban changes made in the game, and requests other ones; answered immediately. */
export const bansFrame = object({
  session: ident,
  /** id of the list that the pack has a copy of, if any */
  list: optional(ident),
  /** number of the last change that the pack has */
  after: seq,
  changes: list(banChange, BANS_PER_FRAME),
});
export type BansFrame = Infer<typeof bansFrame>;
