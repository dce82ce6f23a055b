import { userInfo } from "node:os";
import { quoted } from "./commands.ts";

/** The code of an error of the system, or undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  const code = partOf(error, "code");
  return typeof code === "string" ? code : undefined;
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
  const reason = reasonOf(error);
  const mend = /^(EACCES|EPERM|SQLITE_READONLY\w*|SQLITE_CANTOPEN)$/.test(reason)
    ? ownMend(folder)
    : undefined;
  return mend === undefined ? reason : `${reason}: ${mend}`;
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

/** One short line on why something failed: the system's code where there is one, or the message. */
export const reasonOf = (error: unknown): string => codeOf(error) ?? messageOf(error);

// Not `instanceof Error`: an error of Node's own need not be one of this realm.
const partOf = (error: unknown, key: string): unknown =>
  typeof error === "object" && error !== null ? (error as Record<string, unknown>)[key] : undefined;
