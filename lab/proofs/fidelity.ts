import { isOpen } from "../../owner/prove/report/compare.ts";
import { type Asking, askedBy, type LineState, provedLines } from "../../owner/prove/report/lines.ts";
import type { Report } from "../../owner/prove/report.ts";
import { row, withParts } from "../bench/parts.ts";

export const FIDELITY = "lab/simulator/FIDELITY.md";

/** What is made anew in a mark: `P 1.26.60.6`, behind what people have written. */
const MADE = /(?:; )?\b[PX] \d[\d.]*$/;

/** The lines of the page by their names, section and first cell, with what people have written as their mark. */
export function fidelityLines(page: string): Map<string, string> {
  const lines = new Map<string, string>();
  eachLine(page, (name, mark) => {
    if (lines.has(name)) throw new Error(`${FIDELITY}: there are two lines ${name}`);
    lines.set(name, mark);
    return mark;
  });
  return lines;
}

/** The page with marks and parts made anew. Proofs are the oldest game first. */
export function fidelityPage(page: string, proofs: readonly Report[], probes: readonly Asking[]): string {
  const lines = fidelityLines(page);
  const states = new Map([...lines.keys()].map(name => [name, lastState(name, proofs, probes)]));
  const marked = eachLine(page, (name, mark) => {
    const last = states.get(name);
    return last === undefined
      ? mark
      : `${mark}${mark === "" ? "" : "; "}${isHeld(last.state) ? "P" : "X"} ${last.version}`;
  });
  const asked = askedBy(probes);
  const kinds = new Map(probes.map(({ id, kind }) => [id, kind]));
  const named = (ids: readonly string[] = [], kind: Asking["kind"]): string =>
    ids
      .filter(id => kinds.get(id) === kind)
      .map(id => `\`${id}\``)
      .join(", ");
  const unasked = [...lines].filter(([name, mark]) => isOpen(mark) && !asked.has(name)).map(([name]) => name);
  return withParts(FIDELITY, marked, {
    proved: [provedLine(proofs)],
    asked: [
      row("line", "what the product needs", "the rest", "came to"),
      row("---", "---", "---", "---"),
      ...[...lines.keys()]
        .filter(name => asked.has(name))
        .map(name => row(name, ...KINDS.map(kind => named(asked.get(name), kind)), cameTo(states.get(name)))),
      "",
      unasked.length === 0 ? "No probe is missing." : "Inferred or not known, and asked by no probe:",
      ...(unasked.length === 0 ? [] : ["", ...unasked.map(name => `- ${name}`)]),
    ],
  });
}

const KINDS = ["promise", "inference"] as const;

interface Last {
  readonly state: Exclude<LineState, "unasked">;
  readonly version: string;
}

/** What the newest game that was asked has answered; of one game on two systems the worse. */
function lastState(name: string, proofs: readonly Report[], probes: readonly Asking[]): Last | undefined {
  const order = ["wrong", "otherwise", "partly", "proved"] as const;
  let last: Last | undefined;
  for (const proof of proofs) {
    const state = provedLines(proof, probes).get(name)?.state ?? "unasked";
    const { version } = proof.game;
    if (state === "unasked") continue;
    const isWorse = last !== undefined && order.indexOf(last.state) < order.indexOf(state);
    if (last?.version !== version || !isWorse) last = { state, version };
  }
  return last;
}

const isHeld = (state: Last["state"]): boolean => state === "proved" || state === "partly";

const WORDS = {
  proved: "held on",
  partly: "held in part on",
  otherwise: "was otherwise on",
  wrong: "broke a promise on",
};

const cameTo = (last: Last | undefined): string =>
  last === undefined ? "not asked yet" : `${WORDS[last.state]} ${last.version}`;

function provedLine(proofs: readonly Report[]): string {
  const versions = [...new Set(proofs.map(({ game }) => game.version))];
  return versions.length === 0
    ? "No part was compared with a running Bedrock Dedicated Server yet."
    : `Compared with Bedrock Dedicated Server ${versions.join(", ")}, where a mark or the list at the end says so.`;
}

/** The page with the mark of each line as `change` wants it; it is given what people have written. */
function eachLine(page: string, change: (name: string, mark: string) => string): string {
  const [body = "", ...rest] = page.split(/^(?=## Asked of a real server$)/m);
  let section: string | undefined;
  let isHead = true;
  const lines = body.split("\n").map(line => {
    section = /^## (.+)$/.exec(line)?.[1] ?? section;
    if (!line.startsWith("|")) isHead = true;
    if (section === undefined || !line.startsWith("|")) return line;
    if (/^\|(-+\|)+$/.test(line)) {
      isHead = false;
      return line;
    }
    if (isHead) return line;
    const cells = line.split(/(?<!\\)\|/);
    const mark = cells.at(-2);
    if (mark === undefined || cells.length !== 5) throw new Error(`${FIDELITY}: not three cells: ${line}`);
    const written = mark.trim().replace(MADE, "");
    cells[3] = ` ${change(`${section} / ${(cells[1] ?? "").trim()}`, written)} `;
    return cells.join("|");
  });
  return [lines.join("\n"), ...rest].join("");
}
