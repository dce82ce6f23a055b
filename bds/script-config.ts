import { type Fault, isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { textAt } from "./folder.ts";
import {
  type Edit,
  editJson,
  isBlank,
  isObject,
  isSame,
  newJson,
  type Path,
  parseJson,
  valueAt,
} from "./json-text.ts";

/** Modules of the game that the script uses. */
export const SCRIPT_MODULES = [
  "@minecraft/server",
  "@minecraft/server-ui",
  "@minecraft/server-net",
  "@minecraft/server-admin",
];

const NET = ["module_permissions", "@minecraft/server-net"];

/** Permissions that the script needs. */
interface NetNeeds {
  /** address of the sidecar, without slash at its end */
  url: string;
  /** paths below it */
  paths: readonly string[];
  /** the earlier address, whose entries are removed */
  oldUrl?: string | undefined;
  bodyBytes: number;
  requests: number;
}

/**
 * Allows the script only its modules and the sidecar. The owner's settings stay unless the bridge cannot
 * work with them: low limits are raised, and addresses are added to a list.
 */
export function mergePermissions(text: string | undefined, needs: NetNeeds): { text: string } | Fault {
  return merge(text, value => {
    const wrong = permissionsFault(value);
    if (wrong !== undefined) return wrong;
    const modules = valueAt(value, ["allowed_modules"]);
    const net = valueAt(value, NET);
    const now = isObject(net) ? net : {};
    const settings = Object.entries(netSettings(now, needs));
    return [
      ...listEdits(["allowed_modules"], modules, union(isTexts(modules) ? modules : [], SCRIPT_MODULES)),
      ...settings.flatMap(([key, wanted]) => listEdits([...NET, key], now[key], wanted)),
    ];
  });
}

/** Why permissions.json cannot be edited; undefined: it can. */
export function permissionsFault(value: Record<string, unknown>): Fault | undefined {
  const modules = valueAt(value, ["allowed_modules"]);
  if (modules !== undefined && !isTexts(modules))
    return { fault: "allowed_modules: expected a list of names" };
  const wrong = [NET.slice(0, 1), NET].find(path => !isObject(valueAt(value, path) ?? {}));
  return wrong && { fault: `${wrong.join(" / ")}: expected keys below it` };
}

/** Changes each name of a list separately, which keeps the comments beside the others. */
function listEdits(path: Path, now: unknown, wanted: unknown): Edit[] {
  if (!isTexts(now) || !isTexts(wanted) || now.length === 0) return [{ path, value: wanted }];
  const names = new Set(wanted);
  const out = now.flatMap((name, place) => (names.has(name) ? [] : [place])).reverse();
  const remaining = now.length - out.length;
  return [
    ...out.map(place => ({ path: [...path, place], value: undefined })),
    ...wanted.slice(remaining).map((value, place) => ({ path: [...path, remaining + place], value })),
  ];
}

/** Addresses that the script needs, in both forms: it is unknown whether the server compares prefixes or complete addresses. */
export const addressesOf = (url: string, paths: readonly string[]): string[] => [
  `${url}/`,
  ...paths.map(path => `${url}${path}`),
];

/** Sets keys of variables.json or secrets.json; `undefined` removes a key. */
export function mergeValues(
  text: string | undefined,
  values: Readonly<Record<string, string | undefined>>,
): { text: string } | Fault {
  return merge(text, () => Object.entries(values).map(([key, value]) => ({ path: [key], value })));
}

/** Parses variables.json or secrets.json. Missing or empty: no keys. */
export function readValues(text: string | undefined): { values: Record<string, unknown> } | Fault {
  if (isBlank(text)) return { values: {} };
  const read = parseJson(text);
  if (isFault(read)) return read;
  return isObject(read.value) ? { values: read.value } : { fault: "expected an object: { ... }" };
}

/** The values in such a file; undefined: it is missing, or cannot be read. */
export function valuesIn(path: string, files: Files): Record<string, unknown> | undefined {
  const text = textAt(path, files);
  const read = text === undefined ? undefined : readValues(text);
  return isFault(read) ? undefined : read?.values;
}

/** Settings of server-net after the merge, those that stay included. */
function netSettings(now: Record<string, unknown>, needs: NetNeeds): Record<string, unknown> {
  const { url, paths, oldUrl, bodyBytes, requests } = needs;
  const old = oldUrl === undefined || oldUrl === url ? [] : addressesOf(oldUrl, paths);
  const given = isTexts(now.allowed_uris) ? now.allowed_uris.filter(uri => !old.includes(uri)) : [];
  const isTls = /^https:/i.test(url);
  // With an address without TLS it had to be false, whatever the owner wants now.
  const isChosen = typeof now.force_tls === "boolean" && !/^http:/i.test(oldUrl ?? "");
  return {
    allowed_uris: union(given, addressesOf(url, paths)),
    force_tls: isTls && isChosen ? now.force_tls : isTls,
    max_body_bytes: atLeast(now.max_body_bytes, bodyBytes),
    max_concurrent_requests: atLeast(now.max_concurrent_requests, requests),
  };
}

const atLeast = (value: unknown, least: number): number =>
  typeof value === "number" && value >= least ? value : least;

const union = (have: readonly string[], wanted: readonly string[]): string[] => [
  ...have,
  ...wanted.filter(each => !have.includes(each)),
];

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(each => typeof each === "string");

/** Applies the edits that change something. */
function merge(
  text: string | undefined,
  editsOf: (value: Record<string, unknown>) => Edit[] | Fault,
): { text: string } | Fault {
  const read = readValues(text);
  if (isFault(read)) return read;
  const edits = editsOf(read.values);
  if (isFault(edits)) return edits;
  const needed = edits.filter(({ path, value }) => !isSame(valueAt(read.values, path), value));
  if (!isBlank(text)) return editJson(text, needed, "pretty");
  const made = editJson("{}", needed);
  if (isFault(made)) return made;
  const fresh = parseJson(made.text);
  return isFault(fresh) ? fresh : { text: newJson(fresh.value) };
}
