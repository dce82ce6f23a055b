import { quoted } from "../../cli/commands.ts";
import { isFault } from "../bds/fault.ts";
import { meantWorld, worldsIn } from "../bds/folder.ts";
import { isHeadless, levelCopy } from "../bds/level-copy.ts";
import { levelDatAt } from "../bds/level-dat.ts";
import { type Finding, ok, problem } from "./finding.ts";
import { stopFirst, type Target } from "./target.ts";

/** Whether the world lets scripts use beta modules. Its level.dat has to be there. */
export function checkLevel(target: Target): Finding {
  const { server, around, setup } = target;
  const path = server.world.levelDat;
  const level = levelDatAt(path, around.files) ?? { fault: "it is missing" };
  if (isFault(level)) return problem("level-dat", `${path}: ${level.fault}`, putBack(target));
  return level.betaApis
    ? ok("beta-apis", "the Beta APIs experiment is on: achievements are off in this world for good")
    : problem("beta-apis", `the Beta APIs experiment is off in ${path}`, setup);
}

/** Says why there is no world to look at. */
export function noWorld(target: Target): Finding {
  const { server, around } = target;
  const { world, root, levelName, propertiesFile } = server;
  if (isHeadless(server, around.files)) {
    const what = `${world.levelDat} is missing, and the rest of the world is there`;
    return problem("level-dat", what, putBack(target));
  }
  const what = `${world.folder}: there is no world ${levelName}`;
  const others = worldsIn(root, around.files);
  const stop = stopFirst(target);
  const make = `${stop}start the server once, which makes it, and stop it with "stop" on its console, then: ${target.setup.replace(stop, "")}`;
  const [other] = others;
  if (other === undefined) return problem("world", what, make);
  const meant = meantWorld(levelName, others);
  const set = `set level-name=${meant ?? other} in ${propertiesFile}`;
  const mend = meant === undefined ? `${make}  (to play ${other} instead: ${set})` : set;
  return problem("world", `${what}, but ${others.join(", ")}`, mend);
}

/** What brings a level.dat back. A server that is started without it may make another world of what is there. */
function putBack(target: Target): string {
  const { server, around } = target;
  const { levelDat } = server.world;
  const copy = levelCopy(server, around.files);
  if (copy === undefined) return `${stopFirst(target)}take ${levelDat} from a backup of the world`;
  const [command, from, to] = [around.platform === "win32" ? "copy" : "cp", quoted(copy), quoted(levelDat)];
  const level = levelDatAt(copy, around.files);
  const then =
    level !== undefined && !isFault(level) && level.betaApis
      ? ""
      : `, then: ${target.setup.replace(stopFirst(target), "")}`;
  return `${stopFirst(target)}${command} ${from} ${to}${then}`;
}
