import type { Probe } from "../probe.ts";
import type { Answer, Report } from "../report.ts";
import { verdictOf } from "./words.ts";

/**
 * What a report says of a line of FIDELITY.md: `partly`: what was asked held, and there is more to ask; `wrong`: a promise that is
 * about it did not hold; `otherwise`: it is wrong as well, and the product does not need what is wrong.
 */
export type LineState = "proved" | "partly" | "otherwise" | "wrong" | "unasked";

export interface LineProof {
  readonly state: LineState;
  /** of the probes that are about it */
  readonly answers: readonly Answer[];
}

/** Of a probe what says of which lines it is. */
export type Asking = Pick<Probe, "id" | "kind" | "rows">;

/** Ids of the probes that ask a line, by its name. */
export function askedBy(probes: readonly Asking[]): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const { id, rows } of probes)
    for (const row of new Set(rows)) lines.set(row, [...(lines.get(row) ?? []), id]);
  return lines;
}

/** What a report says of each line that probes of this build ask. */
export function provedLines(report: Report, probes: readonly Asking[]): Map<string, LineProof> {
  const byId = new Map(report.answers.map(answer => [answer.id, answer]));
  return new Map(
    [...askedBy(probes)].map(([line, ids]) => {
      const answers = ids.flatMap(id => byId.get(id) ?? []);
      return [line, { state: stateOf(answers, ids.length), answers }];
    }),
  );
}

function stateOf(answers: readonly Answer[], probes: number): LineState {
  const verdicts = answers.map(verdictOf);
  for (const [verdict, state] of [
    ["broken", "wrong"],
    ["otherwise", "otherwise"],
  ] as const)
    if (verdicts.includes(verdict)) return state;
  const held = verdicts.filter(verdict => verdict === "held").length;
  if (held === 0) return "unasked";
  return held === probes ? "proved" : "partly";
}
