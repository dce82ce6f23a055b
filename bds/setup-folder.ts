import { join } from "node:path";

/** Folder in that of the server where setup keeps what undo needs. */
export const journalFolder = (root: string): string => join(root, "web-bridge-setup");

export const journalFile = (root: string): string => join(journalFolder(root), "journal.json");
