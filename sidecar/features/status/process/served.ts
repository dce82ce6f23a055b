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

/** A game server that a sidecar is for. */
export interface ServedFolder {
  /** its folder */
  folder: Pick<BigIntStats, "dev" | "ino">;
  /** the process that has its world open, where that can be seen */
  holder: number | undefined;
}

/** The game server that is looked for among those that a sidecar is for. */
export interface ServedFolders {
  /** undefined where setup was never run for it, its folder is not there any more, or may not be looked at */
  own: ServedFolder | undefined;
  /** those of other names, as far as they are known */
  others: readonly ServedFolder[];
}

/**
 * What setup has noted with this storage folder: of each name the game server that it was run for last.
 * @param name of the one that is looked for, as the configuration calls it in `servers`; undefined: the first one
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
