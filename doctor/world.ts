import { isFault } from "../bds/fault.ts";
import { readLevelDat } from "../bds/level-dat.ts";
import { type Finding, ok, problem } from "./finding.ts";
import type { Target } from "./target.ts";

/** Whether the world lets scripts use beta modules. Its level.dat has to be there. */
export function checkLevel({ server, around, setup }: Target): Finding {
  const path = server.world.levelDat;
  const level = readLevelDat(around.files.read(path) ?? new Uint8Array());
  if (isFault(level))
    return problem(
      "level-dat",
      `${path}: ${level.fault}`,
      "stop the server, copy level.dat_old of that folder over level.dat, or take it from a backup of the world",
    );
  return level.betaApis
    ? ok("beta-apis", "the Beta APIs experiment is on")
    : problem("beta-apis", `the Beta APIs experiment is off in ${path}`, setup);
}
