import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../simulator/random.ts";
import { runRealtime } from "../simulator/realtime.ts";
import { createSimulator, type Player, type Simulator } from "../simulator/simulator.ts";
import type { SimulatorOptions } from "../simulator/types.ts";
import { TICK_MS } from "./bench.ts";
import { leaveNothing } from "./leftovers.ts";

/** What is measured before it counts. */
export const WARM_UP = 5;
export const PATIENCE_MS = 10_000;

/** A game at 20 ticks a second in this process. */
export class Played {
  readonly game: Simulator;
  readonly players: Player[] = [];
  readonly end: () => Promise<void>;
  /** called back right after each tick */
  #afterTick: (() => void) | undefined;

  protected constructor(game: Simulator, players: number) {
    this.game = game;
    // What is put off from the beginning of a tick comes when the tick is over.
    const driver = runRealtime(game, { onTick: () => setImmediate(() => this.#afterTick?.()) });
    this.end = leaveNothing(async () => {
      await driver.stop();
      game.dispose();
    });
    for (let i = 0; i < players; i++) this.players.push(game.world.join(`Player ${i}`));
  }

  /** Starts a game with a pack in it, and lets so many players join. */
  static async play(players: number, options: SimulatorOptions): Promise<Played> {
    return new Played(await createSimulator(options), players);
  }

  /** Milliseconds from calling `begin` until the end of the first tick after which `shown` holds. */
  async untilShown(begin: () => void, shown: () => boolean): Promise<number> {
    const begun = performance.now();
    begin();
    return new Promise((resolve, reject) => {
      this.#afterTick = () => {
        const ms = performance.now() - begun;
        if (shown()) resolve(ms);
        else if (ms < PATIENCE_MS) return;
        else reject(new Error("the game did not show it"));
        this.#afterTick = undefined;
      };
    });
  }

  /** Settles right after the next tick. */
  tick(): Promise<void> {
    return new Promise(resolve => {
      this.#afterTick = () => {
        this.#afterTick = undefined;
        resolve();
      };
    });
  }

  /** Measures one after another, each at another moment of a tick. `measure` gets a number below 0 while it warms up. */
  async repeat(
    count: number,
    { say, what }: { say(words: string): void; what: string },
    measure: (i: number) => Promise<number>,
  ): Promise<number[]> {
    const random = seededRandom(1);
    const taken: number[] = [];
    for (let i = -WARM_UP; i < count; i++) {
      await sleep(TICK_MS * (1.5 + random()));
      const ms = await measure(i);
      if (i >= 0) taken.push(ms);
      if (i >= 0 && i % 40 === 0) say(`${i} of ${count} ${what}`);
    }
    return taken;
  }
}
