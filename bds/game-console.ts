/** Most lines in memory: the last ones. */
const MAX_LINES = 10_000;
/** Longest line, in characters; the rest is cut off. */
const MAX_LINE_LENGTH = 8_000;
/** Escape sequences of terminals, such as colours, and the NUL with which a line begins after a long one of a script. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
const ESCAPES = /^\0+|\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** `[2026-11-23 23:10:00:123 INFO] `, after a warning where the server has no log file. */
const STAMP = /^(?:NO LOG FILE! - )?\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[:.]\d{3} ([A-Z]+)\] ?/;

/** A line of the game's console without its time and level. */
export const plainLine = (line: string): string => line.replace(ESCAPES, "").trimEnd().replace(STAMP, "");

/** Whether a line of the game's console begins with time and level, unlike the further lines of a longer text. */
export const isStamped = (line: string): boolean => STAMP.test(line.replace(ESCAPES, ""));

/** The console of one run of a game server. Lines are numbered from 0. */
export interface GameConsole {
  /** the number of the next line */
  readonly count: number;
  /** Lines from number `from` on without time and level, oldest first. Only the last 10,000 are kept. */
  lines(from?: number): string[];
  /** Sends a command, given without its line end. */
  type(command: string): void;
  /** The first line from number `from` on (default: the next) that matches; undefined: none in time, or the server ended. */
  line(pattern: RegExp, ms: number, from?: number): Promise<string | undefined>;
  /** Calls `listen` with each new line; the result stops that. */
  onLine(listen: (line: string) => void): () => void;
  /** Calls `listen` with the output as it comes, in chunks of any length; the result stops that. */
  onOutput(listen: (text: string) => void): () => void;
}

/** The side of the console that the process writes to. */
interface ConsoleSource {
  /** Accepts output in chunks of any length. */
  take(text: string): void;
  /** Ends all waits for lines: the process has ended. */
  end(): void;
}

/** @param write sends text to the process's input */
export function createGameConsole(write: (text: string) => void): GameConsole & ConsoleSource {
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  const outputListeners = new Set<(text: string) => void>();
  const waiting = new Set<() => void>();
  let dropped = 0;
  let rest = "";
  let hasEnded = false;

  function add(raw: string): void {
    const line = plainLine(raw).slice(0, MAX_LINE_LENGTH);
    lines.push(line);
    if (lines.length > MAX_LINES) {
      lines.shift();
      dropped++;
    }
    for (const listen of [...listeners]) listen(line);
  }

  const console: GameConsole & ConsoleSource = {
    get count() {
      return dropped + lines.length;
    },
    lines: (from = 0) => lines.slice(Math.max(0, from - dropped)),
    type(command) {
      // A line end inside would begin a second command.
      write(`${command.replace(/[\r\n]+/g, " ")}\n`);
    },
    line(pattern, ms, from = console.count) {
      const known = console.lines(from).find(line => pattern.test(line));
      if (known !== undefined || hasEnded) return Promise.resolve(known);
      return new Promise(resolve => {
        const settle = (line: string | undefined): void => {
          clearTimeout(timer);
          listeners.delete(look);
          waiting.delete(giveUp);
          resolve(line);
        };
        const look = (line: string): void => {
          if (pattern.test(line)) settle(line);
        };
        const giveUp = (): void => settle(undefined);
        const timer = setTimeout(giveUp, ms);
        listeners.add(look);
        waiting.add(giveUp);
      });
    },
    onLine(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    onOutput(listen) {
      outputListeners.add(listen);
      return () => void outputListeners.delete(listen);
    },
    take(text) {
      for (const listen of [...outputListeners]) listen(text);
      const parts = (rest + text).split("\n");
      rest = (parts.pop() ?? "").slice(0, 4 * MAX_LINE_LENGTH);
      for (const part of parts) add(part);
    },
    end() {
      if (rest !== "") add(rest);
      rest = "";
      hasEnded = true;
      for (const giveUp of [...waiting]) giveUp();
    },
  };
  return console;
}
