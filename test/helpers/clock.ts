import type { Clock } from "../../sidecar/platform/clock.ts";

interface Timer {
  at: number;
  every: number | undefined;
  callback: () => void;
}

/** Most timers in one call: a test with more would hardly ever end. */
const MAX_CALLS = 3_000_000;

/** A clock that a test moves. */
export class ManualClock implements Clock {
  #now: number;
  /** how far the wall time was set back, in milliseconds */
  #setBack = 0;
  readonly #timers = new Set<Timer>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  get now(): () => number {
    return () => this.#now - this.#setBack;
  }

  get monotonic(): () => number {
    return () => this.#now;
  }

  /** Sets the wall time back by `ms` milliseconds; timers are not affected. */
  setBack(ms: number): void {
    this.#setBack += ms;
  }

  after(ms: number, callback: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: undefined, callback });
  }

  every(ms: number, callback: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: ms, callback });
  }

  /** Immediates still run while the time stands still. */
  soon(callback: () => void): void {
    setImmediate(callback);
  }

  /** Advances by `ms` milliseconds and runs the timers that become due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let calls = 0; ; calls++) {
      const next = this.#next();
      if (next === undefined || next.at > end) break;
      if (calls === MAX_CALLS) throw new Error(`more than ${MAX_CALLS} timers are due within ${ms} ms`);
      this.#now = Math.max(this.#now, next.at);
      if (next.every === undefined) this.#timers.delete(next);
      else next.at += next.every;
      next.callback();
    }
    this.#now = end;
  }

  /** The earliest timer; of several, the one that was set first. */
  #next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer;
    return next;
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}
