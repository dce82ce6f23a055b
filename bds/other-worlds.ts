import { join } from "node:path";
import { orElse } from "../cli/errno.ts";
import { isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { parseFile, type ServerFolder, worldPaths } from "./folder.ts";
import { readPackList } from "./pack-list.ts";

/**
 * Names of the worlds in a server's folder, other than that of `level-name`, that load a pack. If there are any, `level-name` may
 * be mistyped: the game then makes an empty world of that name. Worlds that cannot be read are left out.
 * @param uuid of the pack's header
 */
export function otherWorldsWith(
  { root, levelName }: Pick<ServerFolder, "root" | "levelName">,
  uuid: string,
  files: Files,
): string[] {
  const worlds = join(root, "worlds");
  const loadsPack = (name: string): boolean => {
    const { levelDat, lists } = worldPaths(join(worlds, name));
    if (files.kindOf(levelDat) !== "file") return false;
    const list = parseFile(lists.behavior, files, readPackList);
    return !isFault(list) && list.entries.some(({ id }) => id === uuid);
  };
  return orElse(() => files.list(worlds), []).filter(
    name => name !== levelName && orElse(() => loadsPack(name), false),
  );
}
