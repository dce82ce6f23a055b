import { dirname, resolve } from "node:path";
import { codeOf, isErrno, messageOf, orElse, reasonOf } from "../../cli/errno.ts";
import type { RunBy } from "../../cli/run-by.ts";
import { defaultConfigFile, marked } from "../../sidecar/config/default-file.ts";
import { type Environment, withoutVariable } from "../../sidecar/config/environment.ts";
import { NO_CONFIG } from "../../sidecar/config/load.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { makeChange, refuseChanged } from "./apply-changes.ts";
import { Refusal } from "./change.ts";
import { systemDisk } from "./disk.ts";
import { runByOf } from "./sidecar.ts";
import { keepEarlierConfig } from "./sidecar-settings.ts";
import { changeText, readText, type TextFile } from "./text-files.ts";
import type { EditResult } from "./yaml-edit.ts";

/** The sidecar's configuration. A missing one has the text that the first start would write. */
interface ConfigFile {
  path: string;
  text: string;
  isMissing: boolean;
}

/** The result of a change. */
export interface ConfigChange {
  path: string;
  /** whether the file has changed */
  isChanged: boolean;
  /** faults that were there before and keep the sidecar from starting, one line each */
  left: string[];
  /** what runs the sidecar; undefined: it is started by hand */
  runBy: RunBy | undefined;
}

/** Reads the file. A fault is one line, and names the file. */
export const readConfigText = (file: string): ConfigFile | { faults: string[] } =>
  refusing(resolve(file), () => opened(resolve(file)).configFile);

/**
 * Changes one setting in the file atomically, unless that causes a new fault. Owner and mode stay, and the text
 * of an earlier version stays beside it. A missing file is not created: no sidecar would use it.
 * @param edit changes the text
 */
export const changeConfig = (
  file: string,
  env: Environment,
  key: string,
  edit: (text: string) => EditResult,
): ConfigChange | { faults: string[] } =>
  refusing(resolve(file), () => {
    const path = resolve(file);
    const { configFile, source } = opened(path);
    const { text, isMissing } = configFile;
    if (isMissing) throw new Refusal(`${path}: ${NO_CONFIG}`);
    const made = edit(text);
    if ("faults" in made) throw new Refusal(...made.faults.map(fault => `${path}: ${fault}`));
    // The file is checked without the variable that overrides this key here.
    const others = withoutVariable(env, key);
    const read = (yaml: string) => readConfig(yaml, others, dirname(path));
    const [before, after] = [read(text), read(made.text)];
    const known = "faults" in before ? before.faults : [];
    const left = "faults" in after ? after.faults : [];
    const caused = left.filter(fault => !known.includes(fault));
    if (caused.length > 0) throw new Refusal(...caused.map(fault => `${path}: ${fault}`));
    const wanted = { text: made.text === text ? text : marked(made.text) };
    const changes = changeText(source, wanted, "yaml", systemDisk, 0o600);
    refuseChanged(changes, systemDisk);
    keepEarlierConfig(changes, systemDisk);
    for (const change of changes) makeChange(change, systemDisk);
    const runBy = "config" in after ? orElse(() => runByOf(after.config, env), undefined) : undefined;
    return { path, isChanged: changes.length > 0, left, runBy };
  });

function opened(path: string): { configFile: ConfigFile; source: TextFile } {
  const source = readText(path, systemDisk);
  if (source.encoding !== "utf8") throw new Refusal(`${path}: cannot be read: it is not UTF-8`);
  const isMissing = source.text === undefined;
  return { configFile: { path, text: source.text ?? defaultConfigFile(), isMissing }, source };
}

function refusing<T>(path: string, act: () => T): T | { faults: string[] } {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refusal) return { faults: [...error.lines] };
    if (isErrno(error, "EUNFIT")) return { faults: [messageOf(error)] };
    if (codeOf(error) === undefined) throw error;
    const isDenied = isErrno(error, "EACCES", "EPERM");
    const why = isDenied ? ": run this as the user that the sidecar runs as, or as root" : "";
    return { faults: [`${path}: cannot be read or changed: ${reasonOf(error)}${why}`] };
  }
}
