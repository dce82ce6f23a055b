import { randomBytes } from "node:crypto";
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isErrno } from "./errno.ts";

/** Makes a file with a secret, for this user only, in one step. False: another process was first. */
export function makeSecretFile(file: string, secret: string): boolean {
  try {
    drafted(file, secret, draft => place(draft, file));
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

/** Replaces the file in one step. */
export const replaceSecretFile = (file: string, secret: string): void =>
  drafted(file, secret, draft => renameSync(draft, file));

function drafted(file: string, secret: string, take: (draft: string) => void): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(draft, `${secret}\n`, { flag: "wx", mode: 0o600, flush: true });
    take(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

function place(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (isErrno(error, "EEXIST")) throw error;
    // Not every file system has hard links.
    renameSync(draft, file);
  }
}
