import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProbeResult } from "./probe-runner.ts";

/** The content of `proof-<game>-<platform>.json`. */
export interface Report {
  /** begin of the test in UTC, to the minute: `2026-11-23T23:10Z` */
  readonly at: string;
  readonly product: string;
  /** version from the game's console; `simulated`: the simulator of our tests */
  readonly game: { readonly version: string; readonly platform: string; readonly simulated: boolean };
  readonly seconds: number;
  readonly answers: readonly ProbeResult[];
}

export function gameIn(lines: readonly string[], platform: string): Report["game"] {
  const version = lines.flatMap(line => /^Version:? (\d+(?:\.\d+)+)/.exec(line)?.[1] ?? [])[0] ?? "unknown";
  return { version, platform, simulated: lines.includes("Build ID: simulated") };
}

const STATES = { failed: "failed", skipped: "skipped", ok: "passed" } as const;

type Answers = readonly ProbeResult[];

const countOf = (answers: Answers, state: ProbeResult["state"]): number =>
  answers.filter(each => each.state === state).length;

export const hasFailed = ({ answers }: Report): boolean => countOf(answers, "failed") > 0;

const summaryOf = (answers: Answers): string =>
  (["ok", "failed", "skipped"] as const)
    .map(state => `${countOf(answers, state)} ${STATES[state]}`)
    .join(", ");

/** Whether a probe is about the pack that keeps achievements. */
const isAboutConsole = ({ id }: ProbeResult): boolean => id.startsWith("console-");

const MARKS = { ok: "ok", failed: "!!", skipped: "--" };

/** The report for a terminal: failures come last. */
export function screenLines(report: Report): string[] {
  const { answers } = report;
  const results = (["ok", "skipped", "failed"] as const).flatMap(state =>
    answers
      .filter(each => each.state === state)
      .flatMap(({ id, seen, expect, why }) =>
        state === "failed"
          ? [`!! ${id}: expected: ${expect}; result: ${seen}`, `   ${why}`]
          : [`${MARKS[state]} ${id}: ${seen}`],
      ),
  );
  const kept = answers.filter(isAboutConsole);
  return [
    ...results,
    "",
    `${report.game.version} on ${report.game.platform}: ${summaryOf(answers)}`,
    ...(kept.length === 0 ? [] : [`of these with the pack that keeps achievements: ${summaryOf(kept)}`]),
  ];
}

/** Text for a cell of a Markdown table. */
const cell = (text: string): string => text.replace(/[\\`*_{}[\]<>#|~]/g, "\\$&").replace(/\s+/g, " ");

export function pageOf(report: Report): string {
  const { game, product, at, seconds, answers } = report;
  const table = (part: Answers, state: ProbeResult["state"]): string[] => {
    const rows = part.filter(each => each.state === state);
    if (rows.length === 0) return [];
    return [
      `### ${STATES[state][0]?.toUpperCase()}${STATES[state].slice(1)}`,
      "",
      "| probe | expected | result | why it matters |",
      "| --- | --- | --- | --- |",
      ...rows.map(({ id, expect, seen, why }) => `| ${[id, expect, seen, why].map(cell).join(" | ")} |`),
      "",
    ];
  };
  const part = (title: string, rows: Answers): string[] =>
    rows.length === 0
      ? []
      : [
          `## ${title}`,
          "",
          `${summaryOf(rows)}.`,
          "",
          ...(["failed", "skipped", "ok"] as const).flatMap(state => table(rows, state)),
        ];
  const note = "This was the simulator of our tests, not a game server: it proves nothing about a real one.";
  return [
    `# Web Bridge ${product} on game ${game.version} (${game.platform})`,
    "",
    ...(game.simulated ? [`**${note}**`, ""] : []),
    `${summaryOf(answers)}. Started ${at}, took ${seconds} s.`,
    "",
    ...part(
      "With all features",
      answers.filter(each => !isAboutConsole(each)),
    ),
    ...part("With the pack that keeps achievements", answers.filter(isAboutConsole)),
  ].join("\n");
}

/** Writes the report as JSON and as Markdown. Returns both paths. */
export function writeReport(report: Report, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const base = join(folder, `proof-${report.game.version}-${report.game.platform}`);
  const files = {
    [`${base}.json`]: `${JSON.stringify(report, undefined, 2)}\n`,
    [`${base}.md`]: pageOf(report),
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
  return Object.keys(files);
}
