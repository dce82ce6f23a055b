import type { ConsoleQuirks } from "./quirks.ts";

interface WaitingLine {
  readonly line: string;
  readonly done: (ran: Promise<void>) => void;
}

/** Lines that were typed on the console of a server. They wait for a tick, except for `stop`. */
export interface ServerInput {
  /** Resolves when the line has run; for `stop` when the game has ended. */
  type(line: string): Promise<void>;
  /** Runs what this tick may run. To be called at the beginning of each. */
  tick(): void;
}

/** @param run runs a line, and resolves when it has run */
export function createServerInput(
  run: (line: string) => Promise<void>,
  { commandsPerTick = 1 }: ConsoleQuirks = {},
): ServerInput {
  const waiting: WaitingLine[] = [];
  let budget = 0;
  return {
    type(line) {
      if (/^\s*(\/?stop\s*)?$/.test(line)) return run(line);
      return new Promise(done => waiting.push({ line, done }));
    },
    tick() {
      budget = Math.min(budget + commandsPerTick, Math.max(1, commandsPerTick));
      for (; budget >= 1; budget--) {
        const next = waiting.shift();
        if (next === undefined) return;
        next.done(run(next.line));
      }
    },
  };
}
