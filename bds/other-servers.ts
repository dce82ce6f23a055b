import { join } from "node:path";
import { orElse } from "../cli/errno.ts";
import type { Files } from "./files.ts";
import { installedPacks, openServer, scriptFolder } from "./folder.ts";
import { keepsAchievements, scriptModuleOf } from "./manifest.ts";
import { registeredServers } from "./registered-servers.ts";
import { type ProcessTable, runningServers } from "./running-servers.ts";
import { filesIn, realFolder } from "./safe-paths.ts";
import { valuesIn } from "./script-config.ts";
import { setupNotes } from "./setup-journal.ts";

/** Another server that has a token of a sidecar. */
interface OtherServer {
  root: string;
  world: string;
  /** its process id; undefined: it does not run, or is not visible */
  pid: number | undefined;
}

interface Search {
  /** folder of the server whose conflicts are searched for */
  root: string;
  /** folder of the sidecar's data */
  storage: string;
  /** token of one of its game servers; undefined: it has none yet */
  token: string | undefined;
  /** name of that one in `servers` of the configuration; undefined: the first one */
  as: string | undefined;
  module: string;
  files: Files;
  /** undefined: running servers are not checked */
  processes?: ProcessTable;
}

/**
 * Other servers that have a token of a sidecar, among those that were set up for it and those that run. Each token is for one
 * game server; the copy of a server's folder has its token too. A pack that keeps achievements has none: `launch` takes that of the
 * name that setup was given.
 */
export function otherServers({ root, storage, token, as, module, files, processes }: Search): OtherServer[] {
  if (token === undefined) return [];
  const running = processes === undefined ? [] : runningServers(processes);
  const startedHere = running
    .flatMap(({ root, programs }) => [root, programs])
    .map(server => ({ server, world: "" }));
  const registered = registeredServers(storage);
  const others = [...registered, ...startedHere].filter(
    ({ server }, place, all) => server !== root && all.findIndex(each => each.server === server) === place,
  );
  return others
    .filter(({ server }) =>
      hasStablePack(server, module, files)
        ? registered.some(each => each.server === server) && setupNotes(server, files).as === as
        : packToken(server, module, files) === token,
    )
    .map(({ server, world }) => {
      const pid = running.find(each => each.root === server || each.programs === server)?.pid;
      return { root: server, world: worldOf(server, files) ?? world, pid };
    });
}

/** Whether the pack in a server's folder is the one that keeps achievements. */
const hasStablePack = (root: string, module: string, files: Files): boolean =>
  orElse(() => {
    const real = realFolder(root);
    const own = filesIn(real, files);
    const server = openServer(real, own);
    return (
      !("faults" in server) &&
      installedPacks(server, "behavior", own).some(
        ({ manifest }) => scriptModuleOf(manifest)?.uuid === module && keepsAchievements(manifest),
      )
    );
  }, false);

/** The current name of a server's world; undefined: its folder cannot be read. */
const worldOf = (root: string, files: Files): string | undefined =>
  orElse(() => {
    const real = realFolder(root);
    const server = openServer(real, filesIn(real, files));
    return "faults" in server ? undefined : server.levelName;
  }, undefined);

/** The token of the pack in a server; undefined: it has none, or cannot be read. */
export const packToken = (root: string, module: string, files: Files): unknown =>
  orElse(() => {
    const real = realFolder(root);
    return valuesIn(join(scriptFolder(real, module), "secrets.json"), filesIn(real, files))?.["bridge-token"];
  }, undefined);
