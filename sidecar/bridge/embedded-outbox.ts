import { randomUUID } from "node:crypto";
import type { Action, ActionBody } from "../../shared/actions.ts";
import { LIFE_MS, MAX_ACTIONS } from "../../shared/limits.ts";
import type { Result } from "../../shared/result.ts";
import type { Clock, NewAction, Outbox, Refusal } from "../ports.ts";

/** Actions that may wait for the game at once. */
const CAPACITY = 2_000;

/** How many of them may be chat, so that a flood of it leaves room for what somebody waits for. */
const CHAT_CAPACITY = 1_000;

/** Runs of the pack that were replaced and are remembered, so that a late request of one changes nothing. */
const RETIRED_RUNS = 16;

/** A replaced run may come back when its successor has not been heard of for this long, in milliseconds. */
const SUCCESSOR_SILENT_MS = 60_000;

interface Entry extends NewAction {
  seq: number;
  appendedAt: number;
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

/** The outbox of a bridge with one sidecar process: a queue in memory. */
export class EmbeddedOutbox implements Outbox {
  readonly #clock: Clock;
  #entries: Entry[] = [];
  #seq = 0;
  #session: Session | undefined;
  readonly #retired = new Map<string, string>();
  #waking = false;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async append(action: NewAction): Promise<boolean> {
    const now = this.#clock.now();
    this.#forgetExpired(now);
    if (this.#entries.length >= CAPACITY) return false;
    if (action.body.do === "chat" && this.#chatLines() >= CHAT_CAPACITY) return false;
    this.#entries.push({ ...action, seq: ++this.#seq, appendedAt: now, handed: false });
    this.#wakeSoon();
    return true;
  }

  async withdraw(id: string): Promise<boolean> {
    const entry = this.#entries.find(one => one.id === id);
    if (!entry || entry.handed) return false;
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    return true;
  }

  async open(hello: {
    run: string;
    firstFact: number;
  }): Promise<Result<{ session: string; lost: string[] }, Refusal>> {
    const now = this.#clock.now();
    const current = this.#session;
    if (current?.run === hello.run) {
      current.heardAt = now;
      return { value: { session: current.id, lost: [] } };
    }
    if (current && this.#retired.has(hello.run) && now - current.heardAt < SUCCESSOR_SILENT_MS)
      return { fault: "session_replaced" };
    this.#retired.delete(hello.run);
    if (current) this.#retire(current);
    const lost = this.#entries.filter(entry => entry.handed).map(entry => entry.id);
    this.#entries = this.#entries.filter(entry => !entry.handed);
    const session = {
      id: randomUUID(),
      run: hello.run,
      fact: Math.max(0, hello.firstFact - 1),
      heardAt: now,
    };
    this.#session = session;
    return { value: { session: session.id, lost } };
  }

  async take(
    id: string,
    after: number,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<Result<Action[], Refusal>> {
    const session = this.#session;
    if (session?.id !== id) return { fault: this.#whyRefused(id) };
    const receivedAt = this.#clock.now();
    session.heardAt = receivedAt;
    this.#entries = this.#entries.filter(entry => entry.seq > after);
    const actions = this.#hand(after, receivedAt);
    if (actions.length > 0 || waitMs <= 0 || this.#closed) return { value: actions };
    session.wake?.();
    await this.#wait(session, waitMs, signal);
    if (this.#session !== session) return { fault: this.#whyRefused(id) };
    return { value: signal?.aborted ? [] : this.#hand(after, receivedAt) };
  }

  async received(id: string): Promise<Result<number, Refusal>> {
    const session = this.#session;
    return session?.id === id ? { value: session.fact } : { fault: this.#whyRefused(id) };
  }

  async markReceived(id: string, fact: number): Promise<void> {
    if (this.#session?.id === id) this.#session.fact = Math.max(this.#session.fact, fact);
  }

  async size(): Promise<number> {
    return this.#entries.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#session?.wake?.();
  }

  #chatLines(): number {
    return this.#entries.reduce((lines, { body }) => (body.do === "chat" ? lines + 1 : lines), 0);
  }

  #hand(after: number, receivedAt: number): Action[] {
    this.#forgetExpired(this.#clock.now());
    const due = this.#entries.filter(entry => entry.seq > after).slice(0, MAX_ACTIONS);
    return due.map(entry => {
      entry.handed = true;
      return {
        seq: entry.seq,
        id: entry.id,
        expiresInMs: life(entry.expiresAt - receivedAt),
        body: countedFrom(entry.body, entry.appendedAt - receivedAt),
      };
    });
  }

  #wait(session: Session, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise(resolve => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener("abort", end);
        if (session.wake === end) delete session.wake;
        resolve();
      };
      const cancel = this.#clock.after(waitMs, end);
      signal?.addEventListener("abort", end);
      session.wake = end;
      if (signal?.aborted) end();
    });
  }

  /** What is appended in one turn of the event loop goes out in one answer. */
  #wakeSoon(): void {
    if (this.#waking) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.#session?.wake?.();
    });
  }

  #retire(session: Session): void {
    session.wake?.();
    this.#retired.set(session.run, session.id);
    const oldest = this.#retired.keys().next().value;
    if (this.#retired.size > RETIRED_RUNS && oldest !== undefined) this.#retired.delete(oldest);
  }

  #whyRefused(id: string): Refusal {
    return [...this.#retired.values()].includes(id) ? "session_replaced" : "unknown_session";
  }

  #forgetExpired(now: number): void {
    this.#entries = this.#entries.filter(entry => entry.expiresAt > now);
  }
}

const life = (ms: number): number => Math.min(LIFE_MS, Math.max(0, Math.floor(ms)));

/** A body whose times count from `shiftMs` earlier. */
function countedFrom(body: ActionBody, shiftMs: number): ActionBody {
  return body.do === "link-open" ? { ...body, openForMs: life(body.openForMs + shiftMs) } : body;
}
