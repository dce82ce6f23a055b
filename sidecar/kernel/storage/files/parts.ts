import type { PartialSnapshot } from "../../../features/status/rules/snapshot.ts";
import type { Parts } from "../ports/game.ts";
import type { Clock } from "../ports.ts";

/** Names that may be held at once. */
export const MAX_NAMES = 100_000;

/** How long names are held, in milliseconds: longer than anybody waits for them. */
export const NAMES_MS = 30_000;

interface Collected {
  /** by the number of the fact that told them; undefined when they are too many to be held */
  names: Map<number, readonly string[]> | undefined;
  /** when the first of them came */
  since: number;
}

/** Holds parts as long as the process lasts. */
export function createParts(clock: Pick<Clock, "monotonic">): Parts {
  const collected = new Map<string, Collected>();
  let partial: PartialSnapshot | undefined;

  const count = (): number =>
    [...collected.values()]
      .flatMap(({ names = [] }) => [...names.values()])
      .reduce((sum, { length }) => sum + length, 0);

  /** A game that ended in the middle of a list never tells the outcome. */
  function tidy(): void {
    const now = clock.monotonic();
    for (const [action, { since }] of collected) if (now - since > NAMES_MS) collected.delete(action);
  }

  return {
    async addNames(action, fact, names) {
      tidy();
      const own = collected.get(action) ?? { names: new Map(), since: clock.monotonic() };
      collected.set(action, own);
      own.names?.set(fact, names);
      if (count() > MAX_NAMES) own.names = undefined;
    },
    async names(action) {
      tidy();
      const own = collected.get(action);
      return own && (own.names === undefined ? "too many" : [...own.names.values()].flat());
    },
    async forgetNames(action) {
      collected.delete(action);
    },
    partial: async () => partial,
    async setPartial(next) {
      partial = next;
    },
  };
}
