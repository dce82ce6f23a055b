import { isFault } from "../../bds/fault.ts";
import { similarWorld, worldsIn } from "../../bds/folder.ts";
import { gameVersion } from "../../bds/game-version.ts";
import { hasUsedExperiments, levelDatAt } from "../../bds/level-dat.ts";
import { lacksOnlyLevelDat, readableLevelCopy } from "../../bds/level-dat-copy.ts";
import { otherWorldsWith } from "../../bds/other-worlds.ts";
import { quoted } from "../../cli/commands.ts";
import { type Fix, note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byHand, byProperty, bySetup } from "./fixes.ts";
import { isOn } from "./server-properties.ts";
import type { Target } from "./target.ts";

const PAGE = "docs/after-an-update.md";

export function checkWorld(target: Target): Verdict | Verdict[] {
  const { server, system, setup, behavior } = target;
  const { world, root, levelName, propertiesFile } = server;
  if (system.files.kindOf(world.levelDat) === "file") {
    const others = otherWorldsWith(server, behavior.manifest.uuid, system.files);
    const notes = others.map(other =>
      note(
        `worlds/${other} has the add-on too: if that is the world that you play, level-name is wrong: set level-name=${other} in ${propertiesFile}`,
      ),
    );
    return [ok(`its world is ${levelName}`), ...notes];
  }
  if (lacksOnlyLevelDat(server, system.files))
    return problem(`${world.levelDat} is missing, but the rest of the world is there`, putBack(target));
  const worlds = worldsIn(root, system.files);
  const others = worlds.length === 0 ? "" : `: worlds has only ${worlds.join(", ")}`;
  const what = `there is no world "${levelName}" (level-name in ${propertiesFile})${others}`;
  const similar = similarWorld(levelName, worlds);
  if (similar !== undefined) return problem(what, byProperty(target, `level-name=${similar}`));
  const start = 'start the server once, which makes it, and stop it with "stop" on its console';
  const text =
    worlds.length === 0
      ? start
      : `if level-name is mistyped, set level-name=${worlds[0]} in ${propertiesFile}; for a new world, ${start}`;
  return problem(what, { text, command: setup });
}

export function checkLevel(target: Target): Verdict {
  const path = target.server.world.levelDat;
  const level = levelDatAt(path, target.system.files) ?? { fault: "it is missing" };
  if (isFault(level)) return problem(`${path}: ${level.fault}`, putBack(target));
  return level.betaApis
    ? ok("the Beta APIs experiment is on: achievements are off in this world permanently")
    : problem(`the Beta APIs experiment is off in ${path}`, bySetup(target));
}

/** What has turned off achievements in a world whose pack keeps them. */
export function checkAchievements(target: Target): Verdict {
  const path = target.server.world.levelDat;
  const level = levelDatAt(path, target.system.files) ?? { fault: "it is missing" };
  if (isFault(level)) return problem(`${path}: ${level.fault}`, putBack(target));
  if (hasUsedExperiments(level))
    return note(
      `an experiment has been on in this world: its achievements are gone permanently; for all features, run: ${target.setup} --all-features`,
    );
  if (isOn(target, "allow-cheats", false))
    return note("allow-cheats is true in server.properties: cheats turn off achievements in this world");
  return ok("no experiment has been on in this world, and the add-on keeps its achievements");
}

/** How to restore a level.dat. A server without it may create another world in the folder. */
function putBack(target: Target): Fix {
  const { server, system } = target;
  const { levelDat } = server.world;
  const copy = readableLevelCopy(server, system.files);
  if (copy === undefined) return { text: byHand(target, `take ${levelDat} from a backup of the world`) };
  const command = `${system.platform === "win32" ? "copy" : "cp"} ${quoted(copy)} ${quoted(levelDat)}`;
  return { text: byHand(target, "put the copy there, and run doctor again"), command };
}

export function checkGame({ server, system, behavior }: Target): Verdict {
  const { is, isDoubtful, what } = gameVersion(server, behavior.manifest, system.files);
  switch (is) {
    case "unknown":
      return skipped(`version of the game: ${what}`);
    case "right":
      return ok(what);
    case "newer":
      return note(`${what}: if the add-on does not start, see ${PAGE}`);
    case "older":
      if (isDoubtful) return note(`${what}: if the game is not newer than that, update it`);
      return problem(what, `update the game; if you just have, start it once and stop it (${PAGE})`);
  }
}
