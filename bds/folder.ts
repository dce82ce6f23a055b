import { dirname, join, resolve } from "node:path";
import { clip, utf8Bytes } from "../shared/text.ts";
import { type Fault, isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { isProgram } from "./program.ts";
import { levelNameOf, nonUtf8LinesOf, readProperties, valuesOf } from "./properties.ts";
import { decodeText, plainText } from "./text-encoding.ts";
import { lockOf } from "./world-lock.ts";

/** A Bedrock Dedicated Server and where its files are. All paths begin with `root`. */
export interface ServerFolder {
  root: string;
  program: string;
  propertiesFile: string;
  properties: Map<string, string>;
  /** each value of `server-udp-ports`, which may be given several times */
  udpPorts: string[];
  /** lines that are not UTF-8 in a file of UTF-8 */
  nonUtf8Lines: { line: number; key: string }[];
  levelName: string;
  world: WorldPaths;
}

/** Paths of a world's files; they may be missing. */
interface WorldPaths {
  folder: string;
  levelDat: string;
  /** lists of the packs that the world loads */
  lists: Record<PackKind, string>;
  /** lock of the world's database, which a server holds while the world is open */
  lock: string;
}

export type PackKind = "behavior" | "resource";

export interface InstalledPack {
  folder: string;
  manifest: Manifest;
}

export const MANIFEST = "manifest.json";
/** Names that no system allows for a folder, or that lead out of the folder of worlds. */
const BAD_LEVEL = /[/\\]|^\.\.?$/;
/** Longest name of a folder, in bytes. */
const MAX_NAME_BYTES = 255;
/** Longest excerpt of a wrong name in a message, in characters. */
const MAX_EXCERPT = 80;
/** Most lines listed in one fault. */
const MAX_LINES = 5;

/** The server's folder in full, from its path or from that of the program in it. */
export function folderOf(given: string, files: Pick<Files, "kindOf">): string {
  const path = resolve(given);
  return isProgram(path) && files.kindOf(path) === "file" ? dirname(path) : path;
}

/**
 * Opens the folder of a server. The faults say what is missing.
 * @param what a copy may lack the program
 */
export function openServer(
  root: string,
  files: Files,
  what: "a server" | "a copy" = "a server",
): ServerFolder | { faults: string[] } {
  if (files.kindOf(root) === undefined) return { faults: [`${root}: this folder does not exist`] };
  if (files.kindOf(root) !== "folder")
    return { faults: [`${root}: is a file: expected the folder of the game server`] };
  const found = files.list(root).find(name => isProgram(name) && files.kindOf(join(root, name)) === "file");
  const program = found ?? (what === "a copy" ? "bedrock_server" : undefined);
  const propertiesFile = join(root, "server.properties");
  const bytes = files.read(propertiesFile);
  const faults: string[] = [];
  if (program === undefined) faults.push("bedrock_server (bedrock_server.exe on Windows) is missing");
  if (bytes === undefined) faults.push("server.properties is missing");
  if (bytes === undefined || program === undefined) {
    const why = `${root}: is not the folder of a Bedrock Dedicated Server: ${faults.join(", ")}`;
    return { faults: [why] };
  }
  const text = decodeText(bytes);
  if (isFault(text)) return { faults: [`${propertiesFile}: ${text.fault}`] };
  const plain = plainText(text.text);
  const properties = readProperties(plain);
  const levelName = levelNameOf(properties);
  if (BAD_LEVEL.test(levelName) || utf8Bytes(levelName) > MAX_NAME_BYTES) {
    const clipped = clip(levelName, MAX_EXCERPT);
    return { faults: [`${propertiesFile}: level-name: ${clipped}: expected the name of a folder`] };
  }
  const world = worldPaths(join(root, "worlds", levelName));
  const udpPorts = valuesOf(plain, "server-udp-ports");
  const nonUtf8Lines = nonUtf8LinesOf(text.text).map(({ line, key }) => ({ line, key: plainText(key) }));
  const read = { propertiesFile, properties, udpPorts, nonUtf8Lines };
  return { root, program: join(root, program), ...read, levelName, world };
}

/** The lines of server.properties that are not UTF-8, with the fix; undefined: none. */
export function encodingFault({
  propertiesFile,
  nonUtf8Lines,
}: ServerFolder): { what: string; fix: string } | undefined {
  if (nonUtf8Lines.length === 0) return undefined;
  const named = nonUtf8Lines
    .slice(0, MAX_LINES)
    .map(({ line, key }) => `line ${line} (${clip(key, MAX_EXCERPT)})`);
  const more = nonUtf8Lines.length > MAX_LINES ? ` and ${nonUtf8Lines.length - MAX_LINES} more` : "";
  const what = `${propertiesFile}: these lines are not UTF-8, unlike the others: ${named.join(", ")}${more}`;
  return { what, fix: "retype these lines in an editor that saves the file as UTF-8" };
}

export const worldPaths = (folder: string): WorldPaths => ({
  folder,
  levelDat: join(folder, "level.dat"),
  lists: {
    behavior: join(folder, "world_behavior_packs.json"),
    resource: join(folder, "world_resource_packs.json"),
  },
  lock: lockOf(folder),
});

/** Names of the worlds in a server's folder. */
export const worldsIn = (root: string, files: Files): string[] =>
  files
    .list(join(root, "worlds"))
    .filter(name => files.kindOf(worldPaths(join(root, "worlds", name)).levelDat) === "file");

/** The world whose name differs only in case, blanks, hyphens or underscores. */
export function similarWorld(levelName: string, worlds: readonly string[]): string | undefined {
  const letters = (name: string): string =>
    name
      .normalize()
      .toLowerCase()
      .replace(/[\s_-]+/g, "");
  return worlds.find(world => letters(world) === letters(levelName));
}

export const scriptFolder = (root: string, moduleUuid: string): string =>
  join(root, "config", moduleUuid.toLowerCase());

/**
 * The settings file that the server reads for a script: that of the script, or else that for all scripts. Where both are
 * missing, the path of the first.
 */
export function scriptFile(root: string, moduleUuid: string, name: string, files: Files): string {
  const specific = join(scriptFolder(root, moduleUuid), name);
  const common = join(root, "config", "default", name);
  return files.kindOf(specific) === undefined && files.kindOf(common) === "file" ? common : specific;
}

/** Folders for packs of a kind; new packs belong in the first. */
export const packFolders = (
  { root, world }: Pick<ServerFolder, "root" | "world">,
  kind: PackKind,
): string[] => [
  join(root, `${kind}_packs`),
  join(root, `development_${kind}_packs`),
  join(world.folder, `${kind}_packs`),
];

/**
 * All installed packs of a kind whose manifest can be read.
 * @param complain gets a line for each manifest that cannot
 */
export function installedPacks(
  server: Pick<ServerFolder, "root" | "world">,
  kind: PackKind,
  files: Files,
  complain: (line: string) => void = () => {},
): InstalledPack[] {
  return packFolders(server, kind).flatMap(place =>
    files.list(place).flatMap(name => {
      const folder = join(place, name);
      const manifest = files.kindOf(folder) === "folder" ? packIn(folder, files) : undefined;
      if (isFault(manifest)) complain(`${join(folder, MANIFEST)}: ${manifest.fault}`);
      return manifest === undefined || isFault(manifest) ? [] : [{ folder, manifest }];
    }),
  );
}

export const packsOf = (server: ServerFolder, kind: PackKind, uuid: string, files: Files): InstalledPack[] =>
  installedPacks(server, kind, files).filter(({ manifest }) => manifest.uuid === uuid);

/** The manifest of the pack in a folder; undefined: there is none. */
export const packIn = (folder: string, files: Files): Manifest | Fault | undefined =>
  parseFile(join(folder, MANIFEST), files, text => (text === undefined ? undefined : readManifest(text)));

/**
 * Reads and parses a text file.
 * @param parse gets undefined where there is no file
 */
export function parseFile<T>(
  path: string,
  files: Files,
  parse: (text: string | undefined) => T | Fault,
): T | Fault {
  const read = readText(path, files);
  return isFault(read) ? read : parse(read?.text);
}

/** The text of a file; undefined: it is missing, or no text. */
export function textAt(path: string, files: Files): string | undefined {
  const read = readText(path, files);
  return isFault(read) ? undefined : read?.text;
}

/** A text file, or why it cannot be read as text; undefined: it is missing. Throws the system's error, such as EACCES. */
export function readText(path: string, files: Files): { text: string } | Fault | undefined {
  const kind = files.kindOf(path);
  if (kind === "folder") return { fault: "it is a folder, expected a file", isFolder: true };
  const bytes = kind === "file" ? files.read(path) : undefined;
  return bytes && decodeText(bytes);
}
