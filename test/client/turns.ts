import { setImmediate as nextTurn } from "node:timers/promises";

const PATIENCE_TURNS = 200_000;

/** Lets the network go on until the condition holds. */
export async function turnsUntil(condition: () => unknown): Promise<void> {
  for (let i = 0; i < PATIENCE_TURNS; i++) {
    await nextTurn();
    if (condition()) return;
  }
  throw new Error(`did not come to pass: ${condition}`);
}
