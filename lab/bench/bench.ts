/** The result of a benchmark. */
export interface Result {
  /** with its unit */
  figure: string;
  /** with its unit */
  target: string;
  isMet: boolean;
  /** measured in the same run, for comparison */
  reference?: string;
}

/** A measured promise of the product. */
export interface Bench {
  name: string;
  about: string;
  /** @throws with the reason, if nothing can be measured */
  run(): Promise<Result>;
}

/** Online players in benchmarks whose cost depends on their number. */
export const PLAYERS = 100;

/** The benchmarks with a name, or if there is none, those whose names start with it and a dash. */
export function named(all: readonly Bench[], name: string): Bench[] {
  const exact = all.filter(bench => bench.name === name);
  return exact.length > 0 ? exact : all.filter(bench => bench.name.startsWith(`${name}-`));
}

/** The percentile of the values for this share (0 to 1): the smallest value that is not below it. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error("there are no values");
  return value;
}

/** Measures two functions alternately, so that other load affects both. @returns the medians of each, and of their ratios */
export async function byTurns(
  rounds: number,
  own: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<{ own: number; bare: number; ratio: number }> {
  await own();
  await bare();
  const taken: { own: number; bare: number }[] = [];
  for (let i = 0; i < rounds; i++) taken.push({ own: await own(), bare: await bare() });
  const median = (value: (round: { own: number; bare: number }) => number): number =>
    quantile(taken.map(value), 0.5);
  return {
    own: median(round => round.own),
    bare: median(round => round.bare),
    ratio: median(round => round.own / round.bare),
  };
}
