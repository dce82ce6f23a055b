import type { Say } from "./ports.ts";

export type Notices = ReturnType<typeof createNotices>;

/** Console lines that must not be repeated while what they tell of goes on. */
export function createNotices(say: Say) {
  const said = new Set<string>();

  /** Says the line unless one with the same key was said since it was last cleared. */
  function once(key: string, line: string): void {
    if (said.has(key)) return;
    said.add(key);
    say(line);
  }

  return {
    once,
    /** Says a line always. */
    say,
    /** Forgets the keys that begin with `prefix`, so that they are said again when they come back. */
    clear(prefix: string) {
      for (const key of said) if (key.startsWith(prefix)) said.delete(key);
    },
    /** Runs a part, which may be told the wall time, so that what it throws stops nothing else, and is told of once. */
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

/** Name of whatever was thrown, for the console and for reasons: never its text, which is not ours to repeat. */
export function errorName(error: unknown): string {
  if (typeof error !== "object" || error === null || !("name" in error)) return "Error";
  return typeof error.name === "string" && error.name !== "" ? error.name.slice(0, LONGEST_NAME) : "Error";
}
