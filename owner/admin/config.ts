import { dirname } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { EXIT, misused, readOptions } from "../../cli/arguments.ts";
import { printable } from "../../cli/printable.ts";
import { readVariables } from "../../sidecar/config/environment.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { hidden } from "../../sidecar/config/kind.ts";
import type { Setting } from "../../sidecar/config/setting.ts";
import { SETTINGS_BY_PATH } from "../../sidecar/config/settings.ts";
import { unknownKey } from "../../sidecar/config/unknown-key.ts";
import { changeConfig, readConfigText } from "../setup/config-file.ts";
import { type EditResult, withElement, withoutElement, withValue } from "../setup/yaml-edit.ts";
import { commands, failed, OWN_OPTIONS, printChange, warnOfOtherConfig } from "./output.ts";
import { display, elementIn, placesOf, valueIn } from "./setting-values.ts";
import { fromInput } from "./standard-input.ts";

const USAGE = `usage: ${commands.config} <set|add|remove|show> <key> [value] [--config <file>]

Shows or changes one setting in the sidecar's configuration. Everything else in the file stays as it is.

  set <key> <value>       sets the value
  add <key> <element>     adds to a list
  remove <key> [element]  removes an element from a list, by its name, or by its address if it is an object; without one:
                          resets the setting to its default
  show <key>              prints the value, where it comes from, the default, and which values are allowed

Put quotes around a value with spaces. Separate the elements of a list by commas, or write JSON or YAML. With - the value
is read from standard input, so that a secret does not appear in a list of processes.

  --config <file>  configuration of the sidecar (default: ${commands.home})
  --help           print this`;

interface Task {
  key: string;
  setting: Setting<unknown>;
  config: string;
}

/** Exit code: 0 done or nothing to do, 1 refused with nothing changed, 2 wrong usage. */
function main(): number {
  const parsed = readOptions(USAGE, () => parseArgs({ options: OWN_OPTIONS, allowPositionals: true }));
  if ("exit" in parsed) return parsed.exit;
  const [verb = "", key = "", written, ...more] = parsed.positionals;
  const setting = SETTINGS_BY_PATH.get(key);
  if (!/^(set|add|remove|show)$/.test(verb)) return misused("expected set, add, remove or show", USAGE);
  if (key === "") return misused(`${verb}: expected a key`, USAGE);
  if (setting === undefined) return misused(printable(unknownKeyFault(key)), USAGE);
  if (more.length > 0 || (verb === "show" && written !== undefined))
    return misused(
      `${printable(more[0] ?? written ?? "")}: is not expected here: put quotes around a value with spaces`,
      USAGE,
    );
  const task = { key, setting, config: parsed.values.config };
  warnOfOtherConfig(task.config);
  if (verb === "show") return show(task);
  if (verb === "remove" && written === undefined)
    return change(task, text => withValue(text, key, setting.default));
  if (written === undefined) return misused(`${verb} ${key}: expected a value: ${setting.expected}`, USAGE);
  const value = written === "-" ? fromInput() : written;
  if (verb === "set") return change(task, text => withValue(text, key, valueIn(value, setting)));
  return change(task, verb === "add" ? adding(task, value) : removing(task, value));
}

/** Why a key is not a setting. */
function unknownKeyFault(key: string): string {
  const known = [...SETTINGS_BY_PATH.keys()];
  const below = known.find(each => each.startsWith(`${key}.`));
  return below === undefined
    ? unknownKey(key, known)
    : `${key}: is a section: expected a key in it, such as ${below}`;
}

type Edit = (text: string) => EditResult;

function change({ key, setting, config }: Task, edit: Edit): number {
  let [was, is]: unknown[] = [setting.default, setting.default];
  const changed = changeConfig(config, process.env, key, text => {
    const edited = edit(text);
    was = fileValue(text, key, setting);
    is = "text" in edited ? fileValue(edited.text, key, setting) : was;
    return edited;
  });
  const [before, after] = [display(was, setting), display(is, setting)];
  // Hidden values look the same.
  const what = before !== after ? `${key}: ${before} -> ${after}` : `${key} has a new value: ${after}`;
  return printChange(changed, key, isDeepStrictEqual(was, is) ? `${key} is ${after} already` : what);
}

/** The value in the file, valid or not. */
const fileValue = (text: string, key: string, setting: Setting<unknown>): unknown =>
  readFileValues(text).values.get(key) ?? setting.default;

const inList =
  ({ key, setting }: Task, edit: (list: readonly unknown[], text: string) => EditResult): Edit =>
  text => {
    const list = fileValue(text, key, setting);
    return Array.isArray(list)
      ? edit(list, text)
      : { faults: [`${key}: is not a list. Use \`config set\`.`] };
  };

const adding = (task: Task, written: string): Edit =>
  inList(task, (list, text) => {
    const element = elementIn(written, task.setting);
    return list.includes(element) ? { text } : withElement(text, task.key, list, element);
  });

const removing = (task: Task, written: string): Edit =>
  inList(task, (list, text) => {
    const { key, setting } = task;
    const [place, another] = placesOf(written, list, setting);
    const fault = (what: string): EditResult => ({
      faults: [`${key}: ${what}: it has ${display(list, setting)}`],
    });
    if (place === undefined) return fault(`${JSON.stringify(written)} is not in the list`);
    if (another !== undefined)
      return fault(`several entries match: expected the whole ${setting.items?.name}`);
    return withoutElement(text, key, list, place);
  });

function show({ key, setting, config }: Task): number {
  const file = readConfigText(config);
  if ("faults" in file) return failed(file.faults);
  const { values, faults } = readFileValues(file.text);
  const found = readVariables(process.env, dirname(file.path)).get(key);
  if (found !== undefined && "fault" in found) return failed([found.fault]);
  const variable = found?.value;
  const inFile = file.isMissing ? undefined : values.get(key);
  const of = (value: unknown): string => display(value, setting);
  const from =
    variable !== undefined
      ? `the environment: ${variable.name}${inFile === undefined ? "" : `, instead of ${of(inFile)} in ${file.path}`}`
      : inFile === undefined
        ? `the default${file.isMissing ? `: there is no ${file.path}` : ""}`
        : file.path;
  const text = variable?.text;
  const value = text === undefined ? (inFile ?? setting.default) : (setting.fromText?.(text) ?? text);
  for (const line of [
    `${key}: ${variable?.isFromFile ? hidden() : of(value)}`,
    `  from:     ${from}`,
    `  default:  ${of(setting.default)}`,
    `  expected: ${setting.expected}`,
    `  ${setting.comment}`,
  ])
    console.log(printable(line));
  return faults.length > 0 ? failed(faults.map(fault => `${file.path}: ${fault}`)) : EXIT.done;
}

process.exitCode = main();
