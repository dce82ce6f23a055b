import type { Clock } from "./ports.ts";

/** What may be done in one tick, in whatever unit; each tick has as much again. */
export interface TickBudget {
  /** What is left for this tick: none at 0 and below. */
  left(): number;
  spend(amount: number): void;
}

export function createTickBudget(clock: Clock, perTick: number): TickBudget {
  let tick = -1;
  let left = 0;
  return {
    left() {
      if (tick !== clock.tick()) {
        tick = clock.tick();
        left = perTick;
      }
      return left;
    },
    spend(amount) {
      left -= amount;
    },
  };
}
