import { texts } from "./texts.ts";

/** First day of the week, 0 for Sunday; Monday where the browser does not know. */
function firstDayOfWeek(tag: string): number {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(tag);
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

function formats(tag: string) {
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options);
  const digits = (count: number) => ({ minimumFractionDigits: count, maximumFractionDigits: count });
  const unit = (name: string, count: number, unitDisplay: "short" | "long" = "short") =>
    number({ style: "unit", unit: name, unitDisplay, ...digits(count) });
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const dayOfYear = { month: "short", day: "numeric" } as const;
  const date = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options);
  return {
    whole: number(digits(0)),
    tenths: number(digits(1)),
    percent: number({ style: "percent", ...digits(0) }),
    smallPercent: number({ style: "percent", ...digits(1) }),
    megabytes: unit("megabyte", 0),
    gigabytes: unit("gigabyte", 1),
    hours: unit("hour", 0),
    minutes: unit("minute", 0),
    days: unit("day", 0, "long"),
    time: date(time),
    month: date({ month: "short" }),
    dayOfYear: date(dayOfYear),
    hourOfDay: date({ ...dayOfYear, ...time }),
    date: date({ dateStyle: "medium" }),
    dayAndTime: date({ ...dayOfYear, year: "numeric", ...time }),
    hour: date({ hour: "numeric" }),
    monthOfYear: date({ month: "short", year: "numeric" }),
    // Days may have names, such as yesterday. "Last month" could mean a shorter time than a month, so months are counted.
    named: new Intl.RelativeTimeFormat(tag, { numeric: "auto" }),
    counted: new Intl.RelativeTimeFormat(tag),
    firstWeekday: firstDayOfWeek(tag),
  };
}
let formatters = formats("en");

/** Switches to the formats of a language. `tag`: BCP 47. */
export function setFormats(tag: string): void {
  formatters = formats(tag);
  newest = { quarter: Number.NaN, day: "" };
}

/** Ticks per second with one decimal. */
export const tps = (value: number): string => formatters.tenths.format(value);
/** An average of integers, with one decimal. */
export const mean = tps;
export const count = (value: number): string => formatters.whole.format(value);
export const percent = (value: number): string =>
  (value < 10 ? formatters.smallPercent : formatters.percent).format(value / 100);

/** MiB, from 1 GiB on in GiB. */
export const memory = (mib: number): string =>
  mib < 1024 ? formatters.megabytes.format(mib) : formatters.gigabytes.format(mib / 1024);

/** A formatted figure, or the sign for an unknown one. */
export const known = (value: number | null | undefined, show: (value: number) => string): string =>
  value === null || value === undefined ? texts.none : show(value);

/** Time of day, in the browser's time zone. */
export const clock = (at: number): string => formatters.time.format(at);

const DAY_MS = 86_400_000;
const MONTH_MS = 28 * DAY_MS;

/** A time in the browser's time zone, as exact as a step of `stepMs` milliseconds needs: month, day, or day and time. */
export function moment(at: number, stepMs: number): string {
  if (stepMs < DAY_MS) return formatters.hourOfDay.format(at);
  return (stepMs < MONTH_MS ? formatters.dayOfYear : formatters.month).format(at);
}

/** The sign of a unit. */
export const unitOf = (unit: "memory" | "percent"): string =>
  (unit === "memory" ? formatters.megabytes : formatters.percent)
    .formatToParts(0)
    .find(({ type }) => type === "unit" || type === "percentSign")?.value ?? "";

/** In every time zone, days begin at a quarter of an hour. */
const QUARTER_MS = 900_000;
let newest = { quarter: Number.NaN, day: "" };

/** A date. Cheap for ascending times. */
export function day(at: number): string {
  const quarter = Math.floor(at / QUARTER_MS);
  if (quarter !== newest.quarter) newest = { quarter, day: formatters.date.format(at) };
  return newest.day;
}

export function playtime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = formatters.minutes.format(minutes % 60);
  return minutes < 60 ? rest : `${formatters.hours.format(Math.floor(minutes / 60))} ${rest}`;
}

/** Remaining minutes and seconds, such as `1:05`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A share from 0 to 1, in percent with one decimal. */
export const share = (value: number): string => formatters.smallPercent.format(value);

/** A part of the day, between two hours from 0 to 23. */
export function hoursOfDay(from: number, to: number): string {
  const at = (hour: number): number => new Date(2026, 0, 1, hour).getTime();
  return formatters.hour.formatRange(at(from), at(to < from ? to + 24 : to));
}

export const firstWeekday = (): number => formatters.firstWeekday;
export const monthOfYear = (at: number): string => formatters.monthOfYear.format(at);
export const dayAndTime = (at: number): string => formatters.dayAndTime.format(at);
export const days = (count: number): string => formatters.days.format(count);

/** A duration in days, or in hours where it is less than a day. */
export const span = (ms: number): string =>
  ms < DAY_MS ? playtime(ms / 1000) : days(Math.floor(ms / DAY_MS));

const MONTH_DAYS = 30.44;
const YEAR_DAYS = 365.25;
/** Below that, hours are counted even if midnight was between. */
const SAME_NIGHT_HOURS = 6;

/** How long ago something was, such as `3 days ago`, by calendar days. Times in the future count as a second ago. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(1, Math.floor((now - at) / 1_000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return formatters.counted.format(-seconds, "second");
  if (minutes < 60) return formatters.counted.format(-minutes, "minute");
  const dayOf = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  // A day of 23 or 25 hours is one.
  const days = Math.round((dayOf(now) - dayOf(at)) / DAY_MS);
  const hours = Math.floor(minutes / 60);
  if (days === 0 || hours < SAME_NIGHT_HOURS) return formatters.counted.format(-hours, "hour");
  if (days <= 30) return formatters.named.format(-days, "day");
  if (days < YEAR_DAYS) return formatters.counted.format(-Math.floor(days / MONTH_DAYS), "month");
  return formatters.counted.format(-Math.floor(days / YEAR_DAYS), "year");
}
