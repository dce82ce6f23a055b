import type { Say } from "./ports.ts";

export type Notices = ReturnType<typeof createNotices>;

/** Console lines, each logged once while its cause lasts. */
export function createNotices(say: Say) {
  const said = new Set<string>();

  /** Logs the line, unless one with this key was logged since the key was last cleared. */
  function once(key: string, line: string): void {
    if (said.has(key)) return;
    said.add(key);
    say(line);
  }

  return {
    once,
    /** Logs a line every time. */
    say,
    /** Allows lines whose key begins with `prefix` to be logged again. */
    clear(prefix: string) {
      for (const key of said) if (key.startsWith(prefix)) said.delete(key);
    },
    /** Runs `part` with the wall time. An error is logged once for each `what`, and not rethrown. */
    safely<T>(what: string, part: (now: number) => T, now = 0): T | undefined {
      try {
        return part(now);
      } catch (error) {
        once(`fault:${what}`, `unexpected error while ${what} (${errorName(error)}); continuing`);
        return undefined;
      }
    },
  };
}

const MAX_NAME_LENGTH = 64;

/** Name of a thrown error, for the console and for reasons. Its message may contain anything, secrets too, and is left out. */
export function errorName(error: unknown): string {
  if (typeof error !== "object" || error === null || !("name" in error)) return "Error";
  return typeof error.name === "string" && error.name !== "" ? error.name.slice(0, MAX_NAME_LENGTH) : "Error";
}
