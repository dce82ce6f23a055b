import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Variables } from "./environment.ts";
import type { FileValues } from "./file-values.ts";
import type { Setting } from "./setting.ts";
import { type Config, SETTINGS_BY_PATH } from "./settings.ts";

/** Settings of a sidecar at its start: JSON by their paths, or digests of that. */
export interface StartupSettings {
  /** values of the file that differ from the default */
  file: Readonly<Record<string, string>>;
  /** texts of the environment */
  environment: Readonly<Record<string, string>>;
}

/** Settings that take effect without a restart. */
export const READ_AGAIN: readonly string[] = [
  "modules.api.admin-api-key",
  "modules.api.admin-keys",
  "modules.api.moderators",
];

/** The settings in a valid file and in the environment. They hold secrets. */
export function startupSettings(
  { values }: Pick<FileValues, "values">,
  variables: Variables,
): StartupSettings {
  const file: Record<string, string> = {};
  const environment: Record<string, string> = {};
  for (const [at, setting] of SETTINGS_BY_PATH) {
    if (READ_AGAIN.includes(at)) continue;
    const variable = variables.get(at);
    const value = comparable(setting, values.get(at));
    if (values.has(at) && !isDeepStrictEqual(value, comparable(setting, setting.default)))
      file[at] = JSON.stringify(value);
    if (variable !== undefined && "value" in variable) environment[at] = JSON.stringify(variable.value.text);
  }
  return { file, environment };
}

/** A value in one form, however it is written. A path stays: it differs on each machine. */
function comparable(setting: Setting<unknown>, raw: unknown): unknown {
  const read = setting.read(raw, "/");
  return "fault" in read || (typeof raw === "string" && typeof read.value === "string") ? raw : read.value;
}

/** A digest that reveals nothing to those without the bridge's token. */
const digest = (token: string, text: string): string =>
  createHmac("sha256", token).update(text).digest("hex").slice(0, 16);

/** Digests of each setting. */
export function digestsOf({ file, environment }: StartupSettings, token: string): StartupSettings {
  const keyed = (values: StartupSettings["file"]): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([at, json]) => [at, digest(token, `${at} ${json}`)]));
  return { file: keyed(file), environment: keyed(environment) };
}

/**
 * One digest of everything that must be equal on all sidecars of a bridge, so that they treat visitors the same.
 * @param tokens of the game servers beside the first, by their names: a pack comes to any of the sidecars
 */
export function commonDigest(
  { modules: { api, web }, webhooks, messages, server, servers }: Config,
  token: string,
  tokens: ReadonlyMap<string, string>,
): string {
  const { host: _host, port: _port, ...common } = api;
  // Process and port of a game server may be visible to only one sidecar.
  const several = servers.map(({ name, title, info }) => [name, title || info.title, tokens.get(name)]);
  const named = several.length === 0 ? [] : [server.name, several];
  return digest(token, JSON.stringify([common, web, webhooks, messages, ...named]));
}
