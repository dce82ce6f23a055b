import { join } from "node:path";
import { orElse } from "../cli/errno.ts";
import { isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { parseFile, type ServerFolder, worldPaths, worldsIn } from "./folder.ts";
import { readPackList } from "./pack-list.ts";

/**
 * Names of the worlds in a server's folder, other than that of `level-name`, that load a pack. If there are any, `level-name` may
 * be mistyped: the game then makes an empty world of that name.
 * @param uuid of the pack's header
 */
export const otherWorldsWith = (
  { root, levelName }: Pick<ServerFolder, "root" | "levelName">,
  uuid: string,
  files: Files,
): string[] =>
  worldsIn(root, files).filter(name => {
    if (name === levelName) return false;
    const { lists } = worldPaths(join(root, "worlds", name));
    const list = orElse(() => parseFile(lists.behavior, files, readPackList), undefined);
    return list !== undefined && !isFault(list) && list.entries.some(({ id }) => id === uuid);
  });
