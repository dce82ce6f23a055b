import type { Probe } from "../probe.ts";
import { gameProbes } from "./game.ts";
import { netProbes } from "./net.ts";
import { plainProbes } from "./plain.ts";
import { playerProbes } from "./players.ts";
import { firstSteps, lastSteps, middleSteps } from "./steps.ts";
import { storeProbes } from "./store.ts";

/** Everything that is asked, in this order: first of the pack as it is, then by the probes in its script. */
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
