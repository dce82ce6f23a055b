import type { Action, ActionBody, ActionName } from "../../../shared/actions.ts";
import { MAX_LIFE_MS } from "../../../shared/limits.ts";
import type { NewAction } from "./ports.ts";

/** Actions that may wait for the game at once. */
export const CAPACITY = 2_000;

/** How many of them may be of one kind, so that visitors who send many leave room for the rest. */
const SHARES: Partial<Record<ActionName, number>> = { chat: 1_000, "link-open": 500 };

/** How many lines may wait when one of another game server is appended: the rest of `chat` is for lines of the web. */
const RELAY_SHARE = 500;

/** How many actions of its kind may wait where this one is appended; undefined: as many as of all kinds together. */
export const shareFor = ({ body, isRelayed }: Pick<NewAction, "body" | "isRelayed">): number | undefined =>
  isRelayed ? RELAY_SHARE : SHARES[body.do];

/** Replaced runs of the pack that are remembered, so that a late request of one changes nothing. */
export const RETIRED_RUNS = 16;

/** A replaced run may come back when its successor has not been heard of for this long, in milliseconds. */
export const SUCCESSOR_SILENT_MS = 60_000;

interface QueuedAction {
  seq: number;
  id: string;
  body: ActionBody;
  /** when it was appended, and must not be begun any more, in milliseconds */
  at: number;
  until: number;
}

/** An action for a pack whose request came at `receivedAt`, from which its times count. */
export const actionFor = ({ seq, id, body, at, until }: QueuedAction, receivedAt: number): Action => ({
  seq,
  id,
  expiresInMs: life(until - receivedAt),
  body: countedFrom(body, at - receivedAt),
});

const life = (ms: number): number => Math.min(MAX_LIFE_MS, Math.max(0, Math.floor(ms)));

/** A body whose times count from `shiftMs` earlier. */
function countedFrom(body: ActionBody, shiftMs: number): ActionBody {
  return body.do === "link-open" ? { ...body, openForMs: life(body.openForMs + shiftMs) } : body;
}
