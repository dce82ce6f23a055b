import type { KnownPlayerData } from "../../client/index.ts";

export type Stays = NonNullable<KnownPlayerData["stays"]>;

/** A day in the browser's time zone. */
export interface Day {
  at: number;
  /** time online in milliseconds; undefined: not known any more */
  onlineMs: number | undefined;
}
/** A month: of the current one, the days that have begun. */
export interface Month {
  at: number;
  /** day of the week of the first day, 0 for Sunday */
  weekday: number;
  days: Day[];
}

const MONTHS = 12;

/**
 * The days of the last twelve months, oldest month first. All times are in milliseconds since 1970.
 * @param stays newest first
 * @param knownSince earlier visits are not known
 */
export function monthsOf(stays: Stays, now: number, knownSince: number): Month[] {
  const today = new Date(now);
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const dayAt = (of: number, day: number): number => new Date(year, of, day).getTime();
  return Array.from({ length: MONTHS }, (_, i) => {
    const of = month - MONTHS + 1 + i;
    const first = new Date(year, of, 1);
    const last = i === MONTHS - 1 ? today.getDate() : new Date(year, of + 1, 0).getDate();
    // Filtered by month first, so that each day looks at few visits.
    const during = stays.filter(({ from, to }) => from < dayAt(of + 1, 1) && (to ?? now) > first.getTime());
    const days = Array.from({ length: last }, (_, day): Day => {
      const [at, end] = [dayAt(of, day + 1), dayAt(of, day + 2)];
      const parts = during.map(({ from, to }) => Math.min(to ?? now, end) - Math.max(from, at));
      const onlineMs = parts.reduce((sum, part) => sum + Math.max(0, part), 0);
      return { at, onlineMs: end <= knownSince && onlineMs === 0 ? undefined : onlineMs };
    });
    return { at: first.getTime(), weekday: first.getDay(), days };
  });
}
