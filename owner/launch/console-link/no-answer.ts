import { join } from "node:path";
import { PACK_FOLDER } from "../../../bds/built-pack.ts";
import { isFault } from "../../../bds/fault.ts";
import type { Files } from "../../../bds/files.ts";
import { openServer, packIn, type ServerFolder, textAt } from "../../../bds/folder.ts";
import { keepsAchievements, type Manifest } from "../../../bds/manifest.ts";
import { readPackList } from "../../../bds/pack-list.ts";
import { orElse } from "../../../cli/errno.ts";
import { COMMAND } from "../../../shared/console-link/frames.ts";

interface LinkState {
  /** folder of the game server */
  folder: string;
  files: Files;
  /** whether the game has a terminal for its output */
  hasTerminal: boolean;
  /** whether the game has rejected the command of the link */
  isRejected: boolean;
}

/**
 * Why no pack has connected over the console, and what to do, in one line; undefined: the pack that keeps achievements is not
 * installed in this folder.
 */
export function whyNoAnswer({ folder, files, hasTerminal, isRejected }: LinkState): string | undefined {
  const pack = orElse(() => packIn(join(folder, "behavior_packs", PACK_FOLDER), files), undefined);
  if (pack === undefined || isFault(pack) || !keepsAchievements(pack)) return undefined;
  const why = orElse(() => reasonIn(folder, pack, files), undefined);
  if (why !== undefined) return why;
  if (isRejected)
    return `the game rejects the command ${COMMAND}: remove what closes commands in config/commands.json`;
  if (!hasTerminal)
    return "the game server may hold its lines back, since it has no terminal: run this in one, and on Linux install the program script of util-linux";
  return "look for errors of the add-on above, and run the doctor";
}

function reasonIn(folder: string, pack: Manifest, files: Files): string | undefined {
  const server = openServer(folder, files);
  if ("faults" in server) return server.faults[0];
  const { properties, propertiesFile } = server;
  if (!isListed(server, pack, files))
    return `${server.world.lists.behavior} does not list the add-on: stop the game server, and run setup`;
  if (properties.get("content-log-console-output-enabled") !== "true")
    return `${propertiesFile}: set content-log-console-output-enabled=true, and start the game server again`;
  if (properties.get("content-log-level") === "error")
    return `${propertiesFile}: with content-log-level=error the game drops the add-on's lines: set it to info, and start the game server again`;
  return undefined;
}

function isListed({ world }: ServerFolder, { uuid }: Manifest, files: Files): boolean {
  const list = readPackList(textAt(world.lists.behavior, files));
  return !isFault(list) && list.entries.some(({ id }) => id === uuid);
}
