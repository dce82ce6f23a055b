import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../cli/errno.ts";
import type { Files } from "./files.ts";
import { openServer, type ServerFolder, scriptFolder } from "./folder.ts";
import {
  parseRegisteredServers,
  REGISTERED_SERVERS_FILE,
  type RegisteredServer,
  withRegisteredServer,
} from "./registered-servers.ts";
import { type ProcessTable, runningServers } from "./running-servers.ts";
import { filesIn, realFolder } from "./safe-paths.ts";
import { valuesIn } from "./script-config.ts";
import { systemFiles } from "./system.ts";
import { giveToFolderOwner } from "./users.ts";

/** A sidecar as its files have it. */
interface Sidecar {
  /** folder of its data */
  storage: string;
}

/** Another server that has a token of a sidecar. */
interface OtherServer {
  root: string;
  world: string;
  /** of the game server that has this token in the sidecar's configuration */
  name: string;
  /** its process; undefined: it does not run, or that cannot be seen */
  pid: number | undefined;
}

/**
 * The other servers that have one of these tokens of a sidecar, of those that were set up for it and those that run: each token
 * is for one game server, and the copy of a server's folder has the token of the first.
 * @param root folder of the server that is looked at
 * @param tokens by the names of the game servers
 * @param module uuid of the pack's script module
 */
export function otherServers(
  root: string,
  sidecar: Sidecar,
  tokens: ReadonlyMap<string, string>,
  module: string,
  files: Files,
  processes?: ProcessTable,
): OtherServer[] {
  if (tokens.size === 0) return [];
  const running = processes === undefined ? [] : runningServers(processes);
  const seen = running
    .flatMap(({ root, programs }) => [root, programs])
    .map(server => ({ server, world: "" }));
  const nameOf = new Map([...tokens].map(([name, token]) => [token, name]));
  const others = [...registeredServers(sidecar), ...seen].filter(
    ({ server }, place, all) => server !== root && all.findIndex(each => each.server === server) === place,
  );
  return others.flatMap(({ server, world }) => {
    const name = nameOf.get(String(packToken(server, module, files)));
    if (name === undefined) return [];
    const pid = running.find(each => each.root === server || each.programs === server)?.pid;
    return [{ root: server, world: worldOf(server, files) ?? world, name, pid }];
  });
}

/** The servers that were ever set up for a sidecar, the last one first. */
export function registeredServers({ storage }: Sidecar): RegisteredServer[] {
  const bytes = orElse(() => systemFiles.read(join(storage, REGISTERED_SERVERS_FILE)), undefined);
  return bytes === undefined ? [] : parseRegisteredServers(new TextDecoder().decode(bytes));
}

/** What a server's world is called now, whatever was noted; undefined: its folder cannot be read. */
const worldOf = (root: string, files: Files): string | undefined =>
  orElse(() => {
    const real = realFolder(root);
    const server = openServer(real, filesIn(real, files));
    return "faults" in server ? undefined : server.levelName;
  }, undefined);

/** What was noted of a server when setup was last run for it. */
export const registrationOf = (root: string, sidecar: Sidecar): RegisteredServer | undefined =>
  registeredServers(sidecar).find(({ server }) => server === root);

/**
 * Notes the server that a sidecar was set up for. It is of no harm where that cannot be.
 * @param name which of `servers` in its configuration it is; undefined: the first one
 */
export function registerServer(
  { root, levelName }: Pick<ServerFolder, "root" | "levelName">,
  sidecar: Sidecar,
  name: string | undefined,
): void {
  const before = registeredServers(sidecar);
  const last = before.find(each => each.name === name);
  if (last?.server === root && last.world === levelName) return;
  const text = withRegisteredServer(before, { server: root, world: levelName, name });
  // The sidecar tells at run time, too, when two servers want it.
  orElse(() => {
    const file = join(sidecar.storage, REGISTERED_SERVERS_FILE);
    // Whatever is there, such as a pipe, is not written to.
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
    giveToFolderOwner(file);
  }, undefined);
}

/** The token that the pack of a server has; undefined: it has none, or cannot be looked at. */
export const packToken = (root: string, module: string, files: Files): unknown =>
  orElse(() => {
    const real = realFolder(root);
    return valuesIn(join(scriptFolder(real, module), "secrets.json"), filesIn(real, files))?.["bridge-token"];
  }, undefined);
