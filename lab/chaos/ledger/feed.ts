import type { Violation } from "./order.ts";

/** An event of the feed as it came to a reader. */
export interface Told {
  at: number;
  id: string;
  /** the event with its data */
  what: string;
}

export interface FeedReader {
  name: string;
  /** from the beginning of the feed on, over all its connections */
  told: readonly Told[];
  /** when it was told that something is gone */
  gaps: readonly number[];
}

/**
 * What is wrong with what readers were told. Each event comes once, all are told the same ones one after another, and an id
 * always names the same event. Everything is kept for them, so that nothing can be gone.
 */
export function judgeFeed(readers: readonly FeedReader[]): Violation[] {
  const events = new Map<string, string>();
  /** what came next, by the id before; the first one by the empty one */
  const next = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { gaps, name, told } of readers) {
    for (const at of gaps) violations.push({ at, what: `${name}: something is gone that is kept` });
    const seen = new Set<string>();
    let last = "";
    for (const { at, id, what } of told) {
      const [event, follower] = [events.get(id) ?? what, next.get(last) ?? id];
      if (seen.has(id)) violations.push({ at, what: `${name}: ${id} came twice` });
      else if (follower !== id)
        violations.push({ at, what: `${name}: ${id} came after "${last}", and ${follower} to others` });
      if (event !== what) violations.push({ at, what: `${name}: ${id} is ${what}, and ${event} to others` });
      events.set(id, event);
      next.set(last, follower);
      seen.add(id);
      last = id;
    }
  }
  return violations;
}
