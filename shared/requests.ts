import { ident } from "./actions.ts";
import { banChange } from "./bans.ts";
import { fact } from "./facts.ts";
import { seq, wire } from "./frames.ts";
import { type Infer, list, object, optional, text } from "./guard.ts";
import { BANS_PER_FRAME, MAX_FACTS, MAX_KNOWN_ACTIONS, WORLD_NAME_LENGTH } from "./limits.ts";

// Apart from the answers in frames.ts: only the sidecar checks requests, so that the pack can do without these guards.

/** Which world a game server runs. */
export const world = object({
  /** made up once and kept by the world, by its copies too */
  id: ident,
  /** `level-name` of the server, as its settings for the pack have it */
  name: optional(text(WORLD_NAME_LENGTH)),
});

/** Names of actions that a pack knows beyond those of its wire version; the sidecar may not know all of them. */
export const knownActions = list(ident, MAX_KNOWN_ACTIONS);

/** First request of a pack, repeated until it is answered and whenever the sidecar does not know the session. */
export const hello = object({
  product: text(32, 1),
  wire,
  wireOldest: wire,
  /** made up by the pack each time its script starts; the same run gets the same session again */
  run: ident,
  /** `seq` of the oldest fact that the pack still holds */
  firstFact: seq,
  world: optional(world),
  knows: optional(knownActions),
});
export type Hello = Infer<typeof hello>;

/** Asks for actions; held open until there is one. */
export const poll = object({
  session: ident,
  /** `seq` of the last action that the pack has taken: everything up to it may be forgotten */
  after: seq,
});
export type Poll = Infer<typeof poll>;

/** Reports what happened, answered at once. Only one such request is open at a time. */
export const factsFrame = object({
  session: ident,
  after: seq,
  /** `seq` of the first of the facts; the others follow without gaps */
  first: seq,
  facts: list(fact, MAX_FACTS),
});
export type FactsFrame = Infer<typeof factsFrame>;

/** Reports changes of the list of bans that were made in the game, and asks for other ones; answered at once. */
export const bansFrame = object({
  session: ident,
  /** which list the pack has a copy of, if any */
  list: optional(ident),
  /** number of the last change of it that the pack has */
  after: seq,
  changes: list(banChange, BANS_PER_FRAME),
});
export type BansFrame = Infer<typeof bansFrame>;
