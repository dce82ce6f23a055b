import type { BigIntStats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  parseRegisteredServers,
  REGISTERED_SERVERS_FILE,
  type RegisteredServer,
} from "../../../../bds/registered-servers.ts";
import { systemProcesses } from "../../../../bds/system.ts";
import { lockHolder, lockOf } from "../../../../bds/world-lock.ts";

/** Folder of a game server of this sidecar. */
export interface ServedFolder {
  /** identity of the folder */
  folder: Pick<BigIntStats, "dev" | "ino">;
  /** the process that has its world open, if visible */
  holder: number | undefined;
}

/** The folder of the searched game server, and those of the sidecar's other ones. */
export interface ServedFolders {
  /** undefined if setup was never run for it, or its folder does not exist or is not accessible */
  own: ServedFolder | undefined;
  /** folders of other names, if known */
  others: readonly ServedFolder[];
}

/**
 * Reads the game servers that setup has registered in this storage folder, the last one for each name.
 * @param name of the searched game server in `servers` of the configuration; undefined: the first one
 */
export async function readKnown(storage: string, name: string | undefined): Promise<ServedFolders> {
  const text = await readFile(join(storage, REGISTERED_SERVERS_FILE), "utf8").catch(() => "");
  const noted = parseRegisteredServers(text);
  const last = noted.filter((each, place) => noted.findIndex(other => other.name === each.name) === place);
  const own = last.find(each => each.name === name);
  const others = await Promise.all(last.filter(each => each !== own).map(servedOf));
  return { own: own && (await servedOf(own)), others: others.filter(each => each !== undefined) };
}

async function servedOf({ server, world }: RegisteredServer): Promise<ServedFolder | undefined> {
  try {
    const folder = await stat(server, { bigint: true });
    return { folder, holder: holderOf(lockOf(join(server, "worlds", world))) };
  } catch {
    return undefined;
  }
}

function holderOf(lock: string): number | undefined {
  try {
    return lockHolder(lock, systemProcesses)?.pid;
  } catch {
    return undefined;
  }
}
