import type { Clock } from "../../sidecar/ports.ts";

interface Timer {
  at: number;
  every: number | undefined;
  callback: () => void;
}

/** What turns of the event loop are counted and measured by, on a time that a test moves. */
export const turnsBy = (monotonic: () => number): Pick<Clock, "monotonic" | "soon"> => ({
  monotonic,
  soon: callback => void setImmediate(callback),
});

/** A clock that stands still until a test moves it. */
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

  /** Sets the wall time back by `ms` milliseconds; what waits goes on waiting. */
  setBack(ms: number): void {
    this.#setBack += ms;
  }

  after(ms: number, callback: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: undefined, callback });
  }

  every(ms: number, callback: () => void): () => void {
    return this.#add({ at: this.#now + ms, every: ms, callback });
  }

  /** Turns of the event loop go on, though the time stands still. */
  soon(callback: () => void): void {
    setImmediate(callback);
  }

  /** Moves on by `ms` milliseconds and calls back whatever is due on the way, in its order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#timers].filter(timer => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      if (next.every === undefined) this.#timers.delete(next);
      else next.at += next.every;
      next.callback();
    }
    this.#now = end;
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }
}
