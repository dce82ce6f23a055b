import { type FileValues, readFileValues } from "./file.ts";
import { unexpected } from "./kind.ts";
import { unknownKey } from "./nearest.ts";
import { mapSettings } from "./setting.ts";
import { type Config, SETTINGS, SETTINGS_BY_PATH, VARIABLE_PREFIX, variableOf } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
type ConfigResult = { config: Config } | { faults: string[] };

/**
 * The configuration that a file and the environment give, or everything that is wrong with them, one line each:
 * key, value and what is expected. Secrets are never part of a line.
 */
export const readConfig = (yaml: string, env: Environment, configFolder: string): ConfigResult =>
  configOf(readFileValues(yaml), env, configFolder);

/** The same of a file that is read already. */
export function configOf(file: FileValues, env: Environment, configFolder: string): ConfigResult {
  const faults = [...file.faults];
  // Each place gets what its own kind has read.
  const config = mapSettings(SETTINGS, (at, setting) => {
    const variable = variableOf(at);
    const text = env[variable];
    const name = text === undefined ? at : `${variable} (${at})`;
    const raw =
      text !== undefined
        ? (setting.fromText?.(text) ?? text)
        : file.values.has(at)
          ? file.values.get(at)
          : setting.default;
    const result = setting.read(raw, configFolder);
    if ("value" in result) return result.value;
    const whole = [{ at: "", what: unexpected(setting, text ?? raw, result.fault) }];
    for (const { at: part, what } of result.parts ?? whole) faults.push(`${name}${part}: ${what}`);
    return undefined;
  }) as Config;
  faults.push(...unknownVariables(env));
  if (faults.length > 0) return { faults };
  const clashes = [samePort(config), noAddress(config), noIssuer(config), ...ofServers(config)].filter(
    one => one !== undefined,
  );
  return clashes.length === 0 ? { config } : { faults: clashes };
}

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

function noAddress({ storage: { kind, url } }: Config): string | undefined {
  const needed = `${SETTINGS.storage.url.expected}, since storage.kind is redis`;
  return kind === "redis" && url === "" ? `storage.url: blank: expected ${needed}` : undefined;
}

function noIssuer({ signIn: { enabled, issuer } }: Config): string | undefined {
  const needed = `${SETTINGS.signIn.issuer.expected}, since sign-in.enabled is true`;
  return enabled && issuer === "" ? `sign-in.issuer: blank: expected ${needed}` : undefined;
}

/** What container runtimes set by themselves for a service that is called web-bridge. */
const OF_CONTAINERS = /^WEB_BRIDGE_(SERVICE_(HOST|PORT\w*)|PORT(_\d+_(TCP|UDP)\w*)?|NAME|ENV_\w*)$/;

/** Tells setup and doctor how the sidecar is run, so that their advice fits; no setting. */
export const RUN_BY = `${VARIABLE_PREFIX}RUN_BY`;

function unknownVariables(env: Environment): string[] {
  const known = [...SETTINGS_BY_PATH.keys()].map(variableOf);
  return Object.keys(env)
    .filter(name => name.startsWith(VARIABLE_PREFIX) && env[name] !== undefined)
    .filter(name => !known.includes(name) && name !== RUN_BY && !OF_CONTAINERS.test(name))
    .map(name => unknownKey(name, known));
}

/** Two listeners cannot have one port, unless each has an address of its own. */
function samePort({ bridge, modules: { api } }: Config): string | undefined {
  const hosts = [bridge.host, api.host];
  if (bridge.port === 0 || bridge.port !== api.port) return undefined;
  if (bridge.host !== api.host && !hosts.includes("0.0.0.0") && !hosts.includes("::")) return undefined;
  return `bridge.port: ${bridge.port}: expected another port than that of modules.api.port`;
}
