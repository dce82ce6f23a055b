import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isErrno, reasonIn, reasonOf } from "../../cli/errno.ts";
import { makeFolders } from "../../cli/folders.ts";
import { defaultConfigFile } from "./default-file.ts";
import type { Environment } from "./environment.ts";
import { readFileValues } from "./file-values.ts";
import { readConfig } from "./read.ts";
import type { Config } from "./settings.ts";
import { type StartupSettings, startupSettings } from "./startup-settings.ts";
import { bytesOf, textIn } from "./text-file.ts";
import { fileWarning, keyWarning, unusedWarning } from "./warnings.ts";

export type ReadResult = ({ config: Config; written: StartupSettings } | { faults: string[] }) & {
  /** absolute path of the file */
  path: string;
  /** about values that may be mistakes, and secrets that could be guessed or read; they do not prevent the start */
  warnings: readonly string[];
};
type LoadResult = ReadResult & {
  /** whether the file was missing and was created */
  created: boolean;
};

/**
 * Reads the configuration file, which is created if it is missing, and the environment over it. If this user may not use
 * the file, the fault has the command that gives it to them.
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

/** Reads an existing configuration file, and the environment over it. */
export const readConfigFile = (file: string, env: Environment): ReadResult =>
  read(resolve(file), env, error => (isErrno(error, "ENOENT") ? NO_CONFIG : reasonOf(error)));

function read(path: string, env: Environment, reasonOfFault: (error: unknown) => string): ReadResult {
  try {
    const bytes = bytesOf(path);
    if (bytes === undefined) return refused(path, "is larger than 1 MiB");
    const result = configIn(bytes, env, dirname(path));
    if ("faults" in result)
      return { ...result, faults: result.faults.map(fault => `${path}: ${fault}`), path };
    const { config, written, yaml } = result;
    const lines = [keyWarning(config), unusedWarning(config), fileWarning(path, yaml, statSync(path).mode)];
    const warnings = [...result.warnings, ...lines.filter(line => line !== undefined)];
    return { config, written, path, warnings };
  } catch (error) {
    return refused(path, `cannot be read: ${reasonOfFault(error)}`);
  }
}

/** As `readConfigFile`, while the sidecar runs. @throws the system's error if too many files are open */
export const readAgain = (file: string, env: Environment): ReadResult =>
  read(resolve(file), env, error => {
    if (isErrno(error, "EMFILE", "ENFILE")) throw error;
    return reasonOf(error);
  });

/** The configuration that the bytes of a file give, with the environment over them. Faults do not name the file. */
export function configIn(
  bytes: Uint8Array,
  env: Environment,
  folder: string,
):
  | { config: Config; written: StartupSettings; yaml: string; warnings: readonly string[] }
  | { faults: string[]; warnings: readonly string[] } {
  const yaml = textIn(bytes);
  if ("fault" in yaml) return { faults: [`cannot be read: ${yaml.fault}`], warnings: [] };
  const result = readConfig(yaml.value, env, folder);
  if ("faults" in result) return result;
  const { config, warnings, variables } = result;
  const written = startupSettings(readFileValues(yaml.value), variables);
  return { config, written, yaml: yaml.value, warnings };
}

/** The fault of a missing file. */
export const NO_CONFIG =
  "does not exist: setup or the first start of the sidecar creates it (or pass another file with --config)";

const refused = (path: string, fault: string): ReadResult => ({
  faults: [`${path}: ${fault}`],
  path,
  warnings: [],
});

function createIfMissing(path: string): boolean {
  try {
    makeFolders(dirname(path));
    // The file will contain keys.
    writeFileSync(path, defaultConfigFile(), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    // A read-only folder is fine as long as the file is there.
    if (isErrno(error, "EROFS", "EACCES", "EPERM") && existsSync(path)) return false;
    throw error;
  }
}
