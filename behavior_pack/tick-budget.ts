import type { Clock } from "./ports.ts";

/** What may be done in one tick, in whatever unit; each tick has as much again. */
export function createTickBudget(clock: Clock, perTick: number) {
  let tick = -1;
  let left = 0;
  return {
    /** What is left for this tick: none at 0 and below. */
    left(): number {
      if (tick !== clock.tick()) {
        tick = clock.tick();
        left = perTick;
      }
      return left;
    },
    spend(amount: number) {
      left -= amount;
    },
  };
}
