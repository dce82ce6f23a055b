/** A place in a ranking, and the number of places. */
export interface Place {
  place: number;
  total: number;
}

/**
 * The place of a value in a ranking whose first values are known, highest first; equal ones share a place. Undefined if
 * it is after those, and for zero.
 */
export function placeAmong(
  value: number,
  first: readonly number[],
  { next, total }: { next: string | null; total: number },
): Place | undefined {
  const isAmong = next === null || value >= (first.at(-1) ?? 0);
  return value > 0 && isAmong ? { place: 1 + first.filter(one => one > value).length, total } : undefined;
}
