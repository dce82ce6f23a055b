import { basename, dirname, join, resolve } from "node:path";
import { clip, utf8Bytes } from "../shared/text.ts";
import { type Fault, isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { nonUtf8LinesOf, readProperties, valuesOf } from "./properties.ts";
import { decodeText, plainText } from "./text-encoding.ts";
import { lockOf } from "./world-lock.ts";

/** A Bedrock Dedicated Server and where its files are. All paths begin with `root`. */
export interface ServerFolder {
  root: string;
  /** path of the server's program */
  program: string;
  /** path of server.properties */
  propertiesFile: string;
  properties: Map<string, string>;
  /** every `server-udp-ports`, which may stand there several times */
  udpPorts: string[];
  /** lines of server.properties that are not UTF-8, where others are */
  nonUtf8Lines: { line: number; key: string }[];
  levelName: string;
  world: WorldPaths;
}

/** Files of a world; they need not be there. */
interface WorldPaths {
  folder: string;
  levelDat: string;
  /** lists of the packs that it loads */
  lists: Record<PackKind, string>;
  /** lock of the world's database, held while a server has the world open */
  lock: string;
}

/** Kinds of packs, as the folders and the world's lists name them. */
export type PackKind = "behavior" | "resource";

/** A pack that lies in one of the folders for packs. */
export interface InstalledPack {
  folder: string;
  manifest: Manifest;
}

/** Name of the file in which a pack says what it is. */
export const MANIFEST = "manifest.json";
/** Name of the world when server.properties names none. */
const DEFAULT_LEVEL = "Bedrock level";
const PROGRAM = /^bedrock_server(?!.*(?:\.debug|\.pdb|\.txt|\.md|\.html?)$)/i;
/** What no system lets a folder be called, or what would lead out of the folder of worlds. */
const BAD_LEVEL = /[/\\]|^\.\.?$/;
/** Most bytes in the name of a folder, on any system. */
const LONGEST_NAME = 255;
/** Characters of a wrong name that are shown. */
const SHOWN = 80;
/** Lines that are named at once. */
const MOST_LINES = 5;

/** A server's folder in full, by its own name or by that of the program in it. */
export function folderOf(given: string, files: Pick<Files, "kindOf">): string {
  const path = resolve(given);
  return isProgram(path) && files.kindOf(path) === "file" ? dirname(path) : path;
}

/** Recognises the folder of a server. The faults say what it would need to be one. */
export function openServer(root: string, files: Files): ServerFolder | { faults: string[] } {
  if (files.kindOf(root) === undefined) return { faults: [`${root}: there is no such folder`] };
  if (files.kindOf(root) !== "folder")
    return { faults: [`${root}: is a file, expected the server's folder`] };
  const program = files
    .list(root)
    .find(name => PROGRAM.test(name) && files.kindOf(join(root, name)) === "file");
  const propertiesFile = join(root, "server.properties");
  const bytes = files.read(propertiesFile);
  const faults: string[] = [];
  if (program === undefined) faults.push("bedrock_server (bedrock_server.exe on Windows) is not in it");
  if (bytes === undefined) faults.push("server.properties is not in it");
  if (bytes === undefined || program === undefined) {
    const why = `${root}: is not the folder of a Bedrock Dedicated Server: ${faults.join(", ")}`;
    return { faults: [why] };
  }
  const text = decodeText(bytes);
  if (isFault(text)) return { faults: [`${propertiesFile}: ${text.fault}`] };
  const plain = plainText(text.text);
  const properties = readProperties(plain);
  const levelName = properties.get("level-name") || DEFAULT_LEVEL;
  if (BAD_LEVEL.test(levelName) || utf8Bytes(levelName) > LONGEST_NAME) {
    const shown = clip(levelName, SHOWN);
    return { faults: [`${propertiesFile}: level-name: ${shown}: expected the name of a folder`] };
  }
  const world = worldPaths(join(root, "worlds", levelName));
  const udpPorts = valuesOf(plain, "server-udp-ports");
  const nonUtf8Lines = nonUtf8LinesOf(text.text).map(({ line, key }) => ({ line, key: plainText(key) }));
  const read = { propertiesFile, properties, udpPorts, nonUtf8Lines };
  return { root, program: join(root, program), ...read, levelName, world };
}

/** Which lines of server.properties are not UTF-8, where others are, with what mends it; undefined: none. */
export function encodingFault({
  propertiesFile,
  nonUtf8Lines,
}: ServerFolder): { what: string; fix: string } | undefined {
  if (nonUtf8Lines.length === 0) return undefined;
  const named = nonUtf8Lines
    .slice(0, MOST_LINES)
    .map(({ line, key }) => `line ${line} (${clip(key, SHOWN)})`);
  const more = nonUtf8Lines.length > MOST_LINES ? ` and ${nonUtf8Lines.length - MOST_LINES} more` : "";
  const what = `${propertiesFile}: not UTF-8, as other lines are: ${named.join(", ")}${more}`;
  return { what, fix: "write what is named there again, in an editor that saves the file as UTF-8" };
}

/** Where the files of a world are. */
export const worldPaths = (folder: string): WorldPaths => ({
  folder,
  levelDat: join(folder, "level.dat"),
  lists: {
    behavior: join(folder, "world_behavior_packs.json"),
    resource: join(folder, "world_resource_packs.json"),
  },
  lock: lockOf(folder),
});

/** Names of the worlds that are there, whichever of them server.properties names. */
export const worldsIn = (root: string, files: Files): string[] =>
  files
    .list(join(root, "worlds"))
    .filter(name => files.kindOf(worldPaths(join(root, "worlds", name)).levelDat) === "file");

/** Which of the worlds that are there a name is a slip of: another case, or other blanks between the same letters. */
export function similarWorld(levelName: string, worlds: readonly string[]): string | undefined {
  const letters = (name: string): string =>
    name
      .normalize()
      .toLowerCase()
      .replace(/[\s_-]+/g, "");
  return worlds.find(world => letters(world) === letters(levelName));
}

/** Folder of a script's settings, by the uuid of its script module. */
export const scriptFolder = (root: string, moduleUuid: string): string =>
  join(root, "config", moduleUuid.toLowerCase());

/**
 * A file of a script's settings as the server takes it: that of the script's own folder, or where it is missing, the one
 * for all scripts. What is missing in both is expected in the first.
 */
export function scriptFile(root: string, moduleUuid: string, name: string, files: Files): string {
  const own = join(scriptFolder(root, moduleUuid), name);
  const common = join(root, "config", "default", name);
  return files.kindOf(own) === undefined && files.kindOf(common) === "file" ? common : own;
}

/** Where packs of a kind may lie; new ones belong in the first. */
export const packFolders = (
  { root, world }: Pick<ServerFolder, "root" | "world">,
  kind: PackKind,
): string[] => [
  join(root, `${kind}_packs`),
  join(root, `development_${kind}_packs`),
  join(world.folder, `${kind}_packs`),
];

/**
 * Every pack of a kind that is installed and whose manifest can be read.
 * @param complain is told of manifests that cannot
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

/** Where the pack of a uuid is installed. */
export const packsOf = (server: ServerFolder, kind: PackKind, uuid: string, files: Files): InstalledPack[] =>
  installedPacks(server, kind, files).filter(({ manifest }) => manifest.uuid === uuid);

/** The manifest of the pack in a folder; undefined when there is none. */
export const packIn = (folder: string, files: Files): Manifest | Fault | undefined =>
  parseFile(join(folder, MANIFEST), files, text => (text === undefined ? undefined : readManifest(text)));

/**
 * What a text file holds.
 * @param parse is given undefined where there is no file
 */
export function parseFile<T>(
  path: string,
  files: Files,
  parse: (text: string | undefined) => T | Fault,
): T | Fault {
  const read = readText(path, files);
  return isFault(read) ? read : parse(read?.text);
}

/** The text of a file; undefined: there is none, or it is no text. */
export function textAt(path: string, files: Files): string | undefined {
  const read = readText(path, files);
  return isFault(read) ? undefined : read?.text;
}

/** A text file, why it is none, or undefined when there is none. Throws the system's error when it may not be read. */
export function readText(path: string, files: Files): { text: string } | Fault | undefined {
  const kind = files.kindOf(path);
  if (kind === "folder") return { fault: "it is a folder, expected a file", isFolder: true };
  const bytes = kind === "file" ? files.read(path) : undefined;
  return bytes && decodeText(bytes);
}

/** Whether a path is that of a server's program. */
export const isProgram = (path: string): boolean => PROGRAM.test(basename(path).replace(/ \(deleted\)$/, ""));
