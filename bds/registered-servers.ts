import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../cli/errno.ts";
import { anything, check, checkJson, object, optional, text } from "../shared/guard.ts";
import type { ServerFolder } from "./folder.ts";
import { systemFiles } from "./system.ts";
import { giveToFolderOwner } from "./users.ts";

/** In the sidecar's folder of data: the servers that were set up for it, the last one first. */
export const REGISTERED_SERVERS_FILE = "server.json";
/** Twice as many as one sidecar can have. */
const MAX_SERVERS = 64;
const MAX_PATH = 4096;
const MAX_NAME = 32;

/** A server that was set up for a sidecar: its folder, and the name of its world. */
export interface RegisteredServer {
  server: string;
  world: string;
  /** its name in `servers` of the configuration; undefined: it is the first one */
  name?: string | undefined;
}

const file = object({ servers: anything });
const registered = object({
  server: text(MAX_PATH),
  world: text(MAX_PATH),
  name: optional(text(MAX_NAME, 1)),
});

/** Parses such a file; of a damaged one what can be read. An earlier version has stored one server. */
export function parseRegisteredServers(json: string): RegisteredServer[] {
  const read = checkJson(file, json);
  if ("fault" in read) return [];
  const { servers = [read.value] } = read.value;
  if (!Array.isArray(servers)) return [];
  return servers.slice(0, MAX_SERVERS).flatMap((each: unknown) => {
    const one = check(registered, each);
    return "value" in one ? [plain(one.value)] : [];
  });
}

const plain = ({ server, world, name }: RegisteredServer): RegisteredServer => ({
  server,
  world,
  ...(name !== undefined && { name }),
});

/**
 * The servers that were set up for a sidecar, the last one first.
 * @param storage folder of the sidecar's data
 */
export function registeredServers(storage: string): RegisteredServer[] {
  const bytes = orElse(() => systemFiles.read(join(storage, REGISTERED_SERVERS_FILE)), undefined);
  return bytes === undefined ? [] : parseRegisteredServers(new TextDecoder().decode(bytes));
}

/** Folder of the first game server of a sidecar; undefined: none is registered. */
export const firstServer = (storage: string): string | undefined =>
  registeredServers(storage).find(({ name }) => name === undefined)?.server;

/** What setup has registered for a server. */
export const registrationOf = (root: string, storage: string): RegisteredServer | undefined =>
  registeredServers(storage).find(({ server }) => server === root);

/**
 * Registers the server that a sidecar was set up for. A failure is ignored: the running sidecar reports a conflict too.
 * @param name its name in `servers` of the configuration; undefined: it is the first one
 */
export function registerServer(
  { root, levelName }: Pick<ServerFolder, "root" | "levelName">,
  storage: string,
  name: string | undefined,
): void {
  const before = registeredServers(storage);
  const last = before.find(each => each.name === name);
  if (last?.server === root && last.world === levelName) return;
  const others = before.filter(({ server }) => server !== root);
  const servers = [plain({ server: root, world: levelName, name }), ...others].slice(0, MAX_SERVERS);
  orElse(() => {
    const path = join(storage, REGISTERED_SERVERS_FILE);
    // A pipe or a device there is not written to.
    rmSync(path, { force: true });
    writeFileSync(path, `${JSON.stringify({ servers })}\n`, { mode: 0o600, flag: "wx" });
    giveToFolderOwner(path);
  }, undefined);
}
