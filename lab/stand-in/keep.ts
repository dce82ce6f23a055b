import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../../cli/sqlite.ts";
import type { ServerFolder } from "../../owner/bds/folder.ts";
import type { SavedWorld } from "../simulator/types.ts";

const fileOf = ({ world }: ServerFolder): string => join(world.folder, "db", "000001.json");

/** What an earlier start has left of a world. */
export function keptWorld(server: ServerFolder): SavedWorld | undefined {
  try {
    const read: SavedWorld = JSON.parse(readFileSync(fileOf(server), "utf8"));
    return read;
  } catch {
    return undefined;
  }
}

/** Keeps it; one that is killed meanwhile leaves the one before. */
export function keepWorld(server: ServerFolder, world: SavedWorld): void {
  const path = fileOf(server);
  writeFileSync(`${path}.new`, JSON.stringify(world));
  renameSync(`${path}.new`, path);
}

/** Holds the lock of the world's database as long as the process runs, so that others see who has it open. */
export function lockWorld({ world }: ServerFolder): () => void {
  // Node has no locks on files. A database has, and leaves an empty file empty.
  const held = openSqlite(world.lock);
  held.exec("PRAGMA journal_mode = MEMORY");
  held.exec("BEGIN EXCLUSIVE");
  return () => held.close();
}
