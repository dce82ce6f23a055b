import { type Fault, isFault } from "./fault.ts";
import { type Edit, editJson, isBlank, isObject, isSame, newJson, parseJson } from "./json-text.ts";

/** `[1, 2, 3]`, or what newer packs write: `"1.2.3"`. */
export type PackVersion = number[] | string;

/** A pack that a world loads. */
export interface PackEntry {
  /** uuid of the pack's header, lower case */
  id: string;
  version: PackVersion;
}

/**
 * Reads world_behavior_packs.json or world_resource_packs.json. Missing or empty: no packs. Foreign entries are left out,
 * and packs without a version are named apart.
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

/** Enters a pack once and in this version: in the place where it stands, or last. Other entries stay as they are. */
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

/** Takes a pack off the list, wherever it stands. The text itself when it is not on it. */
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
  if (!Array.isArray(read.value)) return { fault: "it is no list of packs: expected [ ... ]" };
  return { items: read.value };
}

const placesOf = (items: unknown[], id: string): number[] =>
  items.flatMap((item, place) => (packIdOf(item) === id.toLowerCase() ? [place] : []));

/** The pack that an entry of a list names, in lower case. */
const packIdOf = (item: unknown): string | undefined =>
  isObject(item) && typeof item.pack_id === "string" ? item.pack_id.toLowerCase() : undefined;

const isVersion = (value: unknown): value is PackVersion =>
  typeof value === "string" || (Array.isArray(value) && value.every(part => typeof part === "number"));
