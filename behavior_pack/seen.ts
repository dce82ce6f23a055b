/** Remembers the last `size` keys that were added. */
export function createSeen(size: number) {
  const keys = new Set<string>();
  return {
    has: (key: string): boolean => keys.has(key),
    /** Adds a key; the oldest one goes when there are too many. */
    add(key: string) {
      keys.add(key);
      if (keys.size <= size) return;
      for (const oldest of keys) {
        keys.delete(oldest);
        return;
      }
    },
  };
}
