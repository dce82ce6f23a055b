import { closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isErrno, reasonIn, reasonOf } from "../../cli/errno.ts";
import { makeFolders } from "../../cli/folders.ts";
import { defaultConfigFile } from "./default-file.ts";
import { readFileValues } from "./file.ts";
import { configOf, type Environment } from "./read.ts";
import type { Config } from "./settings.ts";
import { fileWarning, keyWarning, unusedWarning } from "./warnings.ts";
import { readWritten, type Written } from "./written.ts";

type ReadResult = ({ config: Config; written: Written } | { faults: string[] }) & {
  /** absolute path of the file */
  path: string;
  /** lines on secrets that could be guessed or read; nothing is refused for them */
  warnings: string[];
};
type LoadResult = ReadResult & {
  /** whether the file was missing and has been made */
  created: boolean;
};

/** Most bytes of a configuration: many times what one with every key and its comment has. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads the configuration file, after making it when there is none, and the environment over it. A fault says what gives
 * the file to this user, who is to run with it.
 */
export function loadConfig(file: string, env: Environment): LoadResult {
  const path = resolve(file);
  try {
    const created = createIfMissing(path);
    return { ...read(path, env, error => reasonIn(path, error)), created };
  } catch (error) {
    return { ...refused(path, `cannot be made: ${reasonIn(dirname(path), error)}`), created: false };
  }
}

/** Reads the configuration file, which has to be there, and the environment over it. */
export const readConfigFile = (file: string, env: Environment): ReadResult =>
  read(resolve(file), env, reasonOf);

function read(path: string, env: Environment, reasonOfFault: (error: unknown) => string): ReadResult {
  try {
    const bytes = bytesOf(path);
    if (bytes === undefined) return refused(path, "is larger than 1 MiB");
    const result = configIn(bytes, env, dirname(path));
    if ("faults" in result)
      return { faults: result.faults.map(fault => `${path}: ${fault}`), path, warnings: [] };
    const { config, written, yaml } = result;
    const lines = [keyWarning(config), unusedWarning(config), fileWarning(path, yaml, statSync(path).mode)];
    return { config, written, path, warnings: lines.filter(line => line !== undefined) };
  } catch (error) {
    return refused(path, `cannot be read: ${reasonOfFault(error)}`);
  }
}

/** What is in a file; undefined: more than a configuration has. It need not say its size, such as a pipe. */
function bytesOf(path: string): Uint8Array | undefined {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(MOST_BYTES + 1);
    for (let length = 0; length < bytes.length; ) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** The same while the sidecar runs. @throws what the system says where too many files are open */
export const readAgain = (file: string, env: Environment): ReadResult =>
  read(resolve(file), env, error => {
    if (isErrno(error, "EMFILE", "ENFILE")) throw error;
    return reasonOf(error);
  });

/** The fault of a file in another encoding. */
export const NOT_UTF8 = "cannot be read: it is not UTF-8";

/** The configuration that the bytes of a file give, with the environment over them. Faults do not name the file. */
export function configIn(
  bytes: Uint8Array,
  env: Environment,
  folder: string,
): { config: Config; written: Written; yaml: string } | { faults: string[] } {
  const yaml = textIn(bytes);
  if (yaml === undefined) return { faults: [NOT_UTF8] };
  const values = readFileValues(yaml);
  const result = configOf(values, env, folder);
  return "faults" in result ? result : { ...result, written: readWritten(values, env), yaml };
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const refused = (path: string, fault: string): ReadResult => ({
  faults: [`${path}: ${fault}`],
  path,
  warnings: [],
});

function createIfMissing(path: string): boolean {
  try {
    makeFolders(dirname(path));
    // Keys will be written into it.
    writeFileSync(path, defaultConfigFile(), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    // A folder that nobody may write to is fine as long as the file is there.
    if (isErrno(error, "EROFS", "EACCES", "EPERM") && existsSync(path)) return false;
    throw error;
  }
}
