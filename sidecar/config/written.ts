import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Variables } from "./environment.ts";
import type { FileValues } from "./file.ts";
import type { Setting } from "./setting.ts";
import { type Config, SETTINGS_BY_PATH } from "./settings.ts";

/** What a sidecar has read when it started, by the paths of settings, as JSON. */
export interface StartupSettings {
  /** what the file alone gives, where that is not the default */
  file: Readonly<Record<string, string>>;
  /** texts of the environment */
  environment: Readonly<Record<string, string>>;
}

/** Read again while the sidecar runs: a change of these needs no restart. */
export const READ_AGAIN: readonly string[] = ["modules.api.admin-api-key", "modules.api.admin-keys"];

/** What stands in a file that is valid, and in the environment. It holds secrets. */
export function readWritten({ values }: Pick<FileValues, "values">, variables: Variables): StartupSettings {
  const file: Record<string, string> = {};
  const environment: Record<string, string> = {};
  for (const [at, setting] of SETTINGS_BY_PATH) {
    if (READ_AGAIN.includes(at)) continue;
    const [held, variable] = [values.get(at), variables.get(at)];
    const value = meaning(setting, held);
    if (values.has(at) && !isDeepStrictEqual(value, meaning(setting, setting.default)))
      file[at] = JSON.stringify(value);
    if (variable !== undefined && "value" in variable) environment[at] = JSON.stringify(variable.value.text);
  }
  return { file, environment };
}

/** The same for what is written in different ways. A path stays as it is: it leads elsewhere on another machine. */
function meaning(setting: Setting<unknown>, raw: unknown): unknown {
  const read = setting.read(raw, "/");
  return "fault" in read || (typeof raw === "string" && typeof read.value === "string") ? raw : read.value;
}

/** A text as whoever has the bridge's token can tell it from others; to those without it tells nothing. */
const digest = (token: string, text: string): string =>
  createHmac("sha256", token).update(text).digest("hex").slice(0, 16);

/** Digests of each setting. */
export function digestsOf({ file, environment }: StartupSettings, token: string): StartupSettings {
  const keyed = (held: StartupSettings["file"]): Record<string, string> =>
    Object.fromEntries(Object.entries(held).map(([at, json]) => [at, digest(token, `${at} ${json}`)]));
  return { file: keyed(file), environment: keyed(environment) };
}

/**
 * One digest of all that has to be the same at every sidecar of a bridge, so that everybody is treated alike.
 * @param tokens of the game servers beside the first, by their names: a pack comes to any of the sidecars
 */
export function commonDigest(
  { modules: { api, web }, webhooks, messages, server, servers }: Config,
  token: string,
  tokens: ReadonlyMap<string, string>,
): string {
  const { host: _host, port: _port, ...same } = api;
  // What is told of each, their processes and ports, may be seen by one sidecar alone.
  const several = servers.map(({ name, title, info }) => [name, title || info.title, tokens.get(name)]);
  const named = several.length === 0 ? [] : [server.name, several];
  return digest(token, JSON.stringify([same, web, webhooks, messages, ...named]));
}
