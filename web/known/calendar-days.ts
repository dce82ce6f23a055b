import type { KnownPlayerData } from "../../client/index.ts";

type Stays = NonNullable<KnownPlayerData["stays"]>;

/** A day by the browser's own time zone. */
export interface Day {
  /** its beginning */
  at: number;
  /** time online in it, in milliseconds; undefined: nobody knows any more */
  onlineMs: number | undefined;
}
/** A month: the last one has the days that have begun. */
export interface Month {
  at: number;
  /** day of the week of the first one, 0 for Sunday */
  weekday: number;
  days: Day[];
}

const MONTHS = 12;

/**
 * The last twelve months by days, the oldest first. All times in milliseconds since 1970.
 * @param stays newest first
 * @param toldSince before that none is kept
 */
export function monthsOf(stays: Stays, now: number, toldSince: number): Month[] {
  const today = new Date(now);
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const dayAt = (of: number, day: number): number => new Date(year, of, day).getTime();
  return Array.from({ length: MONTHS }, (_, i) => {
    const of = month - MONTHS + 1 + i;
    const first = new Date(year, of, 1);
    const last = i === MONTHS - 1 ? today.getDate() : new Date(year, of + 1, 0).getDate();
    // One after the other: few of them are of a month.
    const during = stays.filter(({ from, to }) => from < dayAt(of + 1, 1) && (to ?? now) > first.getTime());
    const days = Array.from({ length: last }, (_, day): Day => {
      const [at, end] = [dayAt(of, day + 1), dayAt(of, day + 2)];
      const parts = during.map(({ from, to }) => Math.min(to ?? now, end) - Math.max(from, at));
      const onlineMs = parts.reduce((sum, part) => sum + Math.max(0, part), 0);
      return { at, onlineMs: end <= toldSince && onlineMs === 0 ? undefined : onlineMs };
    });
    return { at: first.getTime(), weekday: first.getDay(), days };
  });
}
