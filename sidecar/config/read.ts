import { CONFIG_FILE, RUN_BY } from "../../cli/variables.ts";
import { conflictsIn } from "./conflicts.ts";
import { type Environment, isSet, readVariables, type Variables, variableNames } from "./environment.ts";
import { ignored, readFileValues } from "./file-values.ts";
import { hidden, type PartFault, unexpected } from "./kind.ts";
import { mapSettings } from "./setting.ts";
import { type Config, SETTINGS, VARIABLE_PREFIX, variableOf } from "./settings.ts";
import { unknownKey } from "./unknown-key.ts";

/** Warnings do not prevent the start. `variables`: those of the environment. */
type ConfigResult =
  | { config: Config; warnings: readonly string[]; variables: Variables }
  | { faults: string[]; warnings: readonly string[] };

/**
 * The configuration that a file and the environment give, or everything that is wrong with them, one line each:
 * key, value and the expected value. Secrets are never part of a line.
 * @param folder of the file, from which relative paths count
 */
export function readConfig(yaml: string, env: Environment, folder: string): ConfigResult {
  const file = readFileValues(yaml);
  const variables = readVariables(env, folder);
  const faults = [...file.faults];
  const warnings = [...file.warnings, ...unknownVariables(env)];
  // Each value has the type of its setting.
  const config = mapSettings(SETTINGS, (at, setting) => {
    const found = variables.get(at);
    if (found !== undefined && "fault" in found) return void faults.push(found.fault);
    const variable = found?.value;
    const name = variable === undefined ? at : `${variable.name} (${at})`;
    const raw = variable
      ? (setting.fromText?.(variable.text) ?? variable.text)
      : file.values.has(at)
        ? file.values.get(at)
        : setting.default;
    if (typeof raw === "string" && /^\$\{\w+\}$/.test(raw)) {
      const instead = variable === undefined ? `, or ${variableOf(at)} set to it` : "";
      return void faults.push(`${name}: \${…} is not replaced here: expected the value itself${instead}`);
    }
    const result = setting.read(raw, folder);
    const isQuoted = /^(["']).*\1$/s.test(variable?.text ?? "");
    const lineOf = ({ at: part, what }: PartFault): string => `${name}${part}: ${what}`;
    if ("fault" in result) {
      const kind = variable?.isFromFile ? { ...setting, display: hidden } : setting;
      const what = unexpected(kind, variable?.text ?? raw, result.fault);
      const whole = [{ at: "", what: `${what}${isQuoted ? ": write it without quotes" : ""}` }];
      return void faults.push(...(result.parts ?? whole).map(lineOf));
    }
    const unknown = (result.unknown ?? []).map(lineOf);
    if (variable === undefined && file.writtenBy !== undefined)
      warnings.push(...unknown.map(each => ignored(each, file.writtenBy)));
    else faults.push(...unknown);
    if (isQuoted) warnings.push(`${name}: the quotes around it count as a part of it: write it without`);
    return result.value;
  }) as Config;
  if (faults.length === 0) faults.push(...conflictsIn(config));
  return faults.length > 0 ? { faults, warnings } : { config, warnings, variables };
}

/** Variables of the product that are no settings. */
const NO_SETTINGS = [RUN_BY, CONFIG_FILE];

function unknownVariables(env: Environment): string[] {
  const known = variableNames();
  const isFile = (name: string): boolean => name.endsWith("_FILE");
  return Object.keys(env)
    .filter(name => name.startsWith(VARIABLE_PREFIX) && isSet(env, name))
    .filter(name => !known.includes(name) && !NO_SETTINGS.includes(name))
    .map(name => {
      const alternatives = known.filter(each => isFile(each) === isFile(name));
      return ignored(unknownKey(name, alternatives));
    });
}
