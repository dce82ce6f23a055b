/** Ids of entries of streams are an epoch and a number in it: `1767225600000-12`. They rise. */
export const idOf = (epoch: number, seq: number): string => `${epoch}-${seq}`;

const ID = /^(\d{1,15})-(\d{1,15})$/;

/** Epoch and number of an id; undefined for what no stream ever gave. */
export function parseId(id: string): [epoch: number, seq: number] | undefined {
  const parts = ID.exec(id);
  return parts ? [Number(parts[1]), Number(parts[2])] : undefined;
}

/** Under 0 when the first of two ids was given before the other. */
export function compareIds(a: readonly [number, number], b: readonly [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** Whether the first of two ids was given after the other; what is no id comes before all. */
export function isAfter(id: string, other: string): boolean {
  const [one, two] = [parseId(id), parseId(other)];
  return one !== undefined && (two === undefined || compareIds(one, two) > 0);
}

/** The one of two ids that was given after the other. */
export const later = (id: string, other: string): string => (isAfter(other, id) ? other : id);
