import type { Simulator } from "./simulator.ts";

const MAX_BEHIND_MS = 1000;

export interface RealtimeDriver {
  /** Sets the ticks per second of the world. */
  lag(tps: number): void;
  /** Stops ticking; resolves after the current tick. The simulator keeps running. */
  stop(): Promise<void>;
}

interface RealtimeOptions {
  /** Ticks per second. Default 20. */
  readonly tps?: number;
  /** Called before each tick, for example to move the players. */
  readonly onTick?: () => void;
}

/**
 * Ticks a game in real time. Later ticks make up for a late one; a world more than a second
 * late drops the missed ticks, as the game does.
 */
export function runRealtime(simulator: Simulator, options: RealtimeOptions = {}): RealtimeDriver {
  let period = 1000 / checkTps(options.tps ?? 20);
  let due = performance.now() + period;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const step = (): void => {
    options.onTick?.();
    simulator.tickNow();
    const now = performance.now();
    due = Math.max(due + period, now - MAX_BEHIND_MS);
    if (!stopped) timer = setTimeout(step, Math.max(0, due - now));
  };
  timer = setTimeout(step, period);

  return {
    lag(tps) {
      period = 1000 / checkTps(tps);
      due = performance.now() + period;
      if (timer && !stopped) {
        clearTimeout(timer);
        timer = setTimeout(step, period);
      }
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      return Promise.resolve();
    },
  };
}

function checkTps(tps: number): number {
  if (Number.isFinite(tps) && tps > 0 && tps <= 1000) return tps;
  throw new RangeError(`expected ticks per second above 0 and up to 1000, got ${tps}`);
}
