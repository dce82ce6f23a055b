import { isObject } from "../../bds/json-text.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { type EditResult, withElement } from "./yaml-edit.ts";

/** Key of the game servers beside the first one. */
export const SERVERS = "servers";

interface FoundEntry {
  list: readonly unknown[];
  /** -1: not found */
  index: number;
  entry: Record<string, unknown> | undefined;
}

/** Finds the entry of a game server in a configuration. */
export function entryIn(text: string, name: string): FoundEntry {
  const value = readFileValues(text).values.get(SERVERS);
  const list: unknown[] = Array.isArray(value) ? value : [];
  const index = list.findIndex(each => isObject(each) && each.name === name);
  const entry = list[index];
  return { list, index, entry: isObject(entry) ? entry : undefined };
}

/** The information in an entry, by paths such as `info.port`. */
export const infoOf = (entry: Record<string, unknown> | undefined): Record<string, unknown> =>
  isObject(entry?.info)
    ? Object.fromEntries(Object.entries(entry.info).map(([name, value]) => [`info.${name}`, value]))
    : {};

/** The text with an entry of that name, added if it is missing. */
export function withEntry(text: string, name: string): EditResult {
  const { list, entry } = entryIn(text, name);
  return entry === undefined ? withElement(text, SERVERS, list, { name }) : { text };
}
