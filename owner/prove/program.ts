import { createHash } from "node:crypto";
import { CannotRun } from "./fault.ts";

/** One file of a game server's program. */
export interface ProgramFile {
  /** from the program's folder on, with `/` */
  path: string;
  bytes: number;
}

/** The program of a game server, without worlds and without what an owner has put beside it. */
export interface Program {
  platform: "linux" | "windows";
  /** name of the file that is started */
  executable: string;
  files: readonly ProgramFile[];
  /** Copies all of it into a folder, which is there and empty. `signal` ends it. */
  copyTo(folder: string, signal: AbortSignal): Promise<void>;
  /** All that can be compared afterwards, by path: whatever is written there changes it. */
  look(): Promise<ReadonlyMap<string, string>>;
}

const GIBIBYTE = 1024 ** 3;
/** Most files and bytes that the program of a game server is believed to have: many times what today's has. */
export const MOST = { files: 100_000, bytes: 4 * GIBIBYTE };
/** Longest path in it. */
const LONGEST_PATH = 400;
/** Deepest folder. */
const DEEPEST = 30;

/**
 * What lies beside the program in an owner's folder: worlds and copies of them, lists of players, packs under development,
 * settings and secrets of scripts, keys, logs, what setup keeps and the packs that it has put in, what is hidden, as where the
 * folder is a user's home, and what a disk of its own has.
 */
const LEFT_OUT = [
  /^(worlds?([ ._-][^/]*)?|([^/]*[ ._-])?back-?ups?([ ._-][^/]*)?)(\/|$)/i,
  /^(keys|development_[^/]*|logs?|dumps|crash[^/]*|minecraftpe|premium_cache|treatments)(\/|$)/i,
  /^(allowlist|whitelist|permissions|(in)?valid_known_packs|packet-statistics)\.(json|txt)$/i,
  /^web-bridge-setup(\/|$)|\.web-bridge-tmp$/i,
  /^(behavior|resource)_packs\/web_bridge(\/|$)/i,
  /^config\/(?!default(\/|$))./i,
  /^config\/default\/(secrets|variables)\.json$/i,
  /^(\.|lost\+found(\/|$))/,
  /^[^/]*\.(zip|7z|rar|tar|t?gz|xz|zst|bz2|mcworld|mctemplate)$/i,
  /^(ContentLog|Dedicated_Server|profiler)[^/]*$/i,
  /^[^/]*\.(log|pid|dmp|core)$|^core\.\d+$/i,
];

export const isLeftOut = (path: string): boolean => LEFT_OUT.some(pattern => pattern.test(path));

/** What no system of ours has in a path, or what would lead out of a folder; undefined: it is fine. */
export function pathFault(path: string): string | undefined {
  const parts = path.split("/");
  if (path.length > LONGEST_PATH || parts.length > DEEPEST) return "is too long";
  if (path.startsWith("/") || /^[a-z]:/i.test(path) || parts.includes("..")) return "leads out of its folder";
  if (parts.some(part => part === "" || part === "." || /[\\:*?"<>|\p{Cc}]|[. ]$/u.test(part)))
    return "has a name that not every system takes";
  return undefined;
}

/** Throws `CannotRun` where it is more than a game server has. */
export function refuseMuch(files: readonly ProgramFile[], where: string): void {
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  if (files.length > MOST.files) throw new CannotRun(`${where}: has more than ${MOST.files} files`);
  if (bytes > MOST.bytes) throw new CannotRun(`${where}: has more than ${MOST.bytes / GIBIBYTE} GiB`);
}

/** How the program is called as it comes, and by those who keep its version in its name. */
const EXECUTABLE = /^bedrock_server(?:-(\d+(?:\.\d+)*))?(?:\.exe)?$/i;

/**
 * The file that is started, of those that lie beside server.properties; undefined: it is no game server. An owner may have scripts
 * there that start the owner's own server, or its last version, under names that begin as the program's does.
 */
export function executableOf(paths: readonly string[]): string | undefined {
  const names = paths.filter(path => !path.includes("/"));
  if (!names.includes("server.properties")) return undefined;
  const versions = names.flatMap(name => {
    const found = EXECUTABLE.exec(name);
    return found === null ? [] : [{ name, version: found[1] }];
  });
  return versions.sort((one, other) => newestFirst(one.version, other.version))[0]?.name;
}

/** The plain name stands before those with a version. */
function newestFirst(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one !== undefined) - Number(other !== undefined);
  return other.localeCompare(one, "en", { numeric: true });
}

export const platformOf = (executable: string): Program["platform"] =>
  /\.exe$/i.test(executable) ? "windows" : "linux";

/** What stands for a file whose bytes were read. */
export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What was changed between two looks, by path: made, changed and removed. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => before.get(path) !== after.get(path))
    .sort();
}
