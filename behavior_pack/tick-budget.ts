import type { Clock } from "./ports.ts";

// Most work of the pack in one tick: the game has 50 ms for everything, and other packs run too.

/** Actions begun, such as chat messages from the website. */
export const ACTIONS_PER_TICK = 10;
/** Polls sent, should the game ever deliver an answer in the tick of the request. */
export const POLLS_PER_TICK = 4;
/** Forms shown, to all players together. */
export const FORMS_PER_TICK = 8;
/** Players read for a snapshot while ticks come at their normal rate, and however few come. */
export const PLAYERS_PER_TICK = 10;
export const MAX_PLAYERS_PER_TICK = 40;
/** Player records stored after a change, and looked at for one that is due. */
export const WRITES_PER_TICK = 4;
export const CHECKS_PER_TICK = 2;

/** Counts what is spent of an amount that each tick has again. */
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
