/** Whether an error is one of the system, with one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return codes.includes(codeOf(error) ?? "");
}

/** One short line on why something failed: the system's code where there is one, or the message. */
export function reasonOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
