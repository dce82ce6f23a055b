/** Id of a stream entry: an epoch and a number in it, such as `1767225600000-12`. Ids increase. */
export const idOf = (epoch: number, seq: number): string => `${epoch}-${seq}`;

const ID = /^(\d{1,15})-(\d{1,15})$/;

/** Epoch and number of an id; undefined for anything else. */
export function parseId(id: string): [epoch: number, seq: number] | undefined {
  const parts = ID.exec(id);
  return parts ? [Number(parts[1]), Number(parts[2])] : undefined;
}

/** Negative if the first id is older than the second. */
export function compareIds(a: readonly [number, number], b: readonly [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** Whether the first id is newer than the second; an invalid id is older than all. */
export function isAfter(id: string, other: string): boolean {
  const [one, two] = [parseId(id), parseId(other)];
  return one !== undefined && (two === undefined || compareIds(one, two) > 0);
}

/** The newer one of two ids. */
export const later = (id: string, other: string): string => (isAfter(other, id) ? other : id);
