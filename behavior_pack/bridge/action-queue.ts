import type { Action, ActionBody, ActionName } from "../../shared/actions.ts";
import type { Outcome } from "../../shared/facts.ts";
import { errorName } from "../notices.ts";
import type { Clock } from "../ports.ts";
import { createRecentKeys } from "../recent-keys.ts";
import { ACTIONS_PER_TICK, createTickBudget } from "../tick-budget.ts";
import { MAX_WAIT_MS } from "./fact-queue.ts";

/** Ids of actions that are remembered, so that none is ever begun twice. */
const REMEMBERED = 2000;

/** How long a change may take to be seen in the game, in ticks, and one that the game refused: it may have come before. */
export const CONFIRM_TICKS = 100;
const REFUSED_TICKS = 20;

/** An outcome that says what it is of. */
type NamedOutcome = Outcome & { do: ActionName };

export type ActionResult = Omit<Outcome, "id" | "do">;

/** Called every tick until it returns a result. */
export type PendingAction = () => ActionResult | PendingAction;

export const DONE: ActionResult = { status: "done" };
export const OFFLINE: ActionResult = { status: "offline" };

/** `sentAt`: wall time of the request whose answer brought the action, in milliseconds. */
interface ActionContext {
  id: string;
  sentAt: number;
}

type Body<N extends ActionName> = { [K in N]: { do: K } & Extract<ActionBody, { do: K }> }[N];

/** What carries out each kind of action; what it throws becomes the outcome `failed`. */
export type ActionHandlers = {
  [N in ActionName]: (body: Body<N>, context: ActionContext) => ActionResult | PendingAction;
};

interface QueuedAction {
  action: Action;
  sentAt: number;
}

/**
 * Begins each action once, in order, a few each tick, and reports its outcome. `sendBy`: wall time until which that may wait;
 * undefined: not at all. The fact queue repeats an outcome until the sidecar has it.
 */
export function createActionQueue(
  clock: Clock,
  handlers: ActionHandlers,
  report: (outcome: NamedOutcome, sendBy?: number) => void,
) {
  const taken = createRecentKeys<true>(REMEMBERED);
  const queue: QueuedAction[] = [];
  let pending: { id: string; what: ActionName; poll: PendingAction }[] = [];
  const budget = createTickBudget(clock, ACTIONS_PER_TICK);

  function settle(id: string, what: ActionName, run: PendingAction, sendBy?: number): void {
    let result: ActionResult | PendingAction;
    try {
      result = run();
    } catch (error) {
      result = { status: "failed", reason: errorName(error) };
    }
    if (typeof result === "function") pending.push({ id, what, poll: result });
    else report({ id, do: what, ...result }, result.status === "done" ? sendBy : undefined);
  }

  function begin({ action, sentAt }: QueuedAction, now: number): void {
    const { id, body, expiresInMs } = action;
    const until = sentAt + expiresInMs;
    if (now >= until) report({ id, do: body.do, status: "expired" });
    else {
      // Nobody waits to learn that a line was shown. The sidecar waits for outcomes somewhat longer than for the beginning.
      const sendBy = body.do === "chat" ? Math.min(until, now + MAX_WAIT_MS) : undefined;
      settle(id, body.do, () => dispatch(handlers, body, { id, sentAt }), sendBy);
    }
  }

  function run(now: number): void {
    while (budget.left() > 0) {
      const next = queue.shift();
      if (next === undefined) return;
      // Reading a long list takes about as long as all the other actions of a tick.
      budget.spend(next.action.body.do.startsWith("allowlist-re") ? ACTIONS_PER_TICK : 1);
      begin(next, now);
    }
  }

  return {
    take(actions: readonly Action[], sentAt: number) {
      for (const action of actions) {
        if (taken.has(action.id)) continue;
        taken.add(action.id, true);
        queue.push({ action, sentAt });
      }
      run(clock.now());
    },
    /** To be called every tick. */
    step(now: number) {
      if (pending.length > 0) {
        const due = pending;
        pending = [];
        for (const { id, what, poll } of due) settle(id, what, poll);
      }
      if (queue.length > 0) run(now);
    },
    /** How many have not been begun, or not ended. */
    size: () => queue.length + pending.length,
  };
}

const dispatch = <N extends ActionName>(handlers: ActionHandlers, body: Body<N>, context: ActionContext) =>
  handlers[body.do](body, context);

/**
 * Makes a change and is done only when it is seen in the game, whatever the game said to it. Otherwise it fails with what was
 * thrown, or with `unchanged`.
 */
export function confirmed(
  isMade: () => boolean,
  make: () => void,
  unchanged: string,
): ActionResult | PendingAction {
  let reason = unchanged;
  let ticksLeft = CONFIRM_TICKS;
  try {
    make();
  } catch (error) {
    ticksLeft = REFUSED_TICKS;
    reason = errorName(error);
  }
  const look: PendingAction = () => {
    if (isMade()) return DONE;
    ticksLeft--;
    return ticksLeft < 0 ? { status: "failed", reason } : look;
  };
  return look();
}
