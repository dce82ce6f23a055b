import type { Say } from "./ports.ts";

export type Notices = ReturnType<typeof createNotices>;

/** Console lines, each said once while what it reports lasts. */
export function createNotices(say: Say) {
  const said = new Set<string>();

  /** Says the line unless one with this key was said since the key was last cleared. */
  function once(key: string, line: string): void {
    if (said.has(key)) return;
    said.add(key);
    say(line);
  }

  return {
    once,
    /** Says a line every time. */
    say,
    /** Lets lines whose key begins with `prefix` be said again. */
    clear(prefix: string) {
      for (const key of said) if (key.startsWith(prefix)) said.delete(key);
    },
    /** Runs a part with the wall time. An error is logged once for each part, and stops nothing else. */
    safely<T>(what: string, part: (now: number) => T, now = 0): T | undefined {
      try {
        return part(now);
      } catch (error) {
        once(`fault:${what}`, `unexpected fault while ${what} (${errorName(error)}); going on`);
        return undefined;
      }
    },
  };
}

const LONGEST_NAME = 64;

/** Name of what was thrown, for the console and for reasons. Its text may hold anything, and stays out of both. */
export function errorName(error: unknown): string {
  if (typeof error !== "object" || error === null || !("name" in error)) return "Error";
  return typeof error.name === "string" && error.name !== "" ? error.name.slice(0, LONGEST_NAME) : "Error";
}
