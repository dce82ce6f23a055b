import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { CONFIG_FILE } from "./variables.ts";

const TASKS = [
  "setup",
  "doctor",
  "launch",
  "start",
  "key",
  "config",
  "audit",
  "players",
  "hook",
  "prove",
  "build",
] as const;

/** How an owner calls the programs; options follow. */
export type Commands = Record<(typeof TASKS)[number], string> & {
  /** absolute path of the default configuration */
  home: string;
};

/**
 * The default configuration of the programs in an archive or a repository.
 * @param root folder of the archive or the repository
 */
export const homeConfig = (root: string, env = process.env, cwd = process.cwd()): string =>
  resolve(cwd, env[CONFIG_FILE] || join(root, "config.yml"));

/** The folder of the archive or the repository that the sidecar's program belongs to. */
export const rootOfSidecar = (program: string): string =>
  existsSync(join(dirname(program), "dist")) ? dirname(program) : resolve(program, "../../..");

/** The option that names a configuration, for a shell; blank for the default one. */
export const configOption = (file: string, { home }: Pick<Commands, "home">): string =>
  resolve(file) === home ? "" : ` --config ${quoted(resolve(file))}`;

/**
 * The commands as they work in the current folder.
 * @param root folder of the repository, or of the archive with the sidecar in it
 */
export function commandsIn(root: string, platform = process.platform, cwd = process.cwd()): Commands {
  const node = (path: string): string => `node ${quoted(relativeTo(cwd, join(root, path)))}`;
  const of = (call: (name: string) => string): Commands =>
    ({
      ...Object.fromEntries(TASKS.map(name => [name, call(name)])),
      home: homeConfig(root),
    }) as Commands;
  const isWindows = platform === "win32";
  const bootstrap = "scripts/bootstrap.mjs";
  if (!existsSync(join(root, bootstrap))) {
    const webBridge = commandFile(join(root, isWindows ? "web-bridge.cmd" : "web-bridge"), platform, cwd);
    const starter = commandFile(join(root, isWindows ? "start.cmd" : "start.sh"), platform, cwd);
    return {
      ...of(name => `${webBridge} ${name}`),
      start: starter,
      launch: starter,
      build: "unpack the archive of the sidecar again",
    };
  }
  // PowerShell takes away the two dashes that npm needs; npm scripts work in their own folder only.
  if (isWindows || resolve(cwd) !== resolve(root)) return of(name => `${node(bootstrap)} ${name}`);
  return { ...of(name => `npm run ${name} --`), start: "npm start --", build: "npm run build" };
}

/** A file as a command: in the current folder, shells need a path before the name. */
function commandFile(file: string, platform: NodeJS.Platform, cwd: string): string {
  if (resolve(cwd) === resolve(dirname(file)))
    return `${platform === "win32" ? ".\\" : "./"}${basename(file)}`;
  return quoted(relativeTo(cwd, file), platform);
}

/** The error for an extra argument: often a folder without quotes, or one whose `--server` npm has removed. */
export const unexpectedWord = (word: string, command: string): string =>
  `${word}: is not expected here. Use: ${command} --server "<folder>", with quotes around the folder`;

/** A path as one word of a shell command. */
export function quoted(path: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w./:\\-]+$/.test(path)) return path;
  if (platform === "win32" || !/[$`"!\\]/.test(path)) return `"${path}"`;
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function relativeTo(cwd: string, path: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") || isAbsolute(short) ? path : short;
}
