import { dropOldest } from "../shared/drop-oldest.ts";

/** Remembers the last `size` keys added, each with a value. */
export function createRecentKeys<V>(size: number) {
  const keys = new Map<string, V>();
  return {
    has: (key: string): boolean => keys.has(key),
    get: (key: string): V | undefined => keys.get(key),
    /** Adds a key, and removes the oldest one if there are too many. */
    add(key: string, value: V) {
      keys.set(key, value);
      dropOldest(keys, size);
    },
  };
}
