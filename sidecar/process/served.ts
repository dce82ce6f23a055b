import type { BigIntStats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { NOTED_FILE, readNoted } from "../../owner/bds/noted-servers.ts";
import { systemSigns } from "../../owner/bds/system.ts";
import { lockHolder, lockOf } from "../../owner/bds/world-lock.ts";

/** The game server that a sidecar is for. */
export interface Served {
  /** its folder */
  folder: Pick<BigIntStats, "dev" | "ino">;
  /** the process that has its world open, where that can be seen */
  holder: number | undefined;
}

/**
 * The game server that setup was run for last with this storage folder; undefined where none was, its folder is not there any
 * more, or may not be looked at.
 */
export async function readServed(storage: string): Promise<Served | undefined> {
  try {
    const [noted] = readNoted(await readFile(join(storage, NOTED_FILE), "utf8"));
    if (noted === undefined) return undefined;
    const { server, world } = noted;
    const folder = await stat(server, { bigint: true });
    return { folder, holder: holderOf(lockOf(join(server, "worlds", world))) };
  } catch {
    return undefined;
  }
}

function holderOf(lock: string): number | undefined {
  try {
    return lockHolder(lock, systemSigns)?.pid;
  } catch {
    return undefined;
  }
}
