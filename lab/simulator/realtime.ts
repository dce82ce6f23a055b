import type { Simulator } from "./simulator.ts";

const MAX_BEHIND_MS = 1000;

export interface RealtimeDriver {
  /** Makes the world run at so many ticks per second. */
  lag(tps: number): void;
  /** Stops ticking; resolves when the tick under way is over. The simulator is left as it is. */
  stop(): Promise<void>;
}

interface RealtimeOptions {
  /** Ticks per second. Default 20. */
  readonly tps?: number;
  /** Called before each tick, for example to move a cast. */
  readonly onTick?: () => void;
}

/**
 * Ticks a game in real time. A late tick is made up for by the next ones; a world more than a second
 * behind gives the lost ticks up, as the game does.
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
