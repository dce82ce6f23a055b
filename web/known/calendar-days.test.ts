import { afterEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import * as format from "../platform/format.ts";
import { monthsOf } from "./calendar-days.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = (year: number, month: number, day: number, hour = 0, minute = 0): number =>
  new Date(year, month - 1, day, hour, minute).getTime();
const NOW = at(2026, 3, 15, 18);

describe("the days of the last twelve months", () => {
  it("are all days of eleven months, and those of the current month up to today", () => {
    const months = monthsOf([], NOW, 0);
    expect(months.map(({ days }) => days.length)).toEqual([30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 28, 15]);
    expect(months.map(({ at }) => at)).toEqual(
      Array.from({ length: 12 }, (_, i) => new Date(2025, 3 + i, 1).getTime()),
    );
    expect(months.map(({ weekday }) => weekday)).toEqual(months.map(month => new Date(month.at).getDay()));
  });

  it("split a visit at midnight and at the end of a month", () => {
    const months = monthsOf([{ from: at(2026, 2, 28, 22), to: at(2026, 3, 1, 1, 30) }], NOW, 0);
    expect(months.at(-2)?.days.at(-1)?.onlineMs).toBe(2 * HOUR_MS);
    expect(months.at(-1)?.days[0]?.onlineMs).toBe(1.5 * HOUR_MS);
    const ongoing = monthsOf([{ from: NOW - HOUR_MS, to: null }], NOW, 0);
    expect(ongoing.at(-1)?.days.at(-1)?.onlineMs).toBe(HOUR_MS);
  });

  it("are unknown before the retention time, except where a visit reaches into it", () => {
    const since = at(2026, 3, 10, 12);
    const months = monthsOf([{ from: at(2026, 3, 8, 12), to: since + HOUR_MS }], NOW, since);
    expect(
      months
        .at(-1)
        ?.days.slice(6, 11)
        .map(({ onlineMs }) => onlineMs),
    ).toEqual([undefined, 12 * HOUR_MS, DAY_MS, 13 * HOUR_MS, 0]);
    expect(months[0]?.days.every(({ onlineMs }) => onlineMs === undefined)).toBe(true);
  });

  it("add up to all visits within them", () => {
    const begin = at(2025, 4, 1);
    const visits = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 20 * DAY_MS }), fc.integer({ min: 1, max: 5 * DAY_MS })),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(visits, pairs => {
        let time = begin - 30 * DAY_MS;
        const stays = pairs.map(([pause, length]) => {
          time += pause + length;
          return { from: time - length, to: time };
        });
        const ended = stays.filter(({ to }) => to <= NOW).reverse();
        const all = monthsOf(ended, NOW, 0).flatMap(({ days }) => days);
        const sum = all.reduce((ms, { onlineMs = 0 }) => ms + onlineMs, 0);
        expect(sum).toBe(ended.reduce((ms, { from, to }) => ms + Math.max(0, to - Math.max(from, begin)), 0));
      }),
    );
  });
});

describe("how long ago something was", () => {
  afterEach(() => format.setFormats("en"));

  it.each([
    [NOW + 5_000, "1 second ago"],
    [NOW - 59_000, "59 seconds ago"],
    [NOW - 60_000, "1 minute ago"],
    [NOW - 59 * 60_000, "59 minutes ago"],
    [at(2026, 3, 15, 1), "17 hours ago"],
    [at(2026, 3, 14, 23), "yesterday"],
    [at(2026, 2, 13, 12), "30 days ago"],
    [at(2026, 2, 12, 12), "1 month ago"],
    [at(2025, 3, 14, 12), "1 year ago"],
    [at(2023, 3, 1), "3 years ago"],
  ])("follows the calendar: %d, %s", (time, expected) => {
    expect(format.ago(time, NOW)).toBe(expected);
  });

  it.each([
    ["ru", "позавчера"],
    ["ja", "一昨日"],
    ["de", "vorgestern"],
    ["pt-BR", "anteontem"],
  ])("uses the words of the language %s", (tag, words) => {
    format.setFormats(tag);
    expect(format.ago(at(2026, 3, 13), NOW)).toBe(words);
    expect(format.ago(at(2026, 3, 10), NOW)).toBe(new Intl.RelativeTimeFormat(tag).format(-5, "day"));
  });
});
