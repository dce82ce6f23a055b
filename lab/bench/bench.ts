/** What a benchmark found. */
export interface Result {
  /** with its unit */
  figure: string;
  /** with its unit; `NO_TARGET` where the figure is only to be known */
  target: string;
  /** what the figure was compared with, measured in the same run */
  reference?: string;
  ok: boolean;
  /** the figures as numbers, for programs */
  values: Record<string, number>;
}

/** Why something cannot be measured on this machine. */
export interface Skipped {
  skipped: string;
}

export const NO_TARGET = "none, only measured";

export interface Bench {
  name: string;
  about: string;
  /** how long it may take, in milliseconds, where that is more than usual */
  longestMs?: number;
  /** Measures. `say` gets a few words now and then while it goes on. */
  run(say: (words: string) => void): Promise<Result | Skipped>;
}

/** The benchmark of a name, or where there is none, those whose names begin with it and a dash. */
export function named(all: readonly Bench[], name: string): Bench[] {
  const exact = all.filter(bench => bench.name === name);
  return exact.length > 0 ? exact : all.filter(bench => bench.name.startsWith(`${name}-`));
}

/** A tick of the game at full speed, in milliseconds. */
export const TICK_MS = 50;

/** Players online in the benchmarks whose cost depends on them. */
export const PLAYERS = 100;
