import type { Probe } from "../probe.ts";
import { gameProbes } from "./game-and-web.ts";
import { netProbes } from "./http.ts";
import { plainProbes } from "./pack.ts";
import { playerProbes } from "./players.ts";
import { firstSteps, lastSteps, middleSteps } from "./steps.ts";
import { storeProbes } from "./storage.ts";

/** All probes in their order: first of the pack as it is, then by the script with probes. */
export const probes: readonly Probe[] = [
  ...firstSteps,
  ...plainProbes,
  ...middleSteps,
  ...storeProbes,
  ...netProbes,
  ...playerProbes,
  ...gameProbes,
  ...lastSteps,
];
