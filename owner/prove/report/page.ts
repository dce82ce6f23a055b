import type { Answer, Report } from "../report.ts";
import { duration, momentOf, of, optionsOf, subject, summary } from "./words.ts";

/** A report as a page in Markdown, for people: what did not hold comes first. */
export function reportPage(report: Report): string {
  const { game, product, versions } = report;
  const [held, broken, skipped] = [of(report, "held"), of(report, "broken"), of(report, "skipped")];
  const lines = [
    `# ${game.simulated === true ? "Trial in a simulated game" : "Proof"}: game ${plain(game.version)}, ${plain(game.platform)}`,
    "",
    ...(game.simulated === true
      ? ["**No game took part in this, but a stand-in for one: it proves nothing of a real server.**", ""]
      : []),
    `Web Bridge ${plain(product)} was tried on ${plain(subject(report))}.`,
    `**${summary(report)}.**`,
    "",
    ...section("What did not hold", broken, [
      ["asked", ({ id }) => `\`${id}\``],
      ["we assume", ({ assumes }) => plain(assumes)],
      ["seen", ({ said }) => plain(said)],
      ["how it was asked", ({ how }) => plain(how)],
    ]),
    ...section("What was not asked", skipped, [
      ["asked", ({ id }) => `\`${id}\``],
      ["we assume", ({ assumes }) => plain(assumes)],
      ["why it was not asked", ({ said }) => plain(said)],
    ]),
    ...section("What held", held, [
      ["asked", ({ id }) => `\`${id}\``],
      ["we assume", ({ assumes }) => plain(assumes)],
      ["seen", ({ said }) => plain(said)],
      ["took", ({ ms }) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)],
    ]),
    "## The trial",
    "",
    row("", ""),
    row("---", "---"),
    row("began", momentOf(report)),
    row("took", duration(report.seconds)),
    row("options", optionsOf(report)),
    ...Object.entries(versions).map(([name, version]) => row(plain(name), plain(version))),
  ];
  return `${lines.join("\n")}\n`;
}

type Column = readonly [head: string, cell: (answer: Answer) => string];

function section(heading: string, answers: readonly Answer[], columns: readonly Column[]): string[] {
  if (answers.length === 0) return [];
  return [
    `## ${heading}`,
    "",
    row(...columns.map(([head]) => head)),
    row(...columns.map(() => "---")),
    ...answers.map(answer => row(...columns.map(([, cell]) => cell(answer)))),
    "",
  ];
}

const row = (...cells: string[]): string => `| ${cells.join(" | ")} |`;

/** Words that a page shows as they are: nothing in them is a link, a picture or an end of a cell. */
const plain = (text: string): string =>
  text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\\`*<>[\]|~&$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&");
