/** Sums by address. One that comes to nothing is forgotten. */
export function createCounts() {
  const sums = new Map<string, number>();
  const of = (address: string): number => sums.get(address) ?? 0;
  return {
    of,
    /** Adds to the sum of an address, or takes away, and answers what it is then. */
    add(address: string, amount = 1): number {
      const sum = of(address) + amount;
      if (sum > 0) sums.set(address, sum);
      else sums.delete(address);
      return sum;
    },
    /** The address with the largest sum, if there is any. */
    largest: (): string | undefined =>
      [...sums].reduce<[string | undefined, number]>(
        (one, other) => (other[1] > one[1] ? other : one),
        [undefined, 0],
      )[0],
    clear: (): void => sums.clear(),
  };
}

/** Somebody who is counted by an address. */
export interface Addressed {
  address: string;
}

/** Those who stand in line at each address. */
export function createLines<T extends Addressed>() {
  const lines = new Map<string, Set<T>>();
  return {
    has: (one: T): boolean => lines.get(one.address)?.has(one) ?? false,
    sizeOf: (address: string): number => lines.get(address)?.size ?? 0,
    /** The first one at an address. */
    first: (address: string): T | undefined => lines.get(address)?.values().next().value,
    /** Puts somebody at the end of their line, unless they stand in it. */
    add(one: T): void {
      const line = lines.get(one.address);
      if (line) line.add(one);
      else lines.set(one.address, new Set([one]));
    },
    delete(one: T): boolean {
      const line = lines.get(one.address);
      const wasThere = line?.delete(one) ?? false;
      if (line?.size === 0) lines.delete(one.address);
      return wasThere;
    },
  };
}
