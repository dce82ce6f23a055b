import { setTimeout as sleep } from "node:timers/promises";
import { type RealtimeDriver, runRealtime } from "../simulator/realtime.ts";
import { createSimulator, type Player, type Simulator } from "../simulator/simulator.ts";
import { TICK_MS } from "./bench.ts";
import { leaveNothing } from "./leftovers.ts";
import { steadyRandom } from "./numbers.ts";
import { PACK } from "./places.ts";
import { type SidecarProcess, startSidecarProcess, TOKEN } from "./sidecar.ts";

/** What is measured before it counts. */
export const WARM_UP = 5;
const PATIENCE_MS = 10_000;

/** A game at 20 ticks a second in this process and the sidecar in another. */
export class Live {
  readonly sidecar: SidecarProcess;
  readonly game: Simulator;
  readonly players: Player[] = [];
  readonly #driver: RealtimeDriver;
  readonly #forget: () => void;
  /** called back right after each tick */
  #afterTick: (() => void) | undefined;

  private constructor(sidecar: SidecarProcess, game: Simulator) {
    this.sidecar = sidecar;
    this.game = game;
    // What is put off from the beginning of a tick comes when the tick is over.
    this.#driver = runRealtime(game, { onTick: () => setImmediate(() => this.#afterTick?.()) });
    this.#forget = leaveNothing(() => void this.#driver.stop());
  }

  /** Starts both and waits until the sidecar shows so many players; `running`: a sidecar that runs already, and ends with it. */
  static async start(players: number, running?: SidecarProcess): Promise<Live> {
    const sidecar = running ?? (await startSidecarProcess());
    const game = await createSimulator({
      pack: PACK,
      variables: { "bridge-url": sidecar.bridge },
      secrets: { "bridge-token": TOKEN },
    });
    const live = new Live(sidecar, game);
    for (let i = 0; i < players; i++) live.players.push(game.world.join(`Player ${i}`));
    await live.#untilSeen(players);
    return live;
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
    const random = steadyRandom();
    const taken: number[] = [];
    for (let i = -WARM_UP; i < count; i++) {
      await sleep(TICK_MS * (1.5 + random()));
      const ms = await measure(i);
      if (i >= 0) taken.push(ms);
      if (i >= 0 && i % 40 === 0) say(`${i} of ${count} ${what}`);
    }
    return taken;
  }

  async end(): Promise<void> {
    await this.#driver.stop();
    this.#forget();
    this.game.dispose();
    await this.sidecar.end();
  }

  async #untilSeen(players: number): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (performance.now() < end) {
      const answer = await fetch(`${this.sidecar.base}/players`);
      const rows = (await answer.json()) as unknown;
      if (Array.isArray(rows) && rows.length === players) return;
      await sleep(TICK_MS);
    }
    throw new Error(`the sidecar did not get to see ${players} players`);
  }
}
