import type { Simulator } from "./simulator.ts";

const MAX_BEHIND_MS = 1000;

export interface RealtimeDriver {
  /** Makes the world lag: so many milliseconds per tick, or so many ticks per second. */
  lag(pace: { readonly msPerTick: number } | { readonly tps: number }): void;
  /** Ticks per second it is set to. */
  readonly tps: number;
  /** Stops ticking; resolves when the tick under way is over. The simulator is left as it is. */
  stop(): Promise<void>;
}

interface RealtimeOptions {
  /** Ticks per second. Default 20. */
  readonly tps?: number;
  /** Called before each tick, for example to move a cast. */
  readonly onTick?: (tick: number) => void;
  /** Called when a tick throws; the driver stops. Default: the error is thrown out of the timer. */
  readonly onError?: (error: unknown) => void;
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
    try {
      options.onTick?.(simulator.world.tick + 1);
      simulator.tickNow();
    } catch (error) {
      stopped = true;
      if (!options.onError) throw error;
      options.onError(error);
      return;
    }
    const now = performance.now();
    due = Math.max(due + period, now - MAX_BEHIND_MS);
    if (!stopped) timer = setTimeout(step, Math.max(0, due - now));
  };
  timer = setTimeout(step, period);

  return {
    lag(pace) {
      period = "tps" in pace ? 1000 / checkTps(pace.tps) : 1000 / checkTps(1000 / pace.msPerTick);
      due = performance.now() + period;
      if (timer && !stopped) {
        clearTimeout(timer);
        timer = setTimeout(step, period);
      }
    },
    get tps() {
      return 1000 / period;
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
