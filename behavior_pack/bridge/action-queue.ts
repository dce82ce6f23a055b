import type { Action, ActionBody, ActionName } from "../../shared/actions.ts";
import type { Outcome } from "../../shared/facts.ts";
import { errorName } from "../notices.ts";
import type { Clock } from "../ports.ts";
import { createSeen } from "../recent-keys.ts";
import { createTickBudget } from "../tick-budget.ts";
import { RIDE_MS } from "./fact-queue.ts";

/** Actions begun in one tick. */
const ACTIONS_PER_TICK = 10;

/** Ids of actions that are remembered, so that none is ever begun twice. */
const REMEMBERED = 2000;

/** An outcome that says what it is of. */
type NamedOutcome = Outcome & { do: ActionName };

export type ActionResult = Omit<Outcome, "id" | "do">;

/** Asked again every tick until it returns a result. */
export type PendingAction = () => ActionResult | PendingAction;

/** When the request was sent by whose answer an action came: wall time in milliseconds. */
interface ActionContext {
  id: string;
  sentAt: number;
}

type Body<N extends ActionName> = { [K in N]: { do: K } & Extract<ActionBody, { do: K }> }[N];

/** What carries out each kind of action; what it throws becomes the outcome `failed`. */
export type Handlers = {
  [N in ActionName]: (body: Body<N>, context: ActionContext) => ActionResult | PendingAction;
};

interface Queued {
  action: Action;
  sentAt: number;
}

/**
 * Begins each action once, in order, a few each tick, and reports what became of it; `by`: wall time until which that may
 * wait to be told, at once where there is none.
 */
export function createActions(
  clock: Clock,
  handlers: Handlers,
  report: (outcome: NamedOutcome, by?: number) => void,
) {
  const seen = createSeen<true>(REMEMBERED);
  const queue: Queued[] = [];
  let pending: { id: string; what: ActionName; poll: PendingAction }[] = [];
  const budget = createTickBudget(clock, ACTIONS_PER_TICK);

  function settle(id: string, what: ActionName, run: () => ActionResult | PendingAction, by?: number): void {
    let result: ActionResult | PendingAction;
    try {
      result = run();
    } catch (error) {
      result = { status: "failed", reason: errorName(error) };
    }
    if (typeof result === "function") pending.push({ id, what, poll: result });
    else report({ id, do: what, ...result }, result.status === "done" ? by : undefined);
  }

  function begin({ action, sentAt }: Queued, now: number): void {
    const { id, body, expiresInMs } = action;
    const until = sentAt + expiresInMs;
    if (now >= until) report({ id, do: body.do, status: "expired" });
    else {
      // Nobody hears that a line was shown. The sidecar waits for outcomes somewhat longer than for the beginning.
      const by = body.do === "chat" ? Math.min(until, now + RIDE_MS) : undefined;
      settle(id, body.do, () => dispatch(handlers, body, { id, sentAt }), by);
    }
  }

  function run(now: number): void {
    while (budget.left() > 0) {
      const queued = queue.shift();
      if (queued === undefined) return;
      // To read a long list takes about as long as all the other actions of a tick.
      budget.spend(queued.action.body.do.startsWith("allowlist-re") ? ACTIONS_PER_TICK : 1);
      begin(queued, now);
    }
  }

  return {
    take(actions: readonly Action[], sentAt: number) {
      for (const action of actions) {
        if (seen.has(action.id)) continue;
        seen.add(action.id, true);
        queue.push({ action, sentAt });
      }
      run(clock.now());
    },
    /** To be called every tick. */
    step(now: number) {
      if (pending.length > 0) {
        const asked = pending;
        pending = [];
        for (const { id, what, poll } of asked) settle(id, what, poll);
      }
      if (queue.length > 0) run(now);
    },
    /** How many have not been begun, or not ended. */
    size: () => queue.length + pending.length,
  };
}

const dispatch = <N extends ActionName>(handlers: Handlers, body: Body<N>, context: ActionContext) =>
  handlers[body.do](body, context);
