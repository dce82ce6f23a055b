import { resolve } from "node:path";
import { codeOf, messageOf } from "../../cli/errno.ts";
import type { Result } from "../../shared/result.ts";
import { SETTINGS_BY_PATH, variableOf } from "./settings.ts";
import { bytesOf, textIn } from "./text-file.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting in the environment. */
interface Variable {
  name: string;
  /** without line ends behind it */
  text: string;
  /** whether it is the content of a file that the variable names; that can be any file, so it is never printed */
  isFromFile: boolean;
}

/** The settings in the environment by their paths; a fault is one line. */
export type Variables = ReadonlyMap<string, Result<Variable>>;

const OF_FILE = "_FILE";

/** Names of variables that Kubernetes and Docker set for a service whose name begins with web-bridge. */
const OF_CONTAINERS =
  /^WEB_BRIDGE_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?|ENV_\w+)$|^WEB_BRIDGE_NAME$/;

/** Whether Kubernetes or Docker set a variable for a service. If a setting has the same name, the value shows it. */
const isOfContainers = (name: string, text: string): boolean =>
  OF_CONTAINERS.test(name) || (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(text));

/** Whether a variable is set for this product. Compose files set empty ones, which do not count. */
export const isSet = (env: Environment, name: string): boolean =>
  (env[name] ?? "").trim() !== "" && !isOfContainers(name, env[name] ?? "");

/** Every name that a variable may have. */
export const variableNames = (): string[] =>
  [...SETTINGS_BY_PATH.keys()].map(variableOf).flatMap(name => [name, `${name}${OF_FILE}`]);

/** Name of the variable that overrides a setting, or that names a file with its value; undefined: none is set. */
export const variableFor = (env: Environment, at: string): string | undefined =>
  [variableOf(at), `${variableOf(at)}${OF_FILE}`].find(name => isSet(env, name));

/** The environment without the variables of a setting. */
export const withoutVariable = (env: Environment, at: string): Environment => ({
  ...env,
  [variableOf(at)]: undefined,
  [`${variableOf(at)}${OF_FILE}`]: undefined,
});

/**
 * Reads the variables of all settings, and the files that they name.
 * @param folder the folder that relative paths count from
 */
export function readVariables(env: Environment, folder: string): Variables {
  const found = new Map<string, Result<Variable>>();
  for (const at of SETTINGS_BY_PATH.keys()) {
    const name = variableFor(env, at);
    if (name !== undefined) found.set(at, read(name, at, env, folder));
  }
  return found;
}

function read(name: string, at: string, env: Environment, folder: string): Result<Variable> {
  const text = env[name] ?? "";
  const other = `${name}${OF_FILE}`;
  if (name === variableOf(at))
    return isSet(env, other)
      ? { fault: `${name} (${at}): is set, and ${other} too: expected only one of them` }
      : { value: { name, text: trimmed(text), isFromFile: false } };
  if (SETTINGS_BY_PATH.get(at)?.isPath)
    return { fault: `${name} (${at}): is a path itself: write ${variableOf(at)}=${text.trim()}` };
  const path = resolve(folder, text.trim());
  const inFile = textOf(path);
  return "fault" in inFile
    ? { fault: `${name} (${at}): ${path}: ${inFile.fault}: expected a file with the value in it` }
    : { value: { name, text: inFile.value, isFromFile: true } };
}

/** Two quotes stand for a blank value, since an empty variable counts as not set. */
function trimmed(text: string): string {
  const value = text.replace(/[\r\n]+$/, "");
  return value === '""' ? "" : value;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
};

/** The text of a small file, without line ends behind it. */
function textOf(path: string): Result<string> {
  try {
    const bytes = bytesOf(path);
    if (bytes === undefined) return { fault: "it is larger than 1 MiB" };
    const read = textIn(bytes);
    if ("fault" in read) return read;
    const text = trimmed(read.value);
    if (text.trim() === "") return { fault: "it is empty" };
    return /[^\P{Cc}\t\r\n]/u.test(text) ? { fault: "it is not a text file" } : { value: text };
  } catch (error) {
    const code = codeOf(error) ?? messageOf(error);
    return { fault: REASONS[code] ?? `it cannot be read (${code})` };
  }
}
