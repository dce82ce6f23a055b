/** Events that wait for players, at most. */
const MAX_HELD = 256;

interface HeldEventsDeps<P> {
  /** Whether the player's identity is decided. Throws when they have left. */
  isKnown(player: P): boolean;
  joined(player: P): void;
}

export type HeldEvents<P> = ReturnType<typeof createHeldEvents<P>>;

/** Keeps back players whose identity is not known yet, and what they do: it is told after their join. */
export function createHeldEvents<P>({ isKnown, joined }: HeldEventsDeps<P>) {
  const waiting = new Map<string, P>();
  let held: { ids: readonly (string | undefined)[]; tell: () => void }[] = [];

  const isWaiting = (ids: readonly (string | undefined)[]): boolean =>
    ids.some(id => id !== undefined && waiting.has(id));

  function release(): void {
    if (held.length === 0) return;
    const before = held;
    held = [];
    for (const each of before)
      if (isWaiting(each.ids)) held.push(each);
      else each.tell();
  }

  return {
    /** A player has joined. */
    joined(id: string, player: P) {
      waiting.set(id, player);
    },
    /** Something happened with these players. It is told now, or after the joins of those who are kept back. */
    happened(ids: readonly (string | undefined)[], tell: () => void) {
      if (!isWaiting(ids)) {
        tell();
        return;
      }
      if (held.length >= MAX_HELD) held.shift();
      held.push({ ids, tell });
    },
    isWaiting: (id: string): boolean => waiting.has(id),
    left(id: string) {
      waiting.delete(id);
      release();
    },
    /** To be called every tick. */
    step() {
      if (waiting.size === 0) return;
      for (const [id, player] of waiting) {
        try {
          if (!isKnown(player)) continue;
        } catch {
          // The player has left.
        }
        waiting.delete(id);
        joined(player);
      }
      release();
    },
  };
}
