import type { FeedEvent } from "../../../../shared/public/events.ts";
import { compareIds, isAfter, later, parseId } from "../../../kernel/storage/stream-ids.ts";

/** An event with its id. */
export interface FeedEntry {
  /** opaque to clients; see `stream-ids.ts` */
  id: string;
  event: FeedEvent;
  /** the chat socket that sent it, which does not receive it */
  except?: string;
  /** sent while the web chat was off: it is never shown to readers */
  withheld?: true;
}

/** Tag of a game server's events; empty if there is only one game server. */
export type ServerTag = Pick<FeedEvent, "server">;

/** Whether it is a chat message from the website. */
export const isWebLine = (event: FeedEvent): boolean => event.event === "chat" && event.from === "web";

/**
 * The game server of an event; undefined: all of them. A game event without a tag is from when there was only one, which is the first
 * one now.
 */
export const serverOf = (event: FeedEvent, first: string): string | undefined =>
  event.server ?? (isWebLine(event) ? undefined : first);

/** Entries of the log after a position. */
export interface LogPage {
  entries: FeedEntry[];
  /** whether entries after the requested position were dropped, or the position is unknown */
  gap: boolean;
}

/** Limits of the stored feed, whichever is reached first. */
export interface Bounds {
  entries: number;
  /** age in milliseconds */
  forMs: number;
}

/** The position before all entries. */
export const BEGINNING = "0";

/** Missed entries of a reader, in order. */
export interface MissedEntries {
  /** whether entries among or before them were dropped */
  gap: boolean;
  /** the position from which all of them can be read */
  before: string;
  entries: FeedEntry[];
}

/**
 * The end of the feed within its bounds. At most half is chat from the website, so that busy visitors cannot push out other events.
 * `floor` is the newest dropped position; some of `initial` may be older. `onDropped` is called with the ids of dropped entries.
 */
export function createWindow(
  bounds: Bounds,
  floor: string,
  initial: readonly FeedEntry[] = [],
  onDropped: (ids: readonly string[]) => void = () => undefined,
) {
  const entries = [...initial];
  const maxFromWeb = Math.floor(bounds.entries / 2);
  let fromWeb = countFromWeb(entries);
  let last = later(floor, initial.at(-1)?.id ?? "");

  function drop(from: number, count: number): void {
    const dropped = entries.splice(from, count);
    fromWeb -= countFromWeb(dropped);
    floor = later(floor, dropped.at(-1)?.id ?? "");
    onDropped(dropped.map(({ id }) => id));
  }

  /** Drops entries over the bounds; returns how many. */
  function trim(now: number): number {
    const before = entries.length;
    for (let at = 0; fromWeb > maxFromWeb && at < entries.length; ) {
      const entry = entries[at];
      if (entry && isWebLine(entry.event)) drop(at, 1);
      else at++;
    }
    let excess = Math.max(0, entries.length - bounds.entries);
    const since = now - bounds.forMs;
    for (
      let oldest = entries[excess];
      oldest !== undefined && oldest.event.at < since;
      oldest = entries[excess]
    )
      excess++;
    if (excess > 0) drop(0, excess);
    return before - entries.length;
  }

  /** Index of the first entry after this id; undefined if the id was neither stored nor dropped. */
  function indexAfter(id: string): number | undefined {
    if (id === BEGINNING) return 0;
    const target = parseId(id);
    if (!target) return undefined;
    let [from, to] = [0, entries.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const at = parseId(entries[middle]?.id ?? "");
      if (at && compareIds(at, target) < 0) from = middle + 1;
      else to = middle;
    }
    if (entries[from]?.id === id) return from + 1;
    return id === floor || isAfter(floor, id) ? from : undefined;
  }

  return {
    add(more: readonly FeedEntry[], now: number): void {
      for (const entry of more) entries.push(entry);
      fromWeb += countFromWeb(more);
      last = more.at(-1)?.id ?? last;
      trim(now);
    },
    trim,
    /**
     * The stored entries after an id; all of them for an unknown id. `gap`: entries after it were dropped, beyond `known`, the newest
     * dropped position that was reported to the reader.
     */
    after(id: string, known = ""): MissedEntries {
      const from = indexAfter(id);
      const missed = entries.slice(from);
      const position = from === undefined ? BEGINNING : id;
      const isMissing = id !== BEGINNING && isAfter(floor, id) && isAfter(floor, known);
      return {
        gap: from === undefined || isMissing,
        before: isAfter(floor, missed[0]?.id ?? floor) ? position : later(floor, position),
        entries: missed,
      };
    },
    /** The newest entries, oldest first, as in a window of `limit` entries, with the floor of that window. */
    newest(limit: number): { floor: string; entries: FeedEntry[] } {
      const end = createWindow({ entries: limit, forMs: Number.POSITIVE_INFINITY }, floor, entries);
      end.trim(0);
      return { floor: end.floor(), entries: end.after(BEGINNING).entries };
    },
    /** The newest dropped position. */
    floor: (): string => floor,
    /** Id of the oldest entry. */
    oldest: (): string | undefined => entries[0]?.id,
    /** The position of the newest entry, stored or not. */
    last: (): string => last,
  };
}

const countFromWeb = (entries: readonly FeedEntry[]): number =>
  entries.reduce((count, { event }) => (isWebLine(event) ? count + 1 : count), 0);
