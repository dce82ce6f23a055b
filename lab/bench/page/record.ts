import { readFileSync } from "node:fs";
import { type Bench, NO_TARGET } from "../bench.ts";
import type { Row } from "../table.ts";

/** What was measured, and on what. */
export interface Run {
  /** such as 2026-01-31 */
  date: string;
  /** of the source: its short name, with `+` behind it where files had been changed since; empty where that is not known */
  commit: string;
  node: string;
  processor: string;
  cores: number;
}

/** A row of the page. */
export interface Measured extends Omit<Row, "seconds"> {
  about: string;
  /** of the machine in the minute before, as `uptime` tells it; 0 where the system does not */
  load: number;
  run: Run;
}

export type LoadedRow = Row & { load: number };

/** What `npm run bench -- --write` keeps: the last figures of each benchmark, in their order. */
export type Kept = readonly Measured[];

/** The figures in a file. @throws where it cannot be read */
export const readKept = (path: string | URL): Kept => JSON.parse(readFileSync(path, "utf8"));

/** To four digits: what is behind them is noise. */
const rounded = (values: Measured["values"]): Measured["values"] =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number(value.toPrecision(4))]));

/** The rows of a run in the place of older ones. Of what is no benchmark any more, nothing stays. */
export const withRows = (kept: Kept, benches: readonly Bench[], rows: readonly LoadedRow[], run: Run): Kept =>
  benches.flatMap(({ name, about }): Measured[] => {
    const row = rows.find(row => row.name === name);
    if (row === undefined) return kept.filter(row => row.name === name);
    const { seconds: _seconds, values, load, ...rest } = row;
    return [{ ...rest, about, values: rounded(values), load: Number(load.toFixed(1)), run }];
  });

/** What a reader is told of a row's target. */
export function verdict({ ok, target }: Pick<Measured, "ok" | "target">): string {
  if (!ok) return "**missed**";
  return target === NO_TARGET ? "" : "met";
}
