import type { FeedEvent } from "../../client/types.ts";

/** What happened, with its place in the feed. */
export interface FeedEntry {
  /** opaque to users; see `compareIds` */
  id: string;
  event: FeedEvent;
  /** the chat socket that it came from, which does not hear it again */
  except?: string;
  /** said while the chat was off on the web: nobody reads it there, later neither */
  withheld?: true;
}

/** Whether somebody has written it on the web, where anybody may. */
export const isWebLine = (event: FeedEvent): boolean => event.event === "chat" && event.from === "web";

/** What may be held of the feed, whichever ends first. */
export interface Bounds {
  entries: number;
  /** milliseconds since it happened */
  forMs: number;
}

/** What a reader has missed: entries in order; `gap` where something before them is gone. */
export interface Missed {
  gap: boolean;
  entries: FeedEntry[];
}

/** Ids are an epoch, which is another each time the feed is opened, and a number in it: `1767225600000-12`. */
export const idOf = (epoch: number, seq: number): string => `${epoch}-${seq}`;

const ID = /^(\d{1,15})-(\d{1,15})$/;

/** Epoch and number of an id; undefined for what no feed ever gave. */
export function parseId(id: string): [epoch: number, seq: number] | undefined {
  const parts = ID.exec(id);
  return parts ? [Number(parts[1]), Number(parts[2])] : undefined;
}

/** Under 0 when the first of two ids was given before the other. */
function compare(a: readonly [number, number], b: readonly [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}

/** The end of the feed within its bounds. `floor` is the place before the oldest of `held`. */
export function createWindow(bounds: Bounds, floor: string, held: readonly FeedEntry[] = []) {
  const entries = [...held];
  let last = held.at(-1)?.id ?? floor;

  /** Lets go of what is past the bounds; returns how many that was. */
  function trim(now: number): number {
    let past = Math.max(0, entries.length - bounds.entries);
    const since = now - bounds.forMs;
    for (let oldest = entries[past]; oldest !== undefined && oldest.event.at < since; oldest = entries[past])
      past++;
    const gone = entries[past - 1];
    if (gone === undefined) return 0;
    floor = gone.id;
    entries.splice(0, past);
    return past;
  }

  /** Index of the entry that follows the one of this id; undefined when neither it nor `floor` is that. */
  function follows(id: string): number | undefined {
    if (id === floor) return 0;
    const wanted = parseId(id);
    if (!wanted) return undefined;
    let [from, to] = [0, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const at = parseId(entries[middle]?.id ?? "");
      if (at && compare(at, wanted) < 0) from = middle + 1;
      else to = middle;
    }
    return entries[from]?.id === id ? from + 1 : undefined;
  }

  return {
    add(more: readonly FeedEntry[], now: number): void {
      for (const entry of more) entries.push(entry);
      last = more.at(-1)?.id ?? last;
      trim(now);
    },
    trim,
    /** What came after an id, or all that is held where none is given; a gap where the id is not held or none of ours. */
    after(id: string | undefined): Missed {
      const from = id === undefined ? 0 : follows(id);
      return { gap: from === undefined, entries: entries.slice(from) };
    },
    /** The newest entries, oldest first, at most `limit`, and the place before them. */
    newest(limit: number): { floor: string; entries: FeedEntry[] } {
      const first = Math.max(0, entries.length - limit);
      return { floor: entries[first - 1]?.id ?? floor, entries: entries.slice(first) };
    },
    floor: (): string => floor,
    /** The place of the newest entry, whether it is held or not. */
    last: (): string => last,
  };
}
