import type { Result } from "./bench.ts";

export interface Row extends Result {
  name: string;
  seconds: number;
}

/** The results as columns of text, one line each. */
export function table(rows: readonly Row[]): string {
  const lines = [
    ["what", "measured", "target", "reference", ""],
    ...rows.map(({ name, figure, target, reference = "", ok }) => [
      name,
      figure,
      target,
      reference,
      ok ? "ok" : "MISSED",
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map(column => Math.max(...lines.map(line => line[column]?.length ?? 0)));
  return lines
    .map(line =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
