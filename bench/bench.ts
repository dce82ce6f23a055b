/** What a benchmark found. */
export interface Result {
  /** with its unit */
  figure: string;
  /** with its unit */
  target: string;
  /** what the figure was compared with, measured in the same run */
  reference?: string;
  ok: boolean;
  /** the figures as numbers, for programs */
  values: Record<string, number>;
}

export interface Bench {
  name: string;
  about: string;
  /** how long it may take, in milliseconds, where that is more than usual */
  longestMs?: number;
  /** Measures. `say` gets a few words now and then while it goes on. */
  run(say: (words: string) => void): Promise<Result>;
}

/** A tick of the game at full speed, in milliseconds. */
export const TICK_MS = 50;

/** Players online in the benchmarks whose cost depends on them. */
export const PLAYERS = 100;
