import { orElse } from "../cli/errno.ts";
import { isFault } from "./fault.ts";
import type { Files } from "./files.ts";
import { textAt } from "./folder.ts";
import { isObject, parseJson } from "./json-text.ts";
import { journalFile } from "./setup-folder.ts";

/** The journal of setup, unchecked; empty where it cannot be read. */
export function setupNotes(root: string, files: Files): Record<string, unknown> {
  const read = parseJson(orElse(() => textAt(journalFile(root), files), undefined) ?? "");
  return !isFault(read) && isObject(read.value) ? read.value : {};
}
