import type { FeedEvent } from "../../../../shared/public/events.ts";
import { compareIds, isAfter, later, parseId } from "../../../kernel/storage/stream-ids.ts";

/** What happened, with its place in the feed. */
export interface FeedEntry {
  /** opaque to users; see `stream-ids.ts` */
  id: string;
  event: FeedEvent;
  /** the chat socket that it came from, which does not hear it again */
  except?: string;
  /** said while the chat was off on the web: nobody reads it there, later neither */
  withheld?: true;
}

/** What events of a game server have to tell them from those of others; nothing where there is one alone. */
export type ServerTag = Pick<FeedEvent, "server">;

/** Whether somebody has written it on the web, where anybody may. */
export const isWebLine = (event: FeedEvent): boolean => event.event === "chat" && event.from === "web";

/**
 * The game server that an event is of; undefined: it is of all of them. What of the game names none was kept while there was one
 * alone, which is the first one now.
 */
export const serverOf = (event: FeedEvent, first: string): string | undefined =>
  event.server ?? (isWebLine(event) ? undefined : first);

/** What the log holds from some place on. */
export interface LogPage {
  entries: FeedEntry[];
  /** something after the place asked for is not held any more, or the log never gave that place */
  gone: boolean;
}

/** What may be held of the feed, whichever ends first. */
export interface Bounds {
  entries: number;
  /** milliseconds since it happened */
  forMs: number;
}

/** The place before everything: who has it misses nothing that is kept. */
export const BEGINNING = "0";

/** What a reader has missed: entries in order. */
export interface MissedEntries {
  /** something among or before them is gone */
  gap: boolean;
  /** the place to go on from to get all of them */
  before: string;
  entries: FeedEntry[];
}

/**
 * The end of the feed within its bounds, of which at most half is lines of the web: whoever writes there without a pause
 * lets nothing else go. `floor` is the newest place that is gone; of `held` some may be older than that. `onGone` is called with
 * the ids of entries that it lets go.
 */
export function createWindow(
  bounds: Bounds,
  floor: string,
  held: readonly FeedEntry[] = [],
  onGone: (ids: readonly string[]) => void = () => undefined,
) {
  const entries = [...held];
  const mostOfWeb = Math.floor(bounds.entries / 2);
  let ofWeb = countOfWeb(entries);
  let last = later(floor, held.at(-1)?.id ?? "");

  function letGo(from: number, count: number): void {
    const gone = entries.splice(from, count);
    ofWeb -= countOfWeb(gone);
    floor = later(floor, gone.at(-1)?.id ?? "");
    onGone(gone.map(({ id }) => id));
  }

  /** Lets go of what is past the bounds; returns how many that was. */
  function trim(now: number): number {
    const before = entries.length;
    for (let at = 0; ofWeb > mostOfWeb && at < entries.length; ) {
      const entry = entries[at];
      if (entry && isWebLine(entry.event)) letGo(at, 1);
      else at++;
    }
    let past = Math.max(0, entries.length - bounds.entries);
    const since = now - bounds.forMs;
    for (let oldest = entries[past]; oldest !== undefined && oldest.event.at < since; oldest = entries[past])
      past++;
    if (past > 0) letGo(0, past);
    return before - entries.length;
  }

  /** Index of the first entry after the one of this id; undefined where that is neither held nor gone. */
  function follows(id: string): number | undefined {
    if (id === BEGINNING) return 0;
    const wanted = parseId(id);
    if (!wanted) return undefined;
    let [from, to] = [0, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const at = parseId(entries[middle]?.id ?? "");
      if (at && compareIds(at, wanted) < 0) from = middle + 1;
      else to = middle;
    }
    if (entries[from]?.id === id) return from + 1;
    return id === floor || isAfter(floor, id) ? from : undefined;
  }

  return {
    add(more: readonly FeedEntry[], now: number): void {
      for (const entry of more) entries.push(entry);
      ofWeb += countOfWeb(more);
      last = more.at(-1)?.id ?? last;
      trim(now);
    },
    trim,
    /**
     * What is held of what came after an id: all where it is none of ours. A gap where something after it is gone, and is not
     * past `known`, the newest place that whoever reads knows to be gone.
     */
    after(id: string, known = ""): MissedEntries {
      const from = follows(id);
      const missed = entries.slice(from);
      const place = from === undefined ? BEGINNING : id;
      const isMissing = id !== BEGINNING && isAfter(floor, id) && isAfter(floor, known);
      return {
        gap: from === undefined || isMissing,
        before: isAfter(floor, missed[0]?.id ?? floor) ? place : later(floor, place),
        entries: missed,
      };
    },
    /** The newest entries, oldest first, as a window of at most `limit` holds them, and the newest place before or among them. */
    newest(limit: number): { floor: string; entries: FeedEntry[] } {
      const end = createWindow({ entries: limit, forMs: Number.POSITIVE_INFINITY }, floor, entries);
      end.trim(0);
      return { floor: end.floor(), entries: end.after(BEGINNING).entries };
    },
    /** The newest place that is gone. */
    floor: (): string => floor,
    /** Id of the oldest entry. */
    oldest: (): string | undefined => entries[0]?.id,
    /** The place of the newest entry, whether it is held or not. */
    last: (): string => last,
  };
}

const countOfWeb = (entries: readonly FeedEntry[]): number =>
  entries.reduce((count, { event }) => (isWebLine(event) ? count + 1 : count), 0);
