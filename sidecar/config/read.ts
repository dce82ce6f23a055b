import { assemble } from "./assemble.ts";
import type { Config } from "./config.ts";
import { readFileValues, unknownKey } from "./file.ts";
import {
  SETTING_PATHS,
  type Setting,
  type SettingPath,
  settingAt,
  VARIABLE_PREFIX,
  type Values,
  variableOf,
} from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type ConfigResult = { config: Config } | { faults: string[] };

/**
 * The configuration that a file and the environment give, or everything that is wrong with them, one line each:
 * key, value and what is expected. Secrets are never part of a line.
 */
export function readConfig(yaml: string, env: Environment, configFolder: string): ConfigResult {
  const file = readFileValues(yaml);
  const faults = [...file.faults];
  const values: Partial<Record<SettingPath, unknown>> = {};
  for (const at of SETTING_PATHS) {
    const setting = settingAt(at);
    const variable = variableOf(at);
    const text = env[variable];
    const name = text === undefined ? at : `${variable} (${at})`;
    const raw =
      text !== undefined
        ? setting.kind.fromText(text)
        : file.values.has(at)
          ? file.values.get(at)
          : setting.standard;
    const result = setting.kind.read(raw);
    if ("fault" in result) faults.push(fault(name, setting, text ?? raw, result.fault));
    else values[at] = result.value;
  }
  faults.push(...unknownVariables(env));
  if (faults.length > 0) return { faults };
  // Every path of the table has been read by its own kind.
  const complete = values as Values;
  const clash = samePort(complete);
  return clash === undefined ? { config: assemble(complete, configFolder) } : { faults: [clash] };
}

function fault(name: string, setting: Setting<unknown>, raw: unknown, reason: string): string {
  const shown = setting.secret ? "(hidden)" : clipped(JSON.stringify(raw) ?? String(raw));
  return `${name}: ${shown}: expected ${reason === "" ? setting.kind.expected : reason}`;
}

const clipped = (text: string): string => (text.length <= 120 ? text : `${text.slice(0, 120)}...`);

/** What container runtimes set by themselves for a service that is called web-bridge. */
const OF_CONTAINERS = /^WEB_BRIDGE_(SERVICE_(HOST|PORT\w*)|PORT(_\d+_(TCP|UDP)\w*)?|NAME|ENV_\w*)$/;

function unknownVariables(env: Environment): string[] {
  const known = SETTING_PATHS.map(variableOf);
  return Object.keys(env)
    .filter(name => name.startsWith(VARIABLE_PREFIX) && env[name] !== undefined)
    .filter(name => !known.includes(name) && !OF_CONTAINERS.test(name))
    .map(name => unknownKey(name, known));
}

/** Two listeners cannot have one port, unless each has an address of its own. */
function samePort(values: Values): string | undefined {
  const [port, hosts] = [values["bridge.port"], [values["bridge.host"], values["modules.api.host"]]];
  if (port === 0 || port !== values["modules.api.port"]) return undefined;
  if (hosts[0] !== hosts[1] && !hosts.includes("0.0.0.0") && !hosts.includes("::")) return undefined;
  return `bridge.port: ${port}: expected another port than that of modules.api.port`;
}
