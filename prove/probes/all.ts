import type { Probe } from "../probe.ts";
import { consoleLinkProbes } from "./console-link.ts";
import { consolePlayerProbes } from "./console-players.ts";
import { gameAndWebProbes } from "./game-and-web.ts";
import { httpProbes } from "./http.ts";
import { packProbes } from "./pack.ts";
import { playerProbes } from "./players.ts";
import { firstSteps, lastSteps, middleSteps } from "./steps.ts";
import { storageProbes } from "./storage.ts";

/** All probes in their order: first of the pack as it is, then by the script with probes, then of the pack that keeps achievements. */
export const probes: readonly Probe[] = [
  ...firstSteps,
  ...packProbes,
  ...middleSteps,
  ...storageProbes,
  ...httpProbes,
  ...playerProbes,
  ...consolePlayerProbes,
  ...gameAndWebProbes,
  ...consoleLinkProbes,
  ...lastSteps,
];
