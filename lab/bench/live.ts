import { setTimeout as sleep } from "node:timers/promises";
import { PACK } from "../scale/built.ts";
import { createSimulator, type Simulator } from "../simulator/simulator.ts";
import { TICK_MS } from "./bench.ts";
import { PATIENCE_MS, Played } from "./played.ts";
import { type SidecarProcess, startSidecarProcess, TOKEN } from "./sidecar.ts";

export { WARM_UP } from "./played.ts";

/** A game at 20 ticks a second in this process and the sidecar in another. */
export class Live extends Played {
  readonly sidecar: SidecarProcess;

  private constructor(sidecar: SidecarProcess, game: Simulator, players: number) {
    super(game, players);
    this.sidecar = sidecar;
  }

  /** Starts both and waits until the sidecar shows so many players; `running`: a sidecar that runs already, and ends with it. */
  static async start(players: number, running?: SidecarProcess): Promise<Live> {
    const sidecar = running ?? (await startSidecarProcess());
    const game = await createSimulator({
      pack: PACK,
      variables: { "bridge-url": sidecar.bridge },
      secrets: { "bridge-token": TOKEN },
    });
    const live = new Live(sidecar, game, players);
    await live.#untilSeen(players);
    return live;
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
