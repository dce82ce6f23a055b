import { randomUUID } from "node:crypto";
import type { ActionBody, ActionName } from "../../../shared/actions.ts";
import type { Outcome } from "../../../shared/facts.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Lease, Reach } from "../storage/ports.ts";
import type { Bus, Outbox } from "./ports.ts";

/** How long the pack may take to answer an action, in milliseconds. */
export const ACTION_TIMEOUT_MS = 10_000;

/** Whether an outcome may belong to an action with this name: older packs leave the name out. */
export const mayBeOf = (outcome: Outcome, action: ActionName): boolean => (outcome.do ?? action) === action;

/** An action is not begun in this last part of its time (at most half of it), so that its outcome can still be reported. */
const OUTCOME_MARGIN_MS = 500;

/** How long to wait for an outcome while the storage cannot be reached, in milliseconds. */
const STORAGE_WAIT_MS = 500;

/** Actions whose outcomes may be pending. */
const MAX_WAITING = 5_000;

/** How an action ended. */
export type ActionEnd =
  | (Outcome & { names?: readonly string[] })
  /** the queue for the game is full; the action was never begun */
  | { id: string; status: "full" }
  /** no outcome in time; `begun` is false if the action was certainly never begun and never will be */
  | { id: string; status: "timeout"; begun: boolean }
  /** this process ends and the action was never begun; or the storage cannot be reached, and the game may have carried it out */
  | { id: string; status: "away"; begun: boolean };

/** An action that was sent to the game. Neither promise rejects. */
export interface BegunAction {
  /** whether it was queued */
  isQueued: Promise<boolean>;
  ended: Promise<ActionEnd>;
}

/** Sends actions to the game. */
export interface Game {
  /** Sends an action and waits for its outcome, at most `withinMs` milliseconds. Never rejects. */
  act(body: ActionBody, id?: string, lease?: Lease, withinMs?: number): Promise<ActionEnd>;
  /** Sends an action, which ends at most `withinMs` milliseconds later. */
  begin(body: ActionBody, id?: string, lease?: Lease, options?: BeginOptions): BegunAction;
  /** Shows a chat message of another game server, if there is space in the queue. */
  relay(text: string): void;
  /** Settles the wait for an outcome; false: this process does not wait for it. An outcome of another kind of action is ignored. */
  settle(outcome: Outcome, names?: readonly string[]): boolean;
  /**
   * Waits `graceMs` milliseconds for pending actions, then withdraws those that were not delivered, and ends every wait. No action
   * begins afterwards.
   */
  stop(graceMs: number): Promise<void>;
}

interface BeginOptions {
  withinMs?: number;
  isRelayed?: boolean;
}

export function createGame(deps: { clock: Clock; outbox: Outbox; bus: Bus; reach: Reach }): Game {
  const { clock, outbox, bus, reach } = deps;
  let stopped = false;
  /** called when no outcome is pending */
  let idle: (() => void) | undefined;
  const waiting = new Map<
    string,
    { action: ActionName; settle(ended: ActionEnd): void; cancelWait(): Promise<void> }
  >();

  function settle(outcome: Outcome, names?: readonly string[]): boolean {
    const own = waiting.get(outcome.id);
    if (own && mayBeOf(outcome, own.action)) own.settle(names ? { ...outcome, names } : outcome);
    return own !== undefined;
  }

  bus.subscribe(event => {
    if (event.kind === "outcome") settle(event.outcome, event.names);
  });

  // While the storage is unreachable, no outcome can arrive.
  reach.onChange(isAway => {
    if (!isAway) return;
    clock.after(STORAGE_WAIT_MS, () => {
      if (reach.isAway()) for (const [id, { settle }] of waiting) settle({ id, status: "away", begun: true });
    });
  });

  function forget(id: string): void {
    waiting.delete(id);
    if (waiting.size === 0) idle?.();
  }

  function begin(
    body: ActionBody,
    id: string = randomUUID(),
    lease?: Lease,
    { withinMs = ACTION_TIMEOUT_MS, isRelayed = false }: BeginOptions = {},
  ): BegunAction {
    if (stopped) return never({ id, status: "away", begun: false });
    if (waiting.size >= MAX_WAITING) return never({ id, status: "full" });
    const ended = new Promise<ActionEnd>(resolve => {
      const settle = (how: ActionEnd): void => {
        cancel();
        forget(id);
        resolve(how);
      };
      const cancelWait = async (): Promise<void> => {
        cancel();
        forget(id);
        const isWithdrawn = await outbox.withdraw(id).catch(() => false);
        resolve({ id, status: "timeout", begun: !isWithdrawn });
      };
      const cancel = clock.after(withinMs, cancelWait);
      waiting.set(id, { action: body.do, settle, cancelWait });
    });
    const lifeMs = withinMs - Math.min(OUTCOME_MARGIN_MS, withinMs / 2);
    const fail = (how: ActionEnd): false => {
      waiting.get(id)?.settle(how);
      return false;
    };
    const isQueued = outbox.append({ id, body, lifeMs, ...(isRelayed && { isRelayed }) }, lease).then(
      hasRoom => hasRoom || fail({ id, status: "full" }),
      () => fail({ id, status: "away", begun: true }),
    );
    return { isQueued, ended };
  }

  const never = (how: ActionEnd): BegunAction => ({
    isQueued: Promise.resolve(false),
    ended: Promise.resolve(how),
  });

  const act = (body: ActionBody, id?: string, lease?: Lease, withinMs?: number): Promise<ActionEnd> =>
    begin(body, id, lease, withinMs === undefined ? {} : { withinMs }).ended;

  return {
    act,
    begin,
    relay: text => void begin({ do: "chat", text }, undefined, undefined, { isRelayed: true }),
    settle,
    async stop(graceMs) {
      let over = false;
      const cancel = clock.after(graceMs, () => {
        over = true;
        idle?.();
      });
      while (waiting.size > 0 && !over) {
        await new Promise<void>(resolve => {
          idle = resolve;
        });
        // The outcome of one action may lead to another action.
        await new Promise<void>(resolve => clock.soon(resolve));
      }
      cancel();
      stopped = true;
      await Promise.all([...waiting.values()].map(({ cancelWait }) => cancelWait()));
    },
  };
}
