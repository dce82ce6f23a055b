import { type Fault, isFault } from "./fault.ts";
import { type Edit, editJson, isBlank, isObject, isSame, newJson, parseJson } from "./json-text.ts";

/** `[1, 2, 3]`, or `"1.2.3"` in newer packs. */
export type PackVersion = number[] | string;

export interface PackEntry {
  /** uuid of the pack's header, lower case */
  id: string;
  version: PackVersion;
}

/**
 * Parses world_behavior_packs.json or world_resource_packs.json. Missing or empty: no packs. Entries of other kinds are left
 * out; ids of packs without a version are listed separately.
 */
export function readPackList(
  text: string | undefined,
): { entries: PackEntry[]; unversioned: string[] } | Fault {
  const list = parseList(text);
  if (isFault(list)) return list;
  const entries: PackEntry[] = [];
  const unversioned: string[] = [];
  for (const item of list.items) {
    const id = packIdOf(item);
    const version = isObject(item) ? item.version : undefined;
    if (id !== undefined && isVersion(version)) entries.push({ id, version });
    else if (id !== undefined) unversioned.push(id);
  }
  return { entries, unversioned };
}

/** Lists a pack once, in this version: at its current position, or last. Keeps other entries. */
export function setPack(text: string | undefined, { id, version }: PackEntry): { text: string } | Fault {
  const list = parseList(text);
  if (isFault(list)) return list;
  const entry = { pack_id: id, version };
  if (isBlank(text)) return { text: newJson([entry]) };
  const [first, ...more] = placesOf(list.items, id);
  if (first === undefined) return editJson(text, [{ path: [list.items.length], value: entry }]);
  const edits: Edit[] = more.reverse().map(place => ({ path: [place], value: undefined }));
  const item = list.items[first];
  if (!isObject(item) || !isSame(item.version, version))
    edits.push({ path: [first, "version"], value: version });
  return editJson(text, edits);
}

/** Removes a pack from the list. Returns the given text when it is not listed. */
export function removePack(text: string | undefined, id: string): { text: string } | Fault {
  const list = parseList(text);
  if (isFault(list)) return list;
  const edits: Edit[] = placesOf(list.items, id)
    .reverse()
    .map(place => ({ path: [place], value: undefined }));
  return editJson(text ?? "", edits);
}

function parseList(text: string | undefined): { items: unknown[] } | Fault {
  if (isBlank(text)) return { items: [] };
  const read = parseJson(text);
  if (isFault(read)) return read;
  if (!Array.isArray(read.value)) return { fault: "expected a list of packs: [ ... ]" };
  return { items: read.value };
}

const placesOf = (items: unknown[], id: string): number[] =>
  items.flatMap((item, place) => (packIdOf(item) === id.toLowerCase() ? [place] : []));

const packIdOf = (item: unknown): string | undefined =>
  isObject(item) && typeof item.pack_id === "string" ? item.pack_id.toLowerCase() : undefined;

const isVersion = (value: unknown): value is PackVersion =>
  typeof value === "string" || (Array.isArray(value) && value.every(part => typeof part === "number"));
