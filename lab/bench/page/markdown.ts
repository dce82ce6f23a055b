import { row, withParts } from "../parts.ts";
import { type Kept, type Measured, type Run, verdict } from "./record.ts";
import { PARTS, WORDS } from "./words.ts";

/** The page that is made from the figures. */
const PAGE = "docs/performance.md";

/** The page with its parts made anew. @throws where a mark is missing */
export function performancePage(page: string, kept: Kept): string {
  const runs = runsOf(kept);
  return withParts(PAGE, page, {
    missed: missed(kept),
    ...Object.fromEntries(
      PARTS.map(part => [
        part,
        tables(
          kept
            .filter(({ name }) => (WORDS[name]?.part ?? "sidecar") === part)
            .sort((a, b) => Number(a.ok) - Number(b.ok)),
          runs,
        ),
      ]),
    ),
    runs: runTable(kept, runs),
  });
}

/** A letter for each run, where there are several: most often all rows are of one. */
function runsOf(kept: Kept): Map<string, string> {
  const keys = [...new Set(kept.map(({ run }) => JSON.stringify(run)))];
  return new Map(keys.map((key, i) => [key, keys.length === 1 ? "" : String.fromCharCode(65 + (i % 26))]));
}

function missed(kept: Kept): string[] {
  const names = kept.filter(({ ok }) => !ok).map(({ name }) => `- \`${name}\``);
  if (names.length === 0) return [`All ${kept.length} rows are within their targets.`];
  const miss = names.length === 1 ? "1 misses its target" : `${names.length} miss their targets`;
  return [`Of ${kept.length} rows, ${miss}:`, ...names];
}

function tables(rows: readonly Measured[], runs: Map<string, string>): string[] {
  if (rows.length === 0) return ["Nothing has been measured yet."];
  return [
    row("what", "measured", "target", "", "beside it, in the same run"),
    row("---", "---", "---", "---", "---"),
    ...rows.map(measured => {
      const { name, figure, target, reference = "" } = measured;
      const letter = runs.get(JSON.stringify(measured.run)) ?? "";
      const of = letter === "" ? "" : ` (${letter})`;
      return row(`\`${name}\`${of}`, ...[figure, target, verdict(measured), reference].map(inCell));
    }),
    "",
    row("what", "is", "means"),
    row("---", "---", "---"),
    ...rows.map(({ name, about }) => row(`\`${name}\``, inCell(about), WORDS[name]?.means ?? "")),
  ];
}

/** What failed may say anything. */
const inCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function runTable(kept: Kept, runs: Map<string, string>): string[] {
  return [
    row("", "day", "commit", "Node", "machine", "load of the minute before each row"),
    row("---", "---", "---", "---", "---", "---"),
    ...[...runs].map(([key, letter]) => {
      const { date, commit, node, processor, cores }: Run = JSON.parse(key);
      const loads = kept.filter(({ run }) => JSON.stringify(run) === key).map(({ load }) => load);
      const load = `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
      return row(
        letter,
        date,
        commit === "" ? "" : `\`${commit}\``,
        node,
        `${cores} cores: ${processor}`,
        load,
      );
    }),
  ];
}
