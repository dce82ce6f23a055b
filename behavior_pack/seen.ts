/** Remembers the last `size` keys that were added, each with a flag. */
export function createSeen(size: number) {
  const keys = new Map<string, boolean>();
  return {
    has: (key: string): boolean => keys.has(key),
    get: (key: string): boolean | undefined => keys.get(key),
    /** Adds a key; the oldest one goes when there are too many. */
    add(key: string, flag = true) {
      keys.set(key, flag);
      if (keys.size <= size) return;
      for (const oldest of keys.keys()) {
        keys.delete(oldest);
        return;
      }
    },
  };
}
