/** Events that wait for players, at most. */
const MAX_HELD = 256;

interface Waiting<P> {
  player: P;
  join(player: P): void;
}

interface HeldEvent {
  ids: readonly (string | undefined)[];
  report(): void;
}

/**
 * Keeps back players whose identity is not decided yet, and what happens with them: it is reported after their join. What happens
 * after that waits too, so that messages keep their order. `isKnown` throws when the player has left.
 */
export function createHeldEvents<P>(isKnown: (player: P) => boolean) {
  const waiting = new Map<string, Waiting<P>>();
  const held: HeldEvent[] = [];

  const isWaiting = (ids: readonly (string | undefined)[]): boolean =>
    waiting.size > 0 && ids.some(id => id !== undefined && waiting.has(id));

  /** undefined: the player has left */
  function check(player: P): boolean | undefined {
    try {
      return isKnown(player);
    } catch {
      return undefined;
    }
  }

  function release(): void {
    for (let next = held[0]; next !== undefined && !isWaiting(next.ids); next = held[0]) {
      held.shift();
      next.report();
    }
  }

  return {
    /** Calls `join` once the player's identity is decided, which may be now. */
    add(id: string, player: P, join: (player: P) => void) {
      waiting.delete(id);
      const known = check(player);
      if (known) join(player);
      else if (known === false) waiting.set(id, { player, join });
    },
    /** Something happened with these players. It is reported now, or in order after the joins of those who are kept back. */
    happened(ids: readonly (string | undefined)[], report: () => void) {
      if (held.length === 0 && !isWaiting(ids)) {
        report();
        return;
      }
      if (held.length >= MAX_HELD) held.shift();
      held.push({ ids, report });
    },
    isWaiting: (id: string): boolean => waiting.has(id),
    left(id: string) {
      if (waiting.delete(id)) release();
    },
    /** To be called every tick. */
    step() {
      if (waiting.size === 0 && held.length === 0) return;
      for (const [id, { player, join }] of waiting) {
        const known = check(player);
        if (known === false) continue;
        waiting.delete(id);
        if (known) join(player);
      }
      release();
    },
  };
}
