import type { Action, ActionBody, ActionName } from "../../../shared/actions.ts";
import { MAX_LIFE_MS } from "../../../shared/limits.ts";
import type { NewAction } from "./ports.ts";

/** Actions that may be queued for the game. */
export const CAPACITY = 2_000;

/** How many of them may be of one kind, so that busy visitors leave space for other actions. */
const SHARES: Partial<Record<ActionName, number>> = { chat: 1_000, "link-open": 500 };

/** How many chat messages may be queued when one of another game server is appended: the rest is for the website. */
const RELAY_SHARE = 500;

/** How many actions of its kind may be queued when this one is appended; undefined: only the total is limited. */
export const shareFor = ({ body, isRelayed }: Pick<NewAction, "body" | "isRelayed">): number | undefined =>
  isRelayed ? RELAY_SHARE : SHARES[body.do];

/** Number of replaced runs of the pack that are stored, so that a late request of one has no effect. */
export const RETIRED_RUNS = 16;

/** A replaced run may take over again when its successor has been silent for this long, in milliseconds. */
export const SUCCESSOR_SILENT_MS = 60_000;

interface QueuedAction {
  seq: number;
  id: string;
  body: ActionBody;
  /** when it was appended, and when it expires, in milliseconds */
  at: number;
  until: number;
}

/** An action for a pack whose request arrived at `receivedAt`, from which its times count. */
export const actionFor = ({ seq, id, body, at, until }: QueuedAction, receivedAt: number): Action => ({
  seq,
  id,
  expiresInMs: life(until - receivedAt),
  body: countedFrom(body, at - receivedAt),
});

const life = (ms: number): number => Math.min(MAX_LIFE_MS, Math.max(0, Math.floor(ms)));

/** A body whose times are shifted to count from `shiftMs` earlier. */
function countedFrom(body: ActionBody, shiftMs: number): ActionBody {
  return body.do === "link-open" ? { ...body, openForMs: life(body.openForMs + shiftMs) } : body;
}
