/** Remembers the last `size` keys that were added. */
export interface Seen {
  has(key: string): boolean;
  /** Adds a key; the oldest one goes when there are too many. */
  add(key: string): void;
}

export function createSeen(size: number): Seen {
  const keys = new Set<string>();
  return {
    has: key => keys.has(key),
    add(key) {
      keys.add(key);
      if (keys.size <= size) return;
      for (const oldest of keys) {
        keys.delete(oldest);
        return;
      }
    },
  };
}
