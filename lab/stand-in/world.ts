import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Int8, Int32, NBTData, type RootTag, read, write } from "nbtify";
import type { ServerFolder } from "../../bds/folder.ts";
import { openSqlite } from "../../cli/sqlite.ts";
import type { SavedWorld } from "../simulator/types.ts";

/** The game that makes the worlds. */
const VERSION = [1, 26, 60, 6, 0];
/** What scripts may use where nobody has said otherwise. */
const MODULES = ["server-gametest", "server", "server-ui", "server-admin", "server-editor"];
const PERMISSIONS = { allowed_modules: MODULES.map(name => `@minecraft/${name}`) };

/** What a server makes at its first start: settings for all scripts, and the world where there is none. */
export async function makeWhatIsMissing({ root, world, levelName }: ServerFolder): Promise<void> {
  const put = (path: string, text: string | Uint8Array): void => {
    if (existsSync(path)) return;
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  };
  put(join(root, "config/default/permissions.json"), JSON.stringify(PERMISSIONS, undefined, 4));
  put(join(root, "allowlist.json"), "[]\n");
  put(join(root, "permissions.json"), "[]\n");
  put(join(root, "valid_known_packs.json"), "[]\n");
  put(world.levelDat, await newLevel(levelName));
  put(join(world.folder, "levelname.txt"), levelName);
  put(join(world.folder, "db/CURRENT"), "MANIFEST-000001\n");
  put(world.lock, "");
}

/** A world without experiments. */
function newLevel(name: string): Promise<Uint8Array> {
  const root: RootTag = {
    LevelName: name,
    StorageVersion: new Int32(10),
    GameType: new Int32(0),
    RandomSeed: 4711n,
    LastPlayed: seconds(),
    currentTick: 0n,
    experiments: { experiments_ever_used: new Int8(0), saved_with_toggled_experiments: new Int8(0) },
    lastOpenedWithVersion: VERSION.map(part => new Int32(part)),
  };
  return bytesOf(root);
}

/** Writes the level again, as a server does with each save: what it knows changes, the rest stays. */
export async function saveLevel({ world }: ServerFolder, tick: number): Promise<void> {
  const path = world.levelDat;
  const { data } = await read(readFileSync(path), { endian: "little", bedrockLevel: true });
  const root: RootTag = { ...data, LastPlayed: seconds(), currentTick: BigInt(tick) };
  const bytes = await bytesOf(root);
  writeFileSync(`${path}_new`, bytes);
  renameSync(`${path}_new`, path);
}

const seconds = (): bigint => BigInt(Math.floor(Date.now() / 1000));

const bytesOf = (root: RootTag): Promise<Uint8Array> =>
  write(new NBTData(root, { rootName: "", endian: "little", compression: null, bedrockLevel: true }));

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
