import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
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
  const bootstrap = "scripts/bootstrap.mjs";
  if (!existsSync(join(root, bootstrap))) {
    const programs = of(name => node(`dist/tools/${name}.js`));
    return {
      ...programs,
      start: starter(root, platform, cwd),
      launch: starter(root, platform, cwd),
      build: "unpack the archive of the sidecar again",
    };
  }
  // PowerShell takes away the two dashes that npm needs; npm scripts work in their own folder only.
  if (platform === "win32" || resolve(cwd) !== resolve(root)) return of(name => `${node(bootstrap)} ${name}`);
  return { ...of(name => `npm run ${name} --`), start: "npm start --", build: "npm run build" };
}

function starter(root: string, platform: string, cwd: string): string {
  const isWindows = platform === "win32";
  const name = isWindows ? "start.cmd" : "start.sh";
  if (resolve(cwd) === resolve(root)) return `${isWindows ? ".\\" : "./"}${name}`;
  return quoted(relativeTo(cwd, join(root, name)));
}

/** The error for an extra argument: often a folder without quotes, or one whose `--server` npm has removed. */
export const unexpectedWord = (word: string, command: string): string =>
  `${word}: is not expected here. Use: ${command} --server "<folder>", with quotes around the folder`;

/** A path as one word of a shell command. */
export function quoted(path: string, platform = process.platform): string {
  if (/^[\w./:\\-]+$/.test(path)) return path;
  if (platform === "win32" || !/[$`"!\\]/.test(path)) return `"${path}"`;
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function relativeTo(cwd: string, path: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") || isAbsolute(short) ? path : short;
}
