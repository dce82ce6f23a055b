import { isFault } from "../../bds/fault.ts";
import type { Files } from "../../bds/files.ts";
import {
  type InstalledPack,
  installedPacks,
  type PackKind,
  readText,
  type ServerFolder,
  scriptFile,
} from "../../bds/folder.ts";
import { isObject, isSame, valueAt } from "../../bds/json-text.ts";
import { type Manifest, showVersion } from "../../bds/manifest.ts";
import { type PackEntry, readPackList } from "../../bds/pack-list.ts";
import { readValues } from "../../bds/script-config.ts";
import type { NetOptions } from "./types.ts";

/** Files of a server folder for a script. */
interface ScriptSettings {
  allowedModules: readonly string[];
  net: NetOptions;
  variables: Record<string, unknown>;
  secrets: Record<string, string>;
}

/** Permissions of a script without permissions.json: everything except the network. */
const DEFAULT_MODULES = [
  "@minecraft/server-gametest",
  "@minecraft/server",
  "@minecraft/server-ui",
  "@minecraft/server-admin",
  "@minecraft/server-editor",
];

/** Finds the packs of the world's list; problems go to `complain`. */
export function packsOfWorld(
  server: ServerFolder,
  kind: PackKind,
  files: Files,
  complain: (line: string) => void,
): InstalledPack[] {
  const path = server.world.lists[kind];
  const text = readText(path, files);
  const list = isFault(text) ? text : readPackList(text?.text);
  if (isFault(list)) {
    complain(`[Packs] ${path}: ${list.fault}`);
    return [];
  }
  const installed = installedPacks(server, kind, files, line => complain(`[Packs] ${line}`));
  return list.entries.flatMap(entry => {
    const pack = installed.find(({ manifest }) => isEntryOf(manifest, entry));
    if (pack === undefined) complain(notFound(entry));
    return pack === undefined ? [] : [pack];
  });
}

const notFound = ({ id, version }: PackEntry): string =>
  `Configured pack (id: ${id}, version: ${showVersion(version)}) was not found and was ignored`;

const isEntryOf = (manifest: Manifest, { id, version }: PackEntry): boolean =>
  manifest.uuid === id && isSame(manifest.version, version);

/** Reads a script's files below `config`: from its own folder, or the default ones. */
export function scriptSettings(
  root: string,
  moduleUuid: string,
  files: Files,
  complain: (line: string) => void,
): ScriptSettings {
  const read = (name: string): Record<string, unknown> => {
    const path = scriptFile(root, moduleUuid, name, files);
    const text = readText(path, files);
    const values = isFault(text) ? text : readValues(text?.text);
    if (!isFault(values)) return values.values;
    complain(`[Scripting] ${path}: ${values.fault}`);
    return {};
  };
  const permissions = read("permissions.json");
  const modules = permissions.allowed_modules;
  return {
    allowedModules: isTexts(modules) ? modules : DEFAULT_MODULES,
    net: netOptions(valueAt(permissions, ["module_permissions", "@minecraft/server-net"])),
    variables: read("variables.json"),
    secrets: Object.fromEntries(
      Object.entries(read("secrets.json")).filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      ),
    ),
  };
}

function netOptions(value: unknown): NetOptions {
  const { allowed_uris, force_tls, max_body_bytes, max_concurrent_requests } = isObject(value) ? value : {};
  return {
    ...(isTexts(allowed_uris) && { allowedUris: allowed_uris }),
    ...(typeof force_tls === "boolean" && { forceTls: force_tls }),
    ...(typeof max_body_bytes === "number" && { maxBodyBytes: max_body_bytes }),
    ...(typeof max_concurrent_requests === "number" && { maxConcurrentRequests: max_concurrent_requests }),
  };
}

/** Beta version of each module in game 1.26.60, for the selector `beta`. */
const BETAS: Record<string, string> = {
  "@minecraft/server": "2.12.0-beta",
  "@minecraft/server-ui": "2.4.0-beta",
};

/** Other things that a game may not support. */
export interface Refusals {
  /** modules that it does not have */
  readonly missing?: readonly string[];
  /** beta modules, regardless of the world's experiments */
  readonly betaApis?: boolean;
  /** the version `beta`, of modules that have only 1.0.0-beta */
  readonly selector?: boolean;
}

/** Why a pack's script cannot run, in the server's words; undefined if it can. */
export function refusalOf(
  { manifest }: InstalledPack,
  allowedModules: readonly string[],
  betaApis: boolean,
  { missing = [], betaApis: noBeta = false, selector = false }: Refusals = {},
): string | undefined {
  const plugin = `Plugin [${manifest.name} - ${showVersion(manifest.version)}]`;
  const modules = manifest.dependencies.filter(({ id }) => id.startsWith("@minecraft/"));
  const chosen = selector ? modules.find(({ id, version }) => version === "beta" && !BETAS[id]) : undefined;
  if (chosen !== undefined) return `${plugin} - depends on unknown module [${chosen.id} - beta].`;
  const foreign = modules.find(({ id }) => !allowedModules.includes(id) || missing.includes(id));
  if (foreign !== undefined)
    return `${plugin} - depends on unknown module [${foreign.id} - ${numberOf(foreign)}].`;
  const beta = betaApis && !noBeta ? undefined : modules.find(module => numberOf(module).endsWith("-beta"));
  if (beta !== undefined)
    return `${plugin} - requesting dependency on beta APIs [${beta.id} - ${numberOf(beta)}], but the Beta APIs experiment is not enabled.`;
  return undefined;
}

const numberOf = ({ id, version }: { id: string; version: string }): string =>
  version === "beta" ? (BETAS[id] ?? "1.0.0-beta") : version;

/** Whether a pack asks for a stable script API, which has nothing of the Beta APIs. */
export const isStablePack = ({ dependencies }: Manifest): boolean =>
  dependencies.every(module => module.id !== "@minecraft/server" || !numberOf(module).endsWith("-beta"));

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(each => typeof each === "string");
