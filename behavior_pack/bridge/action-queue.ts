import type { Action, ActionBody, ActionName } from "../../shared/actions.ts";
import type { Outcome } from "../../shared/facts.ts";
import { errorName } from "../notices.ts";
import type { Clock, Poll } from "../ports.ts";
import { createRecentKeys } from "../recent-keys.ts";
import { ACTIONS_PER_TICK, createTickBudget } from "../tick-budget.ts";
import { MAX_WAIT_MS } from "./fact-queue.ts";

/** Number of action ids that are remembered, so that no action is begun twice. */
const MAX_REMEMBERED = 2000;

/** How long a change may take to show in the game, in ticks; the second for one that the game refused, which may show all the same. */
export const CONFIRM_TICKS = 100;
const REFUSED_TICKS = 20;

/** How long an answer of the game may take, in ticks: the sidecar waits as long. */
const ANSWER_TICKS = 200;

/** An outcome with the name of its action. */
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

/** A handler for each kind of action. An error that it throws becomes the outcome `failed`. */
export type ActionHandlers = {
  [N in ActionName]: (body: Body<N>, context: ActionContext) => ActionResult | PendingAction;
};

interface QueuedAction {
  action: Action;
  sentAt: number;
}

/**
 * Begins each action once, in order, a few each tick, and reports its outcome. `sendBy`: wall time until which the outcome may wait;
 * undefined: send it at once. The fact queue resends an outcome until the sidecar acknowledges it.
 */
export function createActionQueue(
  clock: Clock,
  handlers: ActionHandlers,
  report: (outcome: NamedOutcome, sendBy?: number) => void,
) {
  const begunIds = createRecentKeys<true>(MAX_REMEMBERED);
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
      // Nobody waits for the outcome of a chat message. The sidecar allows more time for an outcome than for the start.
      const sendBy = body.do === "chat" ? Math.min(until, now + MAX_WAIT_MS) : undefined;
      settle(id, body.do, () => dispatch(handlers, body, { id, sentAt }), sendBy);
    }
  }

  function run(now: number): void {
    while (budget.left() > 0) {
      const next = queue.shift();
      if (next === undefined) return;
      // Reading a long allowlist takes about as long as all other actions of a tick.
      budget.spend(next.action.body.do.startsWith("allowlist-re") ? ACTIONS_PER_TICK : 1);
      begin(next, now);
    }
  }

  return {
    take(actions: readonly Action[], sentAt: number) {
      for (const action of actions) {
        if (begunIds.has(action.id)) continue;
        begunIds.add(action.id, true);
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
    /** Number of actions that are queued or running. */
    size: () => queue.length + pending.length,
  };
}

const dispatch = <N extends ActionName>(handlers: ActionHandlers, body: Body<N>, context: ActionContext) =>
  handlers[body.do](body, context);

/** Continues with an answer of the game once it is there. Fails if it does not come. */
export function answered<T>(
  poll: Poll<T>,
  use: (answer: T) => ActionResult | PendingAction,
): ActionResult | PendingAction {
  let ticksLeft = ANSWER_TICKS;
  const look: PendingAction = () => {
    const answer = poll();
    if (answer !== undefined) return use(answer);
    ticksLeft--;
    return ticksLeft < 0 ? { status: "failed", reason: "the game does not answer" } : look;
  };
  return look();
}

/**
 * Makes a change, and is done only once the game shows it, for any result of the call. Otherwise fails with the error thrown, or
 * with `unchanged`. `isMade` begins a reading of the game; `make` returns undefined if there was nothing to do.
 */
export function confirmed(
  isMade: () => Poll<boolean>,
  make: () => Poll<true> | undefined,
  unchanged: string,
): ActionResult | PendingAction {
  let reason = unchanged;
  let ticksLeft = CONFIRM_TICKS;
  let making: Poll<true> | undefined;
  let reading: Poll<boolean> | undefined;

  function attempt(part: () => Poll<true> | undefined): void {
    try {
      making = part();
    } catch (error) {
      making = undefined;
      ticksLeft = REFUSED_TICKS;
      reason = errorName(error);
    }
  }

  function isShown(): boolean {
    if (making !== undefined) attempt(() => (making?.() === undefined ? making : undefined));
    // A reading that began before the change was made would not show it.
    if (making !== undefined) return false;
    reading ??= isMade();
    const answer = reading();
    if (answer !== undefined) reading = undefined;
    return answer === true;
  }

  attempt(make);
  const look: PendingAction = () => {
    if (isShown()) return DONE;
    ticksLeft--;
    return ticksLeft < 0 ? { status: "failed", reason } : look;
  };
  return look();
}
