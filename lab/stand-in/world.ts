import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Int8, Int32, NBTData, type RootTag, read, write } from "nbtify";
import type { ServerFolder } from "../../bds/folder.ts";
import { openSqlite } from "../../cli/sqlite.ts";
import type { SavedWorld } from "../simulator/types.ts";

/** The game version that creates the worlds. */
const VERSION = [1, 26, 60, 6, 0];
/** Default permissions of scripts. */
const MODULES = ["server-gametest", "server", "server-ui", "server-admin", "server-editor"];
const PERMISSIONS = { allowed_modules: MODULES.map(name => `@minecraft/${name}`) };

/** Files that a server creates at its first start: settings for all scripts, and the world if there is none. */
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

/** Writes level.dat again, as a server does with each save. Properties that it does not know are kept. */
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

/** The saved world of an earlier run. */
export function readSavedWorld(server: ServerFolder): SavedWorld | undefined {
  try {
    const read: SavedWorld = JSON.parse(readFileSync(fileOf(server), "utf8"));
    return read;
  } catch {
    return undefined;
  }
}

/** Saves the world; if the process is killed during that, the previous save stays. */
export function keepWorld(server: ServerFolder, world: SavedWorld): void {
  const path = fileOf(server);
  writeFileSync(`${path}.new`, JSON.stringify(world));
  renameSync(`${path}.new`, path);
}

/** Holds the lock of the world's database while the process runs, so that other programs see that it is open. */
export function lockWorld({ world }: ServerFolder): () => void {
  // Node has no file locks. A database has them, and leaves an empty file unchanged.
  const lock = openSqlite(world.lock);
  lock.exec("PRAGMA journal_mode = MEMORY");
  lock.exec("BEGIN EXCLUSIVE");
  return () => lock.close();
}
