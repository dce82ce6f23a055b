import { texts } from "./texts.ts";

/** Day that a week begins with, 0 for Sunday; Monday where the browser does not know. */
function weekBegin(tag: string): number {
  const locale: Intl.Locale & { getWeekInfo?: () => { firstDay: number } } = new Intl.Locale(tag);
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

function formats(tag: string) {
  const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options);
  const unit = (name: string, digits: number) =>
    number({
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: digits,
      minimumFractionDigits: digits,
    });
  return {
    whole: number({ maximumFractionDigits: 0 }),
    tenths: number({ minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    percent: number({ style: "percent", maximumFractionDigits: 0 }),
    smallPercent: number({ style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    megabytes: unit("megabyte", 0),
    gigabytes: unit("gigabyte", 1),
    hours: unit("hour", 0),
    minutes: unit("minute", 0),
    time: new Intl.DateTimeFormat(tag, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    month: new Intl.DateTimeFormat(tag, { month: "short" }),
    dayOfYear: new Intl.DateTimeFormat(tag, { month: "short", day: "numeric" }),
    hourOfDay: new Intl.DateTimeFormat(tag, {
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }),
    days: number({ style: "unit", unit: "day", unitDisplay: "long", maximumFractionDigits: 0 }),
    date: new Intl.DateTimeFormat(tag, { dateStyle: "medium" }),
    dayAndTime: new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short" }),
    monthOfYear: new Intl.DateTimeFormat(tag, { month: "short", year: "numeric" }),
    // Yesterday has a name; what is called the last month may be the one before.
    named: new Intl.RelativeTimeFormat(tag, { numeric: "auto" }),
    counted: new Intl.RelativeTimeFormat(tag),
    firstWeekday: weekBegin(tag),
  };
}
let as = formats("en");

/** Has everything written as in a language from now on. `tag`: BCP 47. */
export function setFormats(tag: string): void {
  as = formats(tag);
  newest = { quarter: Number.NaN, day: "" };
}

/** Ticks per second with one decimal. */
export const tps = (value: number): string => as.tenths.format(value);
/** A mean of whole numbers, with one decimal. */
export const mean = tps;
export const count = (value: number): string => as.whole.format(value);
export const percent = (value: number): string =>
  (value < 10 ? as.smallPercent : as.percent).format(value / 100);

/** MiB, from 1 GiB on in GiB. */
export const memory = (mib: number): string =>
  mib < 1024 ? as.megabytes.format(mib) : as.gigabytes.format(mib / 1024);

/** A figure as `show` says it, or what stands for one that is not known. */
export const known = (value: number | null | undefined, show: (value: number) => string): string =>
  value === null || value === undefined ? texts.none : show(value);

/** Time of the day, in the browser's own time zone. */
export const clock = (at: number): string => as.time.format(at);

const DAY_MS = 86_400_000;
const MONTH_MS = 28 * DAY_MS;

/** A time in the browser's own time zone, as exact as what is `stepMs` milliseconds long: a month, a day, or with the clock. */
export function moment(at: number, stepMs: number): string {
  if (stepMs < DAY_MS) return as.hourOfDay.format(at);
  return (stepMs < MONTH_MS ? as.dayOfYear : as.month).format(at);
}

/** How a unit is written: megabytes, or percent. */
export const unitOf = (unit: "memory" | "percent"): string =>
  (unit === "memory" ? as.megabytes : as.percent)
    .formatToParts(0)
    .find(({ type }) => type === "unit" || type === "percentSign")?.value ?? "";

/** In every time zone days begin at a whole quarter of an hour. */
const QUARTER_MS = 900_000;
let newest = { quarter: Number.NaN, day: "" };

/** A day of the calendar. Cheap for times that come one after the other. */
export function day(at: number): string {
  const quarter = Math.floor(at / QUARTER_MS);
  if (quarter !== newest.quarter) newest = { quarter, day: as.date.format(at) };
  return newest.day;
}

export function playtime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = as.minutes.format(minutes % 60);
  return minutes < 60 ? rest : `${as.hours.format(Math.floor(minutes / 60))} ${rest}`;
}

/** Minutes and seconds that are left, such as `1:05`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export const firstWeekday = (): number => as.firstWeekday;
/** A month with its year. */
export const monthOfYear = (at: number): string => as.monthOfYear.format(at);
/** A day with the time of the day. */
export const dayAndTime = (at: number): string => as.dayAndTime.format(at);
export const days = (count: number): string => as.days.format(count);

/** How long something lasts that lasts for days, or else for hours. */
export const span = (ms: number): string =>
  ms < DAY_MS ? playtime(ms / 1000) : days(Math.floor(ms / DAY_MS));

const MONTH_DAYS = 30.44;
const YEAR_DAYS = 365.25;
/** Below that it is told in hours, whatever day it was. */
const SAME_NIGHT_HOURS = 6;

/** How long ago something was, such as `3 days ago`; days are those of the calendar. Nothing is told of as to come. */
export function ago(at: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000));
  if (minutes === 0) return as.named.format(0, "second");
  if (minutes < 60) return as.counted.format(-minutes, "minute");
  const dayOf = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  // A day of 23 or 25 hours is one.
  const days = Math.round((dayOf(now) - dayOf(at)) / DAY_MS);
  const hours = Math.floor(minutes / 60);
  if (days === 0 || hours < SAME_NIGHT_HOURS) return as.counted.format(-hours, "hour");
  if (days <= 30) return as.named.format(-days, "day");
  if (days < YEAR_DAYS) return as.counted.format(-Math.floor(days / MONTH_DAYS), "month");
  return as.counted.format(-Math.floor(days / YEAR_DAYS), "year");
}
