import { userInfo } from "node:os";
import { quoted } from "./commands.ts";

/** The errors of SQLite that somebody can do something about, by their number. */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
  // SQLITE_IOERR_SHMSIZE: what it shares between programs does not grow, for which a disk needs room.
  4874: "SQLITE_FULL",
};

/** The code of an error of the system or of SQLite, or undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  const code = partOf(error, "code");
  // Node has one code for all errors of SQLite. What is above the low byte of the number tells more of the same error.
  if (code === "ERR_SQLITE_ERROR") {
    const errcode = Number(partOf(error, "errcode"));
    return SQLITE_CODES[errcode] ?? SQLITE_CODES[errcode & 0xff];
  }
  return typeof code === "string" ? code : undefined;
}

/** What keeps something from being written, by the code. */
const DISK: readonly [code: RegExp, words: string][] = [
  [/^(ENOSPC|SQLITE_FULL)$/, "disk full"],
  [/^EDQUOT$/, "disk quota exceeded"],
  [/^(EROFS|SQLITE_READONLY)$/, "read-only file or disk"],
  [/^(EACCES|EPERM|SQLITE_CANTOPEN)$/, "no permission to write"],
  [/^(EIO|SQLITE_IOERR)$/, "disk error"],
];

/** Why a file is not replaced: Windows says so of one that is open, Linux of one that is mounted. */
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

/** Causes of causes that are looked at. */
const DEEPEST = 5;

/** Why the disk did not take something, where an error or one of its causes says so: in words, with the code and the path. */
export function diskFault(
  error: unknown,
): { words: string; code: string; path: string | undefined } | undefined {
  let each = error;
  for (let depth = 0; depth < DEEPEST && each !== undefined; depth++) {
    const code = codeOf(each) ?? "";
    const words = DISK.find(([codes]) => codes.test(code))?.[1];
    const path = pathOf(each);
    // Without a path it may be a connection that is not allowed.
    if (words !== undefined && (path !== undefined || !/^E(ACCES|PERM)$/.test(code)))
      return { words, code, path };
    each = partOf(each, "cause");
  }
  return undefined;
}

/** The path that an error of the system is about, or undefined when it names none. */
export function pathOf(error: unknown): string | undefined {
  const path = partOf(error, "path");
  return typeof path === "string" ? path : undefined;
}

/** Whether an error is one of the system, with one of these codes. */
export const isErrno = (error: unknown, ...codes: string[]): boolean => codes.includes(codeOf(error) ?? "");

/** What an error says. */
export const messageOf = (error: unknown): string => String(partOf(error, "message") ?? error);

/**
 * Why a folder or a file in it cannot be used, with what gives it to this user where that would help.
 * @param folder to be given to this user as a whole
 */
export function reasonIn(folder: string, error: unknown): string {
  const mend = /^(EACCES|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN)$/.test(codeOf(error) ?? "")
    ? ownMend(folder)
    : undefined;
  return mend === undefined ? reasonOf(error) : `${reasonOf(error)}: ${mend}`;
}

/** The command by which this user gets folders with all that is in them; undefined where there is none such. */
export function ownMend(...folders: string[]): string | undefined {
  const id = process.geteuid?.();
  if (id === undefined || id === 0) return undefined;
  return `sudo chown -R ${nameOf(id)} ${folders.map(folder => quoted(folder)).join(" ")}`;
}

/** Users that exist only while a service runs have no name that lasts. */
function nameOf(id: number): string {
  const name = orElse(() => userInfo().username, "");
  return /^[\w.-]+$/.test(name) ? name : String(id);
}

/** The result, or what stands for it where asking fails: for what only advice depends on. */
export function orElse<T, O>(ask: () => T, otherwise: O): T | O {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

/** One short line on why something failed: words and the system's code where it has one, or the message. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === undefined) return messageOf(error);
  const words = FILES[code] ?? DISK.find(([codes]) => codes.test(code))?.[1];
  return words === undefined ? code : `${words} (${code})`;
}

// Not `instanceof Error`: an error of Node's own need not be one of this realm.
const partOf = (error: unknown, key: string): unknown =>
  typeof error === "object" && error !== null ? (error as Record<string, unknown>)[key] : undefined;
