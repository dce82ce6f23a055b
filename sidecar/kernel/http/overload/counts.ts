/** Sums by address, without those that are 0. */
export function createCounts() {
  const sums = new Map<string, number>();
  return {
    of: (address: string): number => sums.get(address) ?? 0,
    add(address: string, amount = 1): void {
      const sum = (sums.get(address) ?? 0) + amount;
      if (sum > 0) sums.set(address, sum);
      else sums.delete(address);
    },
    /** The address with the largest sum, if there is any. */
    largest: (): string | undefined =>
      [...sums].reduce<[string | undefined, number]>(
        (one, other) => (other[1] > one[1] ? other : one),
        [undefined, 0],
      )[0],
  };
}
