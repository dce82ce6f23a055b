import { printable } from "../../../cli/printable.ts";
import type { Answer, Report } from "../report.ts";
import { duration, NOT_NEEDED, of, subject, summary, verdictOf, wrapped } from "./words.ts";

const COLUMNS = 80;
/** A mark of each verdict says the same as its colour. */
const SIGNS = {
  held: { mark: "ok", colour: 32 },
  skipped: { mark: "--", colour: 90 },
  otherwise: { mark: "??", colour: 33 },
  broken: { mark: "!!", colour: 31 },
} as const;
/** Widest name that others are put beside. */
const WIDEST_NAME = 26;

/** The lines for a terminal, at most 80 columns wide. What did not hold comes last, where the eye is. */
export function screenLines(report: Report, isColoured = false): string[] {
  const head = [`Web Bridge ${report.product} on ${subject(report)}`, ""].flatMap(line =>
    wrapped(line, COLUMNS),
  );
  const rows = (["held", "skipped", "otherwise", "broken"] as const).flatMap(verdict =>
    of(report, verdict).flatMap(answer => rowOf(answer, isColoured)),
  );
  const end = `${summary(report)}. It took ${duration(report.seconds)}.`;
  const otherwise = of(report, "otherwise").length > 0 ? wrapped(`?? ${NOT_NEEDED}`, COLUMNS) : [];
  return [...head, ...rows, ...(rows.length > 0 ? [""] : []), ...otherwise, ...wrapped(end, COLUMNS)].map(
    shown,
  );
}

function rowOf(answer: Answer, isColoured: boolean): string[] {
  const { id, state, said, assumes } = answer;
  const { mark, colour } = SIGNS[verdictOf(answer)];
  const paint = (text: string): string => (isColoured ? `\u001b[${colour}m${text}\u001b[39m` : text);
  const indent = " ".repeat(4 + WIDEST_NAME + 2);
  const beside = wrapped(printable(said), COLUMNS - indent.length);
  const lines = id.length > WIDEST_NAME ? ["", ...beside] : beside;
  const [first = "", ...more] = lines;
  const assumed =
    state === "broken" ? wrapped(`(assumed: ${printable(assumes)})`, COLUMNS - indent.length) : [];
  return [
    `${paint(mark)}  ${id.padEnd(WIDEST_NAME)}  ${first}`,
    ...[...more, ...assumed].map(line => `${indent}${line}`),
  ];
}

const shown = (line: string): string => line.trimEnd();
