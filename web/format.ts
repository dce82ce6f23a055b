import { texts } from "./texts.ts";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** Ticks per second with one decimal. */
export const tps = (value: number): string => value.toFixed(1);
export const count = (value: number): string => whole.format(value);
export const percent = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} %`;

/** MiB, from 1 GiB on in GiB. */
export const memory = (mib: number): string =>
  mib < 1024 ? `${whole.format(mib)} MB` : `${(mib / 1024).toFixed(1)} GB`;

/** A figure as `show` says it, or what stands for one that is not known. */
export const known = (value: number | null | undefined, show: (value: number) => string): string =>
  value === null || value === undefined ? texts.none : show(value);

/** Time of the day, in the browser's own time zone. */
export const clock = (at: number): string => time.format(at);

/** A day of the calendar. */
export const day = (at: number): string => date.format(at);

export function playtime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? texts.minutes(minutes) : texts.hours(Math.floor(minutes / 60), minutes % 60);
}

/** Minutes and seconds that are left, such as `1:05`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
