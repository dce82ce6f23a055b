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

/** One short line on why something failed: the system's code where there is one, or the message. */
export const reasonOf = (error: unknown): string => codeOf(error) ?? messageOf(error);

// Not `instanceof Error`: an error of Node's own need not be one of this realm.
const partOf = (error: unknown, key: string): unknown =>
  typeof error === "object" && error !== null ? (error as Record<string, unknown>)[key] : undefined;
