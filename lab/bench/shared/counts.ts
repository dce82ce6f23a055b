const MOST = 8;

/** The numbers of sidecars in an argument such as `1,2,4`, rising. @throws what is wrong with it */
export function readCounts(text: string): number[] {
  const counts = text.split(",").map(Number);
  const isFine = counts.every(
    (count, i) => Number.isInteger(count) && count > (counts[i - 1] ?? 0) && count <= MOST,
  );
  if (!isFine)
    throw new Error(`--sidecars: ${text}: expected rising numbers from 1 to ${MOST}, such as 1,2,4`);
  return counts;
}
