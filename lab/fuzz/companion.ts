import { setTimeout as sleep } from "node:timers/promises";
import type { Fact } from "../../shared/facts.ts";
import { Teller } from "../bench/teller.ts";

/** what it calls its run */
export const RUN = "companion";
const EVERY_MS = 250;
const player = { id: "-1", persistentId: "p-1", name: "Steve" };
const SNAPSHOT: Fact = {
  is: "snapshot",
  ...{ tps: 20, part: 0, parts: 1 },
  rows: [{ player, health: 20, deaths: 0, playerKills: 0, playtimeSeconds: 1 }],
};

/**
 * A game with one player that plays along, so that inputs get behind "there is no game server": it reports, takes what
 * is asked of it, and says that it is done. What goes wrong here shows in the health of the sidecar.
 */
export function startCompanion(bridge: string, token: string) {
  let game: Teller | undefined;
  let isOver = false;
  const report = async (): Promise<void> => {
    while (!isOver) {
      try {
        game ??= await Teller.connect(bridge, token, RUN);
        let asked = await game.tell([SNAPSHOT]);
        while (asked.actions.length > 0) asked = await game.act(asked, player);
      } catch {
        game = undefined;
      }
      await sleep(EVERY_MS);
    }
  };
  void report();
  return {
    session: () => game?.session ?? "none yet",
    leave(): void {
      isOver = true;
    },
  };
}
