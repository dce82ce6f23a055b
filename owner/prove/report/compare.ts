import { printable } from "../../../cli/printable.ts";
import type { Answer, Report } from "../report.ts";
import known from "./lines.json" with { type: "json" };
import { type Asking, askedBy, type LineProof, type LineState, provedLines } from "./lines.ts";
import { momentOf, of, subject, summary, wrapped } from "./words.ts";
import { leaksOf } from "./write.ts";

const COLUMNS = 80;

/** The lines of FIDELITY.md that this build was made with, which an archive does not have, each with its mark. */
type KnownLines = Readonly<Record<string, string>>;

const HEADS: readonly [LineState, mark: string, head: string][] = [
  ["proved", "ok", "Lines of FIDELITY.md that are proved"],
  ["partly", "ok", "Lines that are proved in part: not everything that is asked of them was asked"],
  ["otherwise", "??", "Lines that are wrong, and that the product does not need"],
  ["wrong", "!!", "Lines that are wrong, of which something was promised"],
];

/** Whether nobody knows a part of what a line says, by its mark. */
export const isOpen = (mark: string): boolean => /\bI\b|\bunknown\b/.test(mark);

/** What a report says of those lines, for a terminal. */
export function comparedLines(
  report: Report,
  probes: readonly Asking[],
  lines: KnownLines = known,
): string[] {
  const proofs = provedLines(report, probes);
  const named = [...proofs].filter(([name]) => Object.hasOwn(lines, name));
  const parts = HEADS.map(([state, mark, head]) => {
    const found = named.filter(([, proof]) => proof.state === state);
    return part(
      head,
      found.flatMap(([name, proof]) => lineOf(mark, name, proof)),
      found.length,
    );
  });
  const asks = askedBy(probes);
  const open = Object.entries(lines).filter(([, mark]) => isOpen(mark));
  const skipped = named.filter(([, { state }]) => state === "unasked").map(([name]) => name);
  const nobodys = open.map(([name]) => name).filter(name => !asks.has(name));
  const about = new Set(probes.flatMap(({ id, rows }) => (rows.length > 0 ? [id] : [])));
  const others = report.answers.map(({ id }) => id).filter(id => !about.has(id));
  const unlisted = of(report, "broken").filter(({ id }) => !about.has(id));
  const leaks = leaksOf(report);
  return [
    ...wrapped(`Web Bridge ${report.product} on ${subject(report)}, ${momentOf(report)}`, COLUMNS),
    `${summary(report)}.`,
    ...(report.game.simulated === true
      ? wrapped(
          "No game took part in it, but a stand-in for one: it proves nothing of a real server.",
          COLUMNS,
        )
      : []),
    ...parts.flat(),
    ...part(
      "Promises that did not hold, and are about no line",
      unlisted.flatMap(answer => [...entry("!!", answer.id), ...otherwiseIn(answer)]),
      unlisted.length,
    ),
    ...part(
      "Lines that were not asked this time",
      skipped.flatMap(name => entry("--", name)),
      skipped.length,
    ),
    ...part(
      "Inferred or unknown lines that no probe asks",
      nobodys.flatMap(name => entry("--", name)),
      nobodys.length,
    ),
    ...part("Answers that are about no line", entry("--", others.join(", ")), others.length),
    ...(leaks.length === 0
      ? []
      : [
          "",
          ...wrapped(
            `It seems to name an address, a folder or the like, at ${leaks.join(", ")}: do not hand it in.`,
            COLUMNS,
          ),
        ]),
  ].map(printable);
}

const part = (head: string, lines: readonly string[], count: number): string[] =>
  count === 0 ? [] : ["", ...wrapped(`${head} (${count}):`, COLUMNS), ...lines];

/** A line, and below it what was otherwise. */
const lineOf = (mark: string, name: string, { answers }: LineProof): string[] => [
  ...entry(mark, name),
  ...answers
    .filter(({ state }) => state === "broken")
    .flatMap(answer => [...indented(answer.id, 4), ...otherwiseIn(answer)]),
];

const otherwiseIn = ({ assumes, said }: Answer): string[] => [
  ...indented(`assumed: ${assumes}`, 6),
  ...indented(`seen: ${said}`, 6),
];

function entry(mark: string, text: string): string[] {
  const [first = "", ...more] = wrapped(text, COLUMNS - 4);
  return [`${mark}  ${first}`, ...more.map(line => `    ${line}`)];
}

const indented = (text: string, by: number): string[] =>
  wrapped(text, COLUMNS - by).map(line => `${" ".repeat(by)}${line}`);
