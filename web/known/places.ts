/** A place in a ranking of so many. */
export interface Place {
  place: number;
  total: number;
}

/**
 * The place of a value in a ranking, of which the first values are known, highest first; equal ones share a place. Undefined where
 * it is behind those, and for zero.
 */
export function placeAmong(
  value: number,
  first: readonly number[],
  { next, total }: { next: string | null; total: number },
): Place | undefined {
  const isAmong = next === null || value >= (first.at(-1) ?? 0);
  return value > 0 && isAmong ? { place: 1 + first.filter(one => one > value).length, total } : undefined;
}
