import { CONFIG_FILE, RUN_BY } from "../../cli/variables.ts";
import { type Environment, isSet, readVariables, type Variables, variableNames } from "./environment.ts";
import { type FileValues, ignored, readFileValues } from "./file.ts";
import { hidden, type PartFault, unexpected } from "./kind.ts";
import { unknownKey } from "./nearest.ts";
import { mapSettings } from "./setting.ts";
import { type Config, SETTINGS, VARIABLE_PREFIX, variableOf } from "./settings.ts";

/** `variables`: those of the environment. Nothing is refused for the warnings. */
type ConfigResult =
  | { config: Config; warnings: readonly string[]; variables: Variables }
  | { faults: string[]; warnings: readonly string[] };

/**
 * The configuration that a file and the environment give, or everything that is wrong with them, one line each:
 * key, value and what is expected. Secrets are never part of a line.
 */
export const readConfig = (yaml: string, env: Environment, configFolder: string): ConfigResult =>
  configOf(readFileValues(yaml), env, configFolder);

/** The same of a file that is read already. */
export function configOf(file: FileValues, env: Environment, configFolder: string): ConfigResult {
  const faults = [...file.faults];
  const warnings = [...file.warnings, ...unknownVariables(env)];
  const variables = readVariables(env, configFolder);
  // Each place gets what its own kind has read.
  const config = mapSettings(SETTINGS, (at, setting) => {
    const found = variables.get(at);
    if (found !== undefined && "fault" in found) {
      faults.push(found.fault);
      return undefined;
    }
    const variable = found?.value;
    const raw = variable
      ? (setting.fromText?.(variable.text) ?? variable.text)
      : file.values.has(at)
        ? file.values.get(at)
        : setting.default;
    const result = setting.read(raw, configFolder);
    const name = variable === undefined ? at : `${variable.name} (${at})`;
    if (typeof raw === "string" && /^\$\{\w+\}$/.test(raw)) {
      faults.push(
        `${name}: \${…} is not replaced here: expected the value itself${inVariable(at, variable)}`,
      );
      return undefined;
    }
    const isQuoted = /^(["']).*\1$/s.test(variable?.text ?? "");
    const told = ({ at: part, what }: PartFault): string => `${name}${part}: ${what}`;
    const unknown = "value" in result ? (result.unknown ?? []).map(told) : [];
    if (variable === undefined && file.writtenBy !== undefined)
      warnings.push(...unknown.map(each => ignored(each, file.writtenBy)));
    else faults.push(...unknown);
    if ("value" in result) {
      if (isQuoted) warnings.push(`${name}: the quotes around it count as a part of it: write it without`);
      return result.value;
    }
    const kind = variable?.isFromFile ? { ...setting, shown: hidden } : setting;
    const what = `${unexpected(kind, variable?.text ?? raw, result.fault)}${isQuoted ? ": write it without quotes" : ""}`;
    const whole = [{ at: "", what }];
    faults.push(...(result.parts ?? whole).map(told));
    return undefined;
  }) as Config;
  if (faults.length > 0) return { faults, warnings };
  const clashes = [
    samePort(config),
    noAddress(config),
    noPair(config),
    noIssuer(config),
    ...ofServers(config),
  ].filter(one => one !== undefined);
  return clashes.length === 0 ? { config, warnings, variables } : { faults: clashes, warnings };
}

/** Where a file may leave a value to the environment. */
const inVariable = (at: string, variable: unknown): string =>
  variable === undefined ? `, or ${variableOf(at)} set to it` : "";

/** What is said of a game server that is another one elsewhere. */
function ofServers({ bridge, modules, server, servers }: Config): string[] {
  const names = [server.name, ...servers.map(({ name }) => name)];
  const likeFirst = servers.flatMap(({ name, token }, i) => [
    ...(name === server.name
      ? [`servers[${i}].name: "${name}": expected another than server.name, which is the first one's`]
      : []),
    ...(token !== "" && token === bridge.token
      ? [`servers[${i}].token: (hidden): expected another than bridge.token, which is the first one's`]
      : []),
  ]);
  const ofKeys = modules.api.adminKeys.flatMap(({ servers = [] }, i) =>
    servers
      .filter(name => !names.includes(name))
      .map(
        name => `modules.api.admin-keys[${i}].servers: "${name}": expected names out of ${names.join(", ")}`,
      ),
  );
  return [...likeFirst, ...ofKeys];
}

function noPair({ storage: { clientCert, clientKey } }: Config): string | undefined {
  if ((clientCert === "") === (clientKey === "")) return undefined;
  const missing = clientCert === "" ? "storage.client-cert" : "storage.client-key";
  return `${missing}: blank: expected the path of a file: a certificate and its key go together`;
}

function noAddress({ storage: { kind, url } }: Config): string | undefined {
  const needed = `${SETTINGS.storage.url.expected}, since storage.kind is redis`;
  return kind === "redis" && url === "" ? `storage.url: blank: expected ${needed}` : undefined;
}

function noIssuer({ signIn: { enabled, issuer } }: Config): string | undefined {
  const needed = `${SETTINGS.signIn.issuer.expected}, since sign-in.enabled is true`;
  return enabled && issuer === "" ? `sign-in.issuer: blank: expected ${needed}` : undefined;
}

/** What programs are told besides settings. */
const NO_SETTINGS = [RUN_BY, CONFIG_FILE];

function unknownVariables(env: Environment): string[] {
  const known = variableNames();
  const isFile = (name: string): boolean => name.endsWith("_FILE");
  return Object.keys(env)
    .filter(name => name.startsWith(VARIABLE_PREFIX) && isSet(env, name))
    .filter(name => !known.includes(name) && !NO_SETTINGS.includes(name))
    .map(name =>
      ignored(
        unknownKey(
          name,
          known.filter(each => isFile(each) === isFile(name)),
        ),
      ),
    );
}

/** Two listeners cannot have one port, unless each has an address of its own. */
function samePort({ bridge, modules: { api } }: Config): string | undefined {
  const hosts = [bridge.host, api.host];
  if (bridge.port === 0 || bridge.port !== api.port) return undefined;
  if (bridge.host !== api.host && !hosts.includes("0.0.0.0") && !hosts.includes("::")) return undefined;
  return `bridge.port: ${bridge.port}: expected another port than that of modules.api.port`;
}
