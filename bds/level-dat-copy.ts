import { createHash } from "node:crypto";
import { join, relative, sep } from "node:path";
import { isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import type { ServerFolder } from "./folder.ts";
import { isObject } from "./json-text.ts";
import { levelDatAt } from "./level-dat.ts";
import { journalFolder } from "./setup-folder.ts";
import { setupNotes } from "./setup-journal.ts";

type Server = Pick<ServerFolder, "root" | "world">;

/** The copy that the game keeps beside a level.dat. */
const gameCopyOf = ({ world }: Server): string => join(world.folder, "level.dat_old");

/** Path of a copy of the world's level.dat that can be read: the game's, or that of setup. */
export function readableLevelCopy(server: Server, files: Files): string | undefined {
  const copies = [gameCopyOf(server), setupCopyOf(server, files)].filter(path => path !== undefined);
  return copies.find(path => {
    const level = levelDatAt(path, files);
    return level !== undefined && !isFault(level);
  });
}

export const lacksOnlyLevelDat = (server: Server, files: Files): boolean =>
  files.kindOf(server.world.levelDat) === undefined &&
  (files.kindOf(join(server.world.folder, "db")) === "folder" || files.kindOf(gameCopyOf(server)) === "file");

/** Path of the level.dat that setup has copied, when its journal says that it is this world's. */
function setupCopyOf({ root, world }: Server, files: Files): string | undefined {
  const { entries } = setupNotes(root, files);
  const short = relative(root, world.levelDat).split(sep).join("/");
  const entry = Array.isArray(entries)
    ? entries.find(each => isObject(each) && each.path === short)
    : undefined;
  const path = join(journalFolder(root), "level.dat.before-web-bridge");
  const bytes = files.kindOf(path) === "file" ? files.read(path) : undefined;
  if (bytes === undefined || !isObject(entry) || !isObject(entry.before)) return undefined;
  return entry.before.state === createHash("sha256").update(bytes).digest("hex") ? path : undefined;
}
