import { dropOldest } from "../shared/drop-oldest.ts";

/** Remembers the last `size` keys that were added, each with a value. */
export function createRecentKeys<V>(size: number) {
  const keys = new Map<string, V>();
  return {
    has: (key: string): boolean => keys.has(key),
    get: (key: string): V | undefined => keys.get(key),
    /** Adds a key; the oldest one goes when there are too many. */
    add(key: string, value: V) {
      keys.set(key, value);
      dropOldest(keys, size);
    },
  };
}
