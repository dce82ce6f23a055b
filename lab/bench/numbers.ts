/** The value below which this share (0 to 1) of the values lies: the smallest one that is not below it. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1));
  const value = sorted[at];
  if (value === undefined) throw new Error("there are no values");
  return value;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
