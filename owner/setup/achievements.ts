import type { BuiltPack } from "../../bds/built-pack.ts";
import { isContainerImage } from "../../bds/container-image.ts";
import { isFault } from "../../bds/fault.ts";
import { packsOf, type ServerFolder } from "../../bds/folder.ts";
import { hasUsedExperiments, levelDatAt } from "../../bds/level-dat.ts";
import { keepsAchievements } from "../../bds/manifest.ts";
import { stateOf } from "./change.ts";
import type { Disk } from "./disk.ts";
import { entryOf, type Journal } from "./journal.ts";

/** Whether the installed pack is the one that keeps achievements; undefined: none is installed. */
export function installedKeepsAchievements(
  server: ServerFolder,
  { behavior }: { behavior: BuiltPack | undefined },
  disk: Disk,
): boolean | undefined {
  const [installed] = packsOf(server, "behavior", behavior?.manifest.uuid ?? "", disk);
  return installed && keepsAchievements(installed.manifest);
}

/** Whether the world has lost its achievements by an experiment. */
export function hasLostAchievements({ world }: ServerFolder, disk: Disk): boolean {
  const level = levelDatAt(world.levelDat, disk);
  return level !== undefined && !isFault(level) && hasUsedExperiments(level);
}

/** Notes for the owner of a world whose pack keeps achievements, one line each. */
export function achievementNotes(server: ServerFolder, journal: Journal | undefined, disk: Disk): string[] {
  const { root, world, levelName, properties } = server;
  const isByCheats = properties.get("allow-cheats")?.toLowerCase() === "true";
  const isOn = hasLostAchievements(server, disk);
  const path = disk.realPath(world.levelDat);
  const entry = entryOf(root, journal, path);
  // The game has not saved the world since setup changed it.
  const isUnused = entry?.after.includes(stateOf(disk.read(path))) === true;
  const notes: [applies: boolean, note: string][] = [
    [
      isOn && isUnused,
      `the experiment "Beta APIs" is on in worlds/${levelName}, but the game server has not run with it yet. To keep achievements, do not start it: run setup with --undo, then with --keep-achievements`,
    ],
    [
      isOn && !isUnused,
      `an experiment has been on in worlds/${levelName}: its achievements are gone already, whichever pack it has`,
    ],
    [
      isContainerImage(server),
      "this folder is that of a container image, which starts the game server without launch: the add-on that keeps achievements does not connect there (docs/achievements.md)",
    ],
    [isByCheats, "allow-cheats is true in server.properties: cheats turn off achievements too"],
  ];
  return notes.flatMap(([applies, note]) => (applies ? [note] : []));
}
