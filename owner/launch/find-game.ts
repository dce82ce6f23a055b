import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { isFault } from "../../bds/fault.ts";
import type { Files } from "../../bds/files.ts";
import { isForWindows, programIn } from "../../bds/program.ts";
import { levelNameOf, readProperties } from "../../bds/properties.ts";
import { findRunningServer, type ProcessTable } from "../../bds/running-servers.ts";
import { decodeText, plainText } from "../../bds/text-encoding.ts";
import { lockOf } from "../../bds/world-lock.ts";
import { quoted } from "../../cli/commands.ts";
import { orElse } from "../../cli/errno.ts";

interface System {
  platform: string;
  files: Files;
  processes: ProcessTable;
  isExecutable(path: string): boolean;
}

/** Whether this user may execute a file, which also depends on the mount. */
export const isExecutable = (path: string): boolean =>
  orElse(() => {
    accessSync(path, constants.X_OK);
    return true;
  }, false);

/**
 * The name of the program in a game server's folder, or why it cannot be started, in one line that says what to do.
 * @param folder absolute
 */
export function findGame(folder: string, system: System): { program: string } | { fault: string } {
  const { files, platform } = system;
  if (files.kindOf(folder) === undefined) return { fault: `${folder}: this folder does not exist` };
  if (files.kindOf(folder) !== "folder")
    return { fault: `${folder}: is a file: expected the folder of the game server` };
  const program = programIn(files.list(folder).filter(name => files.kindOf(join(folder, name)) === "file"));
  const expected = platform === "win32" ? "bedrock_server.exe" : "bedrock_server";
  if (program === undefined)
    return { fault: `${folder}: ${expected} is missing: give the folder that contains it` };
  if (isForWindows(program) !== (platform === "win32"))
    return {
      fault: `${folder}: contains the game server for another system: download the one with ${expected}`,
    };
  const path = join(folder, program);
  if (!system.isExecutable(path))
    return {
      fault: `${path}: may not be executed: run chmod +x ${quoted(path)}; if that does not help, its disk is mounted with noexec`,
    };
  const running = findRunningServer(
    { root: folder, world: { lock: lockOf(join(folder, "worlds", levelNameIn(folder, files))) } },
    system.processes,
  );
  if (running === undefined) return { program };
  const who = running.pid === undefined ? "" : ` (process ${running.pid})`;
  return {
    fault: `${folder}: its game server is already running${who}: stop it first, with "stop" on its console if it has one`,
  };
}

/** The world that the game opens; its default where the settings cannot be read. */
export function levelNameIn(folder: string, files: Files): string {
  const bytes = orElse(() => files.read(join(folder, "server.properties")), undefined);
  const text = bytes === undefined ? undefined : decodeText(bytes);
  return levelNameOf(text === undefined || isFault(text) ? new Map() : readProperties(plainText(text.text)));
}
