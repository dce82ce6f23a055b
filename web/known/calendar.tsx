import { useMemo } from "preact/hooks";
import * as format from "../platform/format.ts";
import { texts } from "../platform/texts.ts";
import { type Month, monthsOf, type Stays } from "./calendar-days.ts";

/** How many visits the service returns at most: there may have been others before them. */
const MAX_STAYS = 500;
const HOUR_MS = 3_600_000;
/** A day with more time online than each of these is drawn one step darker, in milliseconds. */
const STEPS_MS = [0, HOUR_MS, 3 * HOUR_MS];
/** Side of the square of a day, and the distance between two days. */
const [DAY, PITCH] = [10, 12];
const DAYS = 7;
const WEEKS = 6;

function MonthDays({ month: { at, weekday, days } }: { month: Month }) {
  const before = (weekday - format.firstWeekday() + DAYS) % DAYS;
  const online = days.filter(({ onlineMs = 0 }) => onlineMs > 0);
  const sumMs = online.reduce((sum, { onlineMs = 0 }) => sum + onlineMs, 0);
  return (
    <li>
      <span class="month">{format.monthOfYear(at)}</span>
      <svg viewBox={`0 0 ${PITCH * DAYS - 2} ${PITCH * WEEKS - 2}`} aria-hidden="true">
        {days.map(({ at, onlineMs }, i) => {
          const [x, y] = [(before + i) % DAYS, Math.floor((before + i) / DAYS)];
          const level = STEPS_MS.filter(step => (onlineMs ?? 0) > step).length;
          return (
            <rect
              key={at}
              class={onlineMs === undefined ? "no-data" : `level-${level}`}
              x={x * PITCH}
              y={y * PITCH}
              width={DAY}
              height={DAY}
            >
              {level > 0 && <title>{`${format.day(at)}: ${format.playtime((onlineMs ?? 0) / 1000)}`}</title>}
            </rect>
          );
        })}
      </svg>
      <span class="sum">
        {sumMs > 0 ? format.playtime(sumMs / 1000) : texts.none}
        {online.length > 0 && <span class="sr"> {format.days(online.length)}</span>}
      </span>
    </li>
  );
}

/** When a player was online in the last twelve months. `staysForMs`: how long visits are remembered. */
export function Calendar({ stays, staysForMs }: { stays: Stays; staysForMs: number }) {
  const months = useMemo(() => {
    const now = Date.now();
    const oldest = stays.length < MAX_STAYS ? undefined : stays.at(-1);
    return monthsOf(stays, now, Math.max(now - staysForMs, oldest?.from ?? 0));
  }, [stays, staysForMs]);
  return (
    <>
      <h3>{texts.calendar}</h3>
      <ul class="calendar">
        {months.map(month => (
          <MonthDays key={month.at} month={month} />
        ))}
      </ul>
      <p class="soft">{texts.staysKept(format.span(staysForMs))}</p>
    </>
  );
}
