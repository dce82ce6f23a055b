import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeServer } from "../../scripts/make-server.mjs";
import type { Given } from "./deviations.ts";
import { putStandIn } from "./put.ts";

/** The game that it stands for. */
const GAME = "1.26.60";

/** Makes the folder of a game server that was never started, with a stand-in for its program. */
export async function makeStandIn(folder: string, deviations: readonly Given[] = []): Promise<void> {
  await makeServer(folder, { game: GAME, levelName: "Bedrock level", world: false });
  rmSync(join(folder, "behavior_packs/broken"), { recursive: true });
  putStandIn(folder, deviations);
}
