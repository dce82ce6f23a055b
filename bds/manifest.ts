import { type Fault, isFault } from "./fault.ts";
import { isObject, parseJson } from "./json-text.ts";
import type { PackVersion } from "./pack-list.ts";

/** A pack's manifest. Uuids are lower case. */
export interface Manifest {
  name: string;
  uuid: string;
  version: PackVersion;
  /** oldest game that it is for; undefined: not given */
  engine: PackVersion | undefined;
  /** `entry`: the file of a script, empty for other modules */
  modules: { type: string; uuid: string; entry: string }[];
  dependencies: { id: string; version: string }[];
}

export function readManifest(text: string): Manifest | Fault {
  const read = parseJson(text);
  if (isFault(read)) return read;
  const { header, modules, dependencies } = isObject(read.value) ? read.value : {};
  if (!isObject(header) || typeof header.uuid !== "string") return { fault: "its header has no uuid" };
  const version = versionOf(header.version);
  if (version === undefined) return { fault: "its header has no version" };
  return {
    name: textOf(header.name),
    uuid: header.uuid.toLowerCase(),
    version,
    engine: versionOf(header.min_engine_version),
    modules: objectsIn(modules).map(({ type, uuid, entry }) => ({
      type: textOf(type),
      uuid: textOf(uuid).toLowerCase(),
      entry: textOf(entry),
    })),
    dependencies: objectsIn(dependencies).map(({ module_name, uuid, version: of }) => ({
      id: textOf(module_name) || textOf(uuid).toLowerCase(),
      version: showVersion(versionOf(of) ?? ""),
    })),
  };
}

export const showVersion = (version: PackVersion): string =>
  typeof version === "string" ? version : version.join(".");

/** The module with the pack's script; undefined: it has none. */
export const scriptModuleOf = ({ modules }: Manifest): Manifest["modules"][number] | undefined =>
  modules.find(({ type }) => type === "script");

/** Whether it is the pack that keeps achievements, and not the one with all features, which has the same identity. */
export const keepsAchievements = ({ dependencies }: Manifest): boolean =>
  dependencies.some(({ id }) => id === "@minecraft/server") &&
  !dependencies.some(({ id }) => id === "@minecraft/server-net");

/** A version as numbers; undefined: it is not one. */
export function numbersOf(version: PackVersion | undefined): number[] | undefined {
  const numbers = typeof version === "string" ? version.split(".").map(Number) : version;
  return numbers?.every(Number.isInteger) ? numbers : undefined;
}

function versionOf(value: unknown): PackVersion | undefined {
  if (typeof value === "string") return value;
  const isList = Array.isArray(value) && value.every(part => typeof part === "number");
  return isList ? value : undefined;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
