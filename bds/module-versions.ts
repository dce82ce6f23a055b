import { Buffer } from "node:buffer";
import { type Fault, isFault } from "./fault.ts";
import { editJson, isSame, parseJson } from "./json-text.ts";
import type { Manifest } from "./manifest.ts";
import { decodeText } from "./text-encoding.ts";

/** Versions of script modules, by module, for which a manifest asks instead of those of the build. */
export type Pins = ReadonlyMap<string, string>;

const SCOPE = "@minecraft/";
/** `beta` is what the running game has; a number belongs to one version of the game. The pack needs one of them. */
const VERSION = /^(beta|\d{1,4}\.\d{1,4}\.\d{1,4}-beta)$/;
/** Modules whose number has never changed. */
const UNNUMBERED = [`${SCOPE}server-net`, `${SCOPE}server-admin`];
const UNNUMBERED_VERSION = "1.0.0-beta";

/** Modules for which an installed manifest asks in another version than the built one. */
export const differingModules = (
  installed: Manifest,
  built: Manifest,
): { id: string; version: string; wanted: string }[] =>
  built.dependencies.flatMap(({ id, version: wanted }) => {
    const found = installed.dependencies.find(each => each.id === id);
    const differs = id.startsWith(SCOPE) && found !== undefined && found.version !== wanted;
    return differs ? [{ id, version: found.version, wanted }] : [];
  });

/** The versions that the owner of an installed manifest has chosen, of the modules for which the build asks as `beta`. */
export const pinsIn = (installed: Manifest, built: Manifest): Pins =>
  new Map(
    differingModules(installed, built).flatMap(({ id, version, wanted }): [string, string][] =>
      wanted === "beta" && VERSION.test(version) ? [[id, version]] : [],
    ),
  );

/**
 * Parses `--module-versions`: `beta`, `1.0.0-beta` for the modules that have had no other number, or a list such as
 * `server=2.12.0-beta,server-ui=2.4.0-beta`.
 */
export function readPins(text: string, built: Manifest): { pins: Pins } | Fault {
  if (text === "beta") return { pins: new Map() };
  if (text === UNNUMBERED_VERSION) return { pins: new Map(UNNUMBERED.map(id => [id, UNNUMBERED_VERSION])) };
  const pins = new Map<string, string>();
  for (const entry of text.split(",")) {
    const [, name = "", version = ""] = /^\s*([\w-]+)=(\S+)\s*$/.exec(entry) ?? [];
    const module = built.dependencies.find(({ id }) => id === `${SCOPE}${name}`);
    if (module === undefined || !VERSION.test(version))
      return {
        fault: `${entry}: expected beta, ${UNNUMBERED_VERSION}, or a list such as server=2.12.0-beta,server-net=${UNNUMBERED_VERSION}`,
      };
    if (version !== module.version) pins.set(module.id, version);
  }
  return { pins };
}

/** A built manifest with these versions; the bytes of the installed one where that is equal. */
export function manifestWithPins(
  bytes: Uint8Array,
  built: Manifest,
  pins: Pins,
  installed: Uint8Array | undefined,
): Uint8Array | Fault {
  if (pins.size === 0) return bytes;
  const edits = built.dependencies.flatMap(({ id }, place) => {
    const version = pins.get(id);
    return version === undefined ? [] : [{ path: ["dependencies", place, "version"], value: version }];
  });
  const edited = editJson(Buffer.from(bytes).toString("utf8"), edits);
  if (isFault(edited)) return edited;
  const found = installed && decodeText(installed);
  const isUnchanged = found !== undefined && !isFault(found) && isSameJson(found.text, edited.text);
  return installed !== undefined && isUnchanged ? installed : Buffer.from(edited.text);
}

function isSameJson(one: string, other: string): boolean {
  const [a, b] = [parseJson(one), parseJson(other)];
  return !isFault(a) && !isFault(b) && isSame(a.value, b.value);
}

/** `@minecraft/server-net 1.0.0-beta, @minecraft/server-admin 1.0.0-beta` */
export const showPins = (pins: Pins): string => [...pins].map(pin => pin.join(" ")).join(", ");
