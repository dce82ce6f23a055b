import { join } from "node:path";
import { isFault } from "../../bds/fault.ts";
import { openServer, parseFile, type ServerFolder, scriptFolder, worldsIn } from "../../bds/folder.ts";
import { parseJson } from "../../bds/json-text.ts";
import { levelDatAt } from "../../bds/level-dat.ts";
import { packToken } from "../../bds/other-servers.ts";
import { inside } from "../../bds/safe-paths.ts";
import { tokenFile } from "../../sidecar/config/token.ts";
import { Refusal } from "./change.ts";
import type { Disk } from "./disk.ts";
import { shortPath } from "./journal.ts";

// A copy is the part of a game server's folder that setup needs, downloaded from a host on which setup cannot run.

/** The sidecar's configuration in a copy: on the host the folder of the archive is in that of the server. */
export const COPY_CONFIG = "web-bridge/config.yml";

const PROPERTIES = "server.properties";
/** Stands for the name of the world while that is not known. */
const UNKNOWN_WORLD = "<level-name>";

const copyToken = (as: string | undefined): string => `web-bridge/data/${tokenFile(as)}`;

export interface CopyPaths {
  /** the copy, without links */
  root: string;
  /** the sidecar's configuration, absolute */
  config: string;
  /** id of the pack's script module */
  module: string;
  /** name of the game server; undefined: the first one */
  as: string | undefined;
}

/** The refusal of a copy that lacks files, with a line for each file to download. */
function incomplete(
  { root, module, as }: CopyPaths,
  {
    why,
    required,
    world,
    hint,
  }: { why: string; required: string[]; world: string; hint?: string | undefined },
  disk: Disk,
): Refusal {
  const optional = [
    `worlds/${world}/world_behavior_packs.json`,
    `worlds/${world}/world_resource_packs.json`,
    `${shortPath(root, scriptFolder(root, module))}/`,
    "behavior_packs/web_bridge/",
    "resource_packs/web_bridge/",
    "web-bridge-setup/",
    COPY_CONFIG,
    copyToken(as),
  ].filter(name => !required.includes(name) && disk.kindOf(join(root, name)) === undefined);
  return new Refusal(
    `${root}: ${why}.`,
    "Stop the server on the host, and download these from its folder into this one, to the same places:",
    ...required.map(name => `  ${name}`),
    ...(optional.length === 0 ? [] : ["and these, if the host has them:"]),
    ...optional.map(name => `  ${name}`),
    ...(hint === undefined ? [] : [hint]),
  );
}

/** Opens a copy. Throws `Refusal` if it lacks a file, or has only a part of one. */
export function openCopy(paths: CopyPaths, disk: Disk): ServerFolder {
  const { root, module } = paths;
  if (disk.kindOf(root) === "folder" && (disk.read(join(root, PROPERTIES)) ?? []).length === 0)
    throw incomplete(
      paths,
      {
        why: `${PROPERTIES} is missing or empty`,
        required: [PROPERTIES, `worlds/${UNKNOWN_WORLD}/level.dat`],
        world: UNKNOWN_WORLD,
        hint: `${UNKNOWN_WORLD} is the value of level-name in ${PROPERTIES}.`,
      },
      disk,
    );
  const server = openServer(root, disk, "a copy");
  if ("faults" in server) throw new Refusal(...server.faults);
  const { levelName, world } = server;
  const level = `worlds/${levelName}/level.dat`;
  // Windows and macOS find a folder by a name in another case too, most hosts do not.
  const hasWorld = disk.list(join(root, "worlds")).some(name => name.normalize() === levelName.normalize());
  if (!hasWorld || disk.kindOf(world.levelDat) !== "file") {
    const others = worldsIn(root, disk).filter(name => name !== levelName);
    const hint = `This folder has ${others.map(name => `worlds/${name}`).join(", ")}: if you play that world, set level-name to its name in ${PROPERTIES} on the host, and download that file again.`;
    throw incomplete(
      paths,
      {
        why: `level-name in ${PROPERTIES} is "${levelName}", and ${level} is missing`,
        required: [level],
        world: levelName,
        hint: others.length === 0 ? undefined : hint,
      },
      disk,
    );
  }
  refuseDamaged(world.levelDat, levelDatAt(world.levelDat, disk));
  const settings = ["permissions", "variables", "secrets"].map(name =>
    join(scriptFolder(root, module), `${name}.json`),
  );
  for (const path of [...Object.values(world.lists), ...settings])
    refuseDamaged(
      path,
      parseFile(path, disk, text => (text === undefined ? {} : parseJson(text))),
    );
  return server;
}

/**
 * Refuses a copy whose add-on belongs to a sidecar, but without that sidecar's configuration in it.
 * @param keepsAchievements whether its pack is the one that keeps achievements, which has no token
 */
export function refuseWithoutConfig(
  paths: CopyPaths,
  { levelName }: ServerFolder,
  keepsAchievements: boolean,
  disk: Disk,
): void {
  const { root, config, module, as } = paths;
  const lacksConfig = inside(root, config) !== undefined && disk.kindOf(config) === undefined;
  const hasToken = packToken(root, module, disk) !== undefined;
  if (!lacksConfig || !(hasToken || keepsAchievements)) return;
  const secrets = shortPath(root, join(scriptFolder(root, module), "secrets.json"));
  const remove = hasToken ? `remove bridge-token from ${secrets}` : "delete behavior_packs/web_bridge here";
  throw incomplete(
    paths,
    {
      why: `the add-on ${hasToken ? "has the token of a sidecar" : "is installed"}, and ${COPY_CONFIG} is missing`,
      required: [COPY_CONFIG, copyToken(as)],
      world: levelName,
      hint: `If the sidecar does not run on the host, add --config with its configuration. If its files are lost, ${remove} to start over.`,
    },
    disk,
  );
}

/** Refuses a copy with a sidecar whose data is elsewhere: a token that is made there would not be uploaded. */
export function refuseDataElsewhere({ root, config }: CopyPaths, storage: string): void {
  if (inside(root, config) !== undefined && inside(root, storage) === undefined)
    throw new Refusal(
      `${config}: storage.folder: ${storage}: is not in ${root}: set it to a path relative to that of the file, such as data`,
    );
}

function refuseDamaged(path: string, read: object | undefined): void {
  if (isFault(read))
    throw new Refusal(`${path}: ${read.fault}: download it again, or fix it on the host if it is so there`);
}

/** Undo needs the journal, which may only not have been downloaded. */
export const noJournal = (root: string): Refusal =>
  new Refusal(
    `${root}: web-bridge-setup/ is missing: download it from the server's folder on the host; if the host does not have it, there is nothing to undo`,
  );
