import type { Result } from "./bench.ts";

export interface Row extends Result {
  name: string;
  seconds: number;
}

/** Rows of texts as columns that are as wide as they have to be, one line each. `align`: of all columns but the first. */
export function columns(rows: readonly string[][], align: "padEnd" | "padStart" = "padEnd"): string[] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map(row => row[at]?.length ?? 0))) ?? [];
  return rows.map(row =>
    row
      .map((text, at) => text[at === 0 ? "padEnd" : align](widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** The results as columns of text, one line each. */
export const table = (rows: readonly Row[]): string =>
  columns([
    ["what", "measured", "target", "reference", ""],
    ...rows.map(({ name, figure, target, reference = "", ok }) => [
      ...[name, figure, target, reference],
      ok ? "ok" : "MISSED",
    ]),
  ]).join("\n");
