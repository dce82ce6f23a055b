import { userInfo } from "node:os";
import { quoted } from "./commands.ts";

/** Errors of SQLite that the owner can fix, by their number. */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
  // SQLITE_IOERR_SHMSIZE: the shared memory file cannot grow, for lack of space.
  4874: "SQLITE_FULL",
};

/** The code of an error of the system or of SQLite, or undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  const code = partOf(error, "code");
  // Node has one code for all errors of SQLite. Bits above the low byte of the number give details of the same error.
  if (code === "ERR_SQLITE_ERROR") {
    const errcode = Number(partOf(error, "errcode"));
    return SQLITE_CODES[errcode] ?? SQLITE_CODES[errcode & 0xff];
  }
  return typeof code === "string" ? code : undefined;
}

/** Why something cannot be written, by the code. */
const DISK: readonly [code: RegExp, words: string][] = [
  [/^(ENOSPC|SQLITE_FULL)$/, "disk full"],
  [/^EDQUOT$/, "disk quota exceeded"],
  [/^(EROFS|SQLITE_READONLY)$/, "read-only file or disk"],
  [/^(EACCES|EPERM|SQLITE_CANTOPEN)$/, "no permission to write"],
  [/^(EIO|SQLITE_IOERR)$/, "disk error"],
];

/** Why a file is not replaced: on Windows it is open, on Linux it is a mount. */
export const BUSY =
  process.platform === "win32"
    ? "another program has it open: close that"
    : "it is mounted by itself, as a container does with a single file: edit it on the host, or mount its folder instead";

/** What is wrong with a file or a folder, by the code. */
const FILES: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EISDIR: "it is a folder, expected a file",
  ENOTDIR: "a file is where a folder is expected",
  EEXIST: "a file is where a folder is expected",
  EACCES: "no permission",
  EPERM: "no permission",
  EBUSY: BUSY,
  SQLITE_BUSY: "another program has locked it",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};

/** How deep the causes of an error are searched. */
const DEEPEST = 5;

/** Describes a disk error, from an error or its causes: in words, with the code and the path. */
export function diskFault(
  error: unknown,
): { words: string; code: string; path: string | undefined } | undefined {
  let each = error;
  for (let depth = 0; depth < DEEPEST && each !== undefined; depth++) {
    const code = codeOf(each) ?? "";
    const words = DISK.find(([codes]) => codes.test(code))?.[1];
    const path = pathOf(each);
    // Without a path it may be a refused connection.
    if (words !== undefined && (path !== undefined || !/^E(ACCES|PERM)$/.test(code)))
      return { words, code, path };
    each = partOf(each, "cause");
  }
  return undefined;
}

export function pathOf(error: unknown): string | undefined {
  const path = partOf(error, "path");
  return typeof path === "string" ? path : undefined;
}

export const isErrno = (error: unknown, ...codes: string[]): boolean => codes.includes(codeOf(error) ?? "");

export const messageOf = (error: unknown): string => String(partOf(error, "message") ?? error);

/** Why a file in a folder cannot be used, with the command that gives the folder to this user if that would help. */
export function reasonIn(folder: string, error: unknown): string {
  const chown = /^(EACCES|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN)$/.test(codeOf(error) ?? "")
    ? chownCommand(folder)
    : undefined;
  return chown === undefined ? reasonOf(error) : `${reasonOf(error)}: ${chown}`;
}

/** The command that gives folders to this user; undefined: not needed or not possible. */
export function chownCommand(...folders: string[]): string | undefined {
  const id = process.geteuid?.();
  if (id === undefined || id === 0) return undefined;
  return `sudo chown -R ${nameOf(id)} ${folders.map(folder => quoted(folder)).join(" ")}`;
}

/** Users that exist only while a service runs have no permanent name. */
function nameOf(id: number): string {
  const name = orElse(() => userInfo().username, "");
  return /^[\w.-]+$/.test(name) ? name : String(id);
}

/** The result of `ask`, or `otherwise` if it throws. */
export function orElse<T, O>(ask: () => T, otherwise: O): T | O {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

/** One short line on why something failed: words and the system's code, or the message if there is no code. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return messageOf(error);
  const words = FILES[code] ?? DISK.find(([codes]) => codes.test(code))?.[1];
  return words === undefined ? code : `${words} (${code})`;
}

// Not `instanceof Error`: an error of Node's own need not be one of this realm.
const partOf = (error: unknown, key: string): unknown =>
  typeof error === "object" && error !== null ? (error as Record<string, unknown>)[key] : undefined;
