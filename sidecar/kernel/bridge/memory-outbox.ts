import { randomUUID } from "node:crypto";
import type { Action } from "../../../shared/actions.ts";
import { dropOldest } from "../../../shared/drop-oldest.ts";
import { MAX_ACTIONS } from "../../../shared/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Lease } from "../storage/ports.ts";
import { actionFor, CAPACITY, RETIRED_RUNS, SUCCESSOR_SILENT_MS, shareFor } from "./outbox.ts";
import type { NewAction, Outbox, Refusal } from "./ports.ts";

/** Interval of removing old begun actions, in milliseconds: doing so for each action would cost more than the action. */
const CLEANUP_MS = 1_000;

/** A single process never loses its lease. */
const PERMANENT_LEASE: Lease = { token: "" };

interface Entry extends NewAction {
  seq: number;
  /** when it was appended */
  at: number;
  /** when it expires */
  until: number;
  /** whether it was delivered to a pack, and so may have been carried out */
  delivered: boolean;
}

interface Session {
  id: string;
  run: string;
  fact: number;
  lastRequestAt: number;
  /** ends the wait of the open poll */
  wake?: () => void;
}

/** The outbox of a single sidecar process: a queue in memory. Its times are monotonic. */
export function createMemoryOutbox(clock: Clock): Outbox {
  let entries: Entry[] = [];
  /** acknowledged by the session; their outcomes may be pending */
  let begun: Entry[] = [];
  /** no entry expires before this */
  let soonest = Number.POSITIVE_INFINITY;
  let cleanupAt = 0;
  let lastSeq = 0;
  let current: Session | undefined;
  /** sessions by run */
  const retired = new Map<string, string>();
  let waking = false;
  let closed = false;
  /** settles when the previous holder of the lease is done */
  let before: Promise<unknown> = Promise.resolve();

  function deliver(after: number, receivedAt: number): Action[] {
    forgetExpired(clock.monotonic());
    const due = entries.filter(entry => entry.seq > after).slice(0, MAX_ACTIONS);
    return due.map(entry => {
      entry.delivered = true;
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

  /** Actions appended in one iteration of the event loop are delivered in one answer. */
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

  function rejection(id: string): Refusal {
    return [...retired.values()].includes(id) ? "session_replaced" : "unknown_session";
  }

  const expireAfter = (now: number) => (entry: Entry) => entry.until > now;

  function forgetExpired(now: number): void {
    if (now >= soonest) {
      entries = entries.filter(expireAfter(now));
      soonest = Math.min(...entries.map(({ until }) => until));
    }
    if (now < cleanupAt) return;
    begun = begun.filter(expireAfter(now));
    cleanupAt = now + CLEANUP_MS;
  }

  /** Whether the queue, or the share of this kind of action, is full. */
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
      entries.push({ ...action, seq: ++lastSeq, at: now, until, delivered: false });
      wakeSoon();
      return true;
    },
    async withdraw(id) {
      const entry = entries.find(one => one.id === id);
      if (!entry || entry.delivered) return false;
      entries.splice(entries.indexOf(entry), 1);
      return true;
    },
    async open(hello) {
      const now = clock.monotonic();
      if (current?.run === hello.run) {
        current.lastRequestAt = now;
        return { value: { session: current.id, lost: [] } };
      }
      if (current && retired.has(hello.run) && now - current.lastRequestAt < SUCCESSOR_SILENT_MS)
        return { fault: "session_replaced" };
      retired.delete(hello.run);
      if (current) retire(current);
      forgetExpired(now);
      const lost = [...begun.filter(expireAfter(now)), ...entries.filter(entry => entry.delivered)].map(
        ({ id, body }) => ({ id, do: body.do }),
      );
      begun = [];
      entries = entries.filter(entry => !entry.delivered);
      current = {
        id: randomUUID(),
        run: hello.run,
        fact: Math.max(0, hello.firstFact - 1),
        lastRequestAt: now,
      };
      return { value: { session: current.id, lost } };
    },
    async take(id, after, waitMs, signal) {
      const session = current;
      if (session?.id !== id) return { fault: rejection(id) };
      const receivedAt = clock.monotonic();
      session.lastRequestAt = receivedAt;
      begun.push(...entries.filter(entry => entry.seq <= after));
      entries = entries.filter(entry => entry.seq > after);
      const actions = deliver(after, receivedAt);
      if (actions.length > 0 || waitMs <= 0 || closed) return { value: actions };
      session.wake?.();
      await wait(session, waitMs, signal);
      if (current !== session) return { fault: rejection(id) };
      return { value: signal?.aborted ? [] : deliver(after, receivedAt) };
    },
    received: async id =>
      current?.id === id ? { value: { run: current.run, fact: current.fact } } : { fault: rejection(id) },
    withLease(work) {
      const done = before.then(() => work(PERMANENT_LEASE));
      before = done.catch(() => undefined);
      return done;
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
