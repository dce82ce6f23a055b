import { join } from "node:path";
import { isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { textAt } from "./folder.ts";
import { isObject, parseJson } from "./json-text.ts";

/** Folder in that of the server where setup keeps what undo needs. */
export const journalFolder = (root: string): string => join(root, "web-bridge-setup");

export const journalFile = (root: string): string => join(journalFolder(root), "journal.json");

/** The journal of setup, unchecked; empty where it cannot be read. */
export function setupNotes(root: string, files: Files): Record<string, unknown> {
  const read = parseJson(textAt(journalFile(root), files) ?? "");
  return !isFault(read) && isObject(read.value) ? read.value : {};
}
