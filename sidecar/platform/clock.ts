/** Time and timers, so that tests can control them. */
export interface Clock {
  /** wall time in milliseconds since 1970; it can jump, even backwards */
  now(): number;
  /** milliseconds since some moment, never falling, for waiting */
  monotonic(): number;
  /** calls back once after `ms` milliseconds; returns what cancels it */
  after(ms: number, callback: () => void): () => void;
  /** calls back every `ms` milliseconds; returns what ends it */
  every(ms: number, callback: () => void): () => void;
  /** calls back once in the next turn of the event loop, after pending input has been read */
  soon(callback: () => void): void;
}

/**
 * Milliseconds since 1970 by the clock for deadlines that outlive a process or are shared; setting the clock of this machine does
 * not change it.
 */
export type SharedTime = () => number;

/** Longest wait of a Node timer, in milliseconds; a longer one would end immediately. */
const MAX_WAIT_MS = 0x7fffffff;

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      // Node warns about a negative wait.
      const step = Math.max(0, Math.min(left, MAX_WAIT_MS));
      timer = setTimeout(() => (step < left ? wait(left - step) : callback()), step).unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
  every(ms, callback) {
    const timer = setInterval(callback, Math.min(ms, MAX_WAIT_MS)).unref();
    return () => clearInterval(timer);
  },
  soon(callback) {
    setImmediate(callback);
  },
};

/** Wall time in whole milliseconds that does not change when the clock of the machine is set. */
export function createSteadyTime(clock: Pick<Clock, "now" | "monotonic">): SharedTime {
  const epoch = clock.now() - clock.monotonic();
  return () => Math.round(epoch + clock.monotonic());
}
