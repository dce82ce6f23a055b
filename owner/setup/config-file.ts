import { dirname, resolve } from "node:path";
import { codeOf, isErrno, messageOf, orElse, reasonOf } from "../../cli/errno.ts";
import type { RunBy } from "../../cli/run-by.ts";
import { defaultConfigFile, marked } from "../../sidecar/config/default-file.ts";
import { type Environment, withoutVariable } from "../../sidecar/config/environment.ts";
import { readFileValues } from "../../sidecar/config/file.ts";
import { NO_CONFIG } from "../../sidecar/config/load.ts";
import { configOf } from "../../sidecar/config/read.ts";
import { makeChange, refuseChanged } from "./apply-changes.ts";
import { Refusal } from "./change.ts";
import { systemDisk } from "./disk.ts";
import { runByOf } from "./sidecar.ts";
import { keepEarlierConfig } from "./sidecar-settings.ts";
import { changeText, readText, type TextFile } from "./text-files.ts";
import type { EditResult } from "./yaml-edit.ts";

/** The sidecar's configuration as its file has it. One that is missing has the text that the first start would give it. */
interface ConfigFile {
  /** absolute */
  path: string;
  text: string;
  isMissing: boolean;
}

/** What came of a change. */
export interface ConfigChange {
  path: string;
  /** whether the file has another text now */
  isChanged: boolean;
  /** what the sidecar would not start with all the same, one line each */
  left: string[];
  /** what runs the sidecar; undefined: somebody starts it by hand */
  runBy: RunBy | undefined;
}

/** Reads the file. The fault is one line, and names it. */
export const readConfigText = (file: string): ConfigFile | { faults: string[] } =>
  refusing(resolve(file), () => opened(resolve(file)).held);

/**
 * Changes one setting in the file, as a whole or not at all, when nothing is wrong then that was not wrong before. Owner
 * and mode stay, and what an earlier version has written is kept beside it. A file that is missing is not made: it would be one that no sidecar uses.
 * @param edit of the text
 */
export const changeConfig = (
  file: string,
  env: Environment,
  key: string,
  edit: (text: string) => EditResult,
): ConfigChange | { faults: string[] } =>
  refusing(resolve(file), () => {
    const path = resolve(file);
    const { held, source } = opened(path);
    const { text, isMissing } = held;
    if (isMissing) throw new Refusal(`${path}: ${NO_CONFIG}`);
    const made = edit(text);
    if ("faults" in made) throw new Refusal(...made.faults.map(fault => `${path}: ${fault}`));
    // What stands in the file is judged, whatever takes its place here.
    const others = withoutVariable(env, key);
    const read = (yaml: string) => configOf(readFileValues(yaml), others, dirname(path));
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

function opened(path: string): { held: ConfigFile; source: TextFile } {
  const source = readText(path, systemDisk);
  if (source.encoding !== "utf8") throw new Refusal(`${path}: cannot be read: it is not UTF-8`);
  const isMissing = source.text === undefined;
  return { held: { path, text: source.text ?? defaultConfigFile(), isMissing }, source };
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
