import type { GameConsole } from "./probe.ts";

/** Most lines that are kept of a run. */
const MOST_LINES = 10_000;
/** Longest line that is kept, in characters. */
const LONGEST_LINE = 8_000;
/** Colours and the like, which a terminal would act by. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** `[2026-11-23 23:10:00:123 INFO] `, before which a server without a log file says so. */
const STAMP = /^(?:NO LOG FILE! - )?\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[:.]\d{3} ([A-Z]+)\] ?/;

/** A line of the game's console without its stamp. */
export const plainLine = (line: string): string => line.replace(ESCAPES, "").trimEnd().replace(STAMP, "");

interface Waiter {
  pattern: RegExp;
  found(line: string | undefined): void;
}

/** Lines of a console that are read as they come, and waited for. */
export interface ReadConsole extends GameConsole {
  /** Takes what a process has written. */
  take(text: string): void;
  /** Ends every wait for a line. */
  close(): void;
  /** Forgets what was written so far. */
  clear(): void;
  /** What is left of a line without an end, when its process has ended. */
  flush(): void;
  /** called with every line, those that are not kept too */
  onLine(listen: (line: string) => void): () => void;
}

/** @param type writes a line to the process, with its end */
export function createConsole(type: (line: string) => void): ReadConsole {
  const lines: string[] = [];
  const waiters = new Set<Waiter>();
  const listeners = new Set<(line: string) => void>();
  let rest = "";

  function add(raw: string): void {
    const line = plainLine(raw).slice(0, LONGEST_LINE);
    if (lines.length < MOST_LINES) lines.push(line);
    for (const listen of [...listeners]) listen(line);
    for (const waiter of [...waiters]) if (waiter.pattern.test(line)) waiter.found(line);
  }

  return {
    lines,
    take(text) {
      const parts = (rest + text).split("\n");
      rest = (parts.pop() ?? "").slice(0, 4 * LONGEST_LINE);
      for (const part of parts) add(part);
    },
    close() {
      for (const waiter of [...waiters]) waiter.found(undefined);
    },
    clear() {
      lines.length = 0;
    },
    flush() {
      if (rest !== "") add(rest);
      rest = "";
    },
    type(command) {
      // A line end in it would be a second command.
      type(command.replace(/[\r\n]+/g, " "));
    },
    line(pattern, ms, since = lines.length) {
      const known = lines.slice(since).find(line => pattern.test(line));
      if (known !== undefined) return Promise.resolve(known);
      return new Promise(resolve => {
        const waiter: Waiter = {
          pattern,
          found(line) {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(line);
          },
        };
        const timer = setTimeout(() => waiter.found(undefined), ms);
        waiters.add(waiter);
      });
    },
    onLine(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}

/** The last lines of a console, for a fault. */
export const lastLines = ({ lines }: Pick<GameConsole, "lines">, count = 12): string[] =>
  lines.slice(-count).map(line => `  | ${line.slice(0, 300)}`);
