import { randomUUID } from "node:crypto";
import type { Action } from "../../../shared/actions.ts";
import { dropOldest } from "../../../shared/drop-oldest.ts";
import { MAX_ACTIONS } from "../../../shared/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Lease } from "../storage/ports.ts";
import { actionFor, CAPACITY, RETIRED_RUNS, SUCCESSOR_SILENT_MS, shareFor } from "./outbox.ts";
import type { NewAction, Outbox, Refusal } from "./ports.ts";

/** How often what was begun long ago is forgotten, in milliseconds: for each action that would cost more than the action. */
const TIDY_MS = 1_000;

/** Nobody takes a turn from the only process. */
const ONLY_TURN: Lease = { token: "" };

interface Entry extends NewAction {
  seq: number;
  /** when it was appended */
  at: number;
  /** it must not be begun after this */
  until: number;
  /** a pack has had it, so it may have been carried out */
  handed: boolean;
}

interface Session {
  id: string;
  run: string;
  fact: number;
  heardAt: number;
  /** ends the wait of the poll that is held open */
  wake?: () => void;
}

/** The outbox of a bridge with one sidecar process: a queue in memory. Its times are of the monotonic clock. */
export function createMemoryOutbox(clock: Clock): Outbox {
  let entries: Entry[] = [];
  /** acknowledged by the session, which may not have told their outcome yet */
  let begun: Entry[] = [];
  /** no entry expires before this */
  let soonest = Number.POSITIVE_INFINITY;
  let tidyAt = 0;
  let lastSeq = 0;
  let current: Session | undefined;
  /** sessions by run */
  const retired = new Map<string, string>();
  let waking = false;
  let closed = false;
  /** settles when whoever came before has had their turn */
  let before: Promise<unknown> = Promise.resolve();

  function hand(after: number, receivedAt: number): Action[] {
    forgetExpired(clock.monotonic());
    const due = entries.filter(entry => entry.seq > after).slice(0, MAX_ACTIONS);
    return due.map(entry => {
      entry.handed = true;
      return actionFor(entry, receivedAt);
    });
  }

  function wait(session: Session, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise(resolve => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener("abort", end);
        if (session.wake === end) delete session.wake;
        resolve();
      };
      const cancel = clock.after(waitMs, end);
      signal?.addEventListener("abort", end);
      session.wake = end;
      if (signal?.aborted) end();
    });
  }

  /** What is appended in one turn of the event loop goes out in one answer. */
  function wakeSoon(): void {
    if (waking) return;
    waking = true;
    clock.soon(() => {
      waking = false;
      current?.wake?.();
    });
  }

  function retire(session: Session): void {
    session.wake?.();
    retired.set(session.run, session.id);
    dropOldest(retired, RETIRED_RUNS);
  }

  function whyRefused(id: string): Refusal {
    return [...retired.values()].includes(id) ? "session_replaced" : "unknown_session";
  }

  const expireAfter = (now: number) => (entry: Entry) => entry.until > now;

  function forgetExpired(now: number): void {
    if (now >= soonest) {
      entries = entries.filter(expireAfter(now));
      soonest = Math.min(...entries.map(({ until }) => until));
    }
    if (now < tidyAt) return;
    begun = begun.filter(expireAfter(now));
    tidyAt = now + TIDY_MS;
  }

  /** Whether as many of a kind wait as may. */
  function isFull(action: NewAction): boolean {
    if (entries.length >= CAPACITY) return true;
    const share = shareFor(action);
    if (share === undefined || entries.length < share) return false;
    return entries.filter(({ body }) => body.do === action.body.do).length >= share;
  }

  return {
    async append(action) {
      const now = clock.monotonic();
      forgetExpired(now);
      if (isFull(action)) return false;
      const until = now + action.lifeMs;
      soonest = Math.min(soonest, until);
      entries.push({ ...action, seq: ++lastSeq, at: now, until, handed: false });
      wakeSoon();
      return true;
    },
    async withdraw(id) {
      const entry = entries.find(one => one.id === id);
      if (!entry || entry.handed) return false;
      entries.splice(entries.indexOf(entry), 1);
      return true;
    },
    async open(hello) {
      const now = clock.monotonic();
      if (current?.run === hello.run) {
        current.heardAt = now;
        return { value: { session: current.id, lost: [] } };
      }
      if (current && retired.has(hello.run) && now - current.heardAt < SUCCESSOR_SILENT_MS)
        return { fault: "session_replaced" };
      retired.delete(hello.run);
      if (current) retire(current);
      forgetExpired(now);
      const lost = [...begun.filter(expireAfter(now)), ...entries.filter(entry => entry.handed)].map(
        ({ id, body }) => ({ id, do: body.do }),
      );
      begun = [];
      entries = entries.filter(entry => !entry.handed);
      current = { id: randomUUID(), run: hello.run, fact: Math.max(0, hello.firstFact - 1), heardAt: now };
      return { value: { session: current.id, lost } };
    },
    async take(id, after, waitMs, signal) {
      const session = current;
      if (session?.id !== id) return { fault: whyRefused(id) };
      const receivedAt = clock.monotonic();
      session.heardAt = receivedAt;
      begun.push(...entries.filter(entry => entry.seq <= after));
      entries = entries.filter(entry => entry.seq > after);
      const actions = hand(after, receivedAt);
      if (actions.length > 0 || waitMs <= 0 || closed) return { value: actions };
      session.wake?.();
      await wait(session, waitMs, signal);
      if (current !== session) return { fault: whyRefused(id) };
      return { value: signal?.aborted ? [] : hand(after, receivedAt) };
    },
    received: async id =>
      current?.id === id ? { value: { run: current.run, fact: current.fact } } : { fault: whyRefused(id) },
    withLease(work) {
      const worked = before.then(() => work(ONLY_TURN));
      before = worked.catch(() => undefined);
      return worked;
    },
    async markReceived(id, fact) {
      if (current?.id === id) current.fact = Math.max(current.fact, fact);
    },
    size: async () => entries.length,
    async close() {
      closed = true;
      current?.wake?.();
    },
  };
}
