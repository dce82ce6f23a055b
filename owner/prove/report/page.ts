import type { Answer, Report } from "../report.ts";
import { duration, gameOf, momentOf, NOT_NEEDED, of, optionsOf, subject, summary } from "./words.ts";

/** A report as a page in Markdown, for people: what did not hold comes first. */
export function reportPage(report: Report): string {
  const { game, product, versions } = report;
  const [held, broken, skipped] = [of(report, "held"), of(report, "broken"), of(report, "skipped")];
  const otherwise = of(report, "otherwise");
  const lines = [
    `# ${game.simulated === true ? "Trial in a simulated game" : "Proof"}: ${plain(gameOf(report))}`,
    "",
    ...(game.simulated === true
      ? ["**No game took part in this, but a stand-in for one: it proves nothing of a real server.**", ""]
      : []),
    `Web Bridge ${plain(product)} was tried on ${plain(subject(report))}:`,
    `**${summary(report)}.**`,
    "",
    ...section("What did not hold", broken, HOW),
    ...section("What is otherwise than assumed", otherwise, HOW, [NOT_NEEDED, ""]),
    ...section("What was not asked", skipped, [["we assume", assumed], ["why it was not asked", said], name]),
    "## The trial",
    "",
    `- began: ${momentOf(report)}`,
    `- took: ${duration(report.seconds)}`,
    `- options: ${optionsOf(report)}`,
    ...Object.entries(versions).map(([part, version]) => `- ${plain(part)}: ${plain(version)}`),
    "",
    ...section("What held", held, [
      ["we assume", assumed],
      ["seen", said],
      name,
      ["took", ({ ms }) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)],
    ]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

type Column = readonly [head: string, cell: (answer: Answer) => string];

const assumed = ({ assumes }: Answer): string => plain(assumes);
const said = ({ said }: Answer): string => plain(said);
const name: Column = ["asked as", ({ id }) => `\`${id}\``];

const HOW: readonly Column[] = [
  ["we assume", assumed],
  ["seen", said],
  ["how it was asked", ({ how, id }) => `${plain(how)} (\`${id}\`)`],
];

function section(
  heading: string,
  answers: readonly Answer[],
  columns: readonly Column[],
  before: readonly string[] = [],
): string[] {
  if (answers.length === 0) return [];
  return [
    `## ${heading}`,
    "",
    ...before,
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
    .replace(/[\\`*<>[\]|~&$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\$&")
    // What a forge makes a link of by itself.
    .replace(/:(?=\/\/)|(?<=\bwww)\./giu, "\\$&");
