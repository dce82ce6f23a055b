import { readReport } from "../../owner/prove/report/read.ts";
import { leaksOf, nameOf } from "../../owner/prove/report/write.ts";
import type { Report } from "../../owner/prove/report.ts";

/** Where proofs of real servers are. */
export const PROOFS = "docs/proofs";
/** Where one of the stand-in is, which proves nothing. */
export const EXAMPLE = `${PROOFS}/example`;

/** What every trial asks that was not told to ask some things only. */
const WHOLE = ["first-start", "pack-connects", "probes-load", "stop", "setup-undo", "original-untouched"];

/** The report in a file of the folder of proofs. @throws what is wrong with it, with its name */
export function proofIn(path: string, json: string): Report {
  const read = readReport(json);
  if ("fault" in read) throw new Error(`${path}: ${read.fault}`);
  const report = read.value;
  const isExample = path.startsWith(`${EXAMPLE}/`);
  const name = `${isExample ? EXAMPLE : PROOFS}/${nameOf(report)}.json`;
  if (path !== name) throw new Error(`${path}: is to be called ${name}`);
  if (isExample !== (report.game.simulated === true))
    throw new Error(
      `${path}: ${isExample ? "is an example of a real game" : "is of a simulated game, and belongs into example"}`,
    );
  if (!isExample) {
    const missing = WHOLE.find(id => !report.answers.some(answer => answer.id === id));
    if (missing !== undefined) throw new Error(`${path}: is of no whole trial: ${missing} was not asked`);
  }
  const [leak] = leaksOf(report);
  if (leak !== undefined) throw new Error(`${path}: ${leak} names an address, a folder or the like`);
  return report;
}

/** The oldest game first. */
export const inOrder = (reports: readonly Report[]): Report[] =>
  reports.toSorted(
    (one, other) =>
      compare(one.game.version, other.game.version) || (one.game.platform < other.game.platform ? -1 : 1),
  );

function compare(one: string, other: string): number {
  const [left, right] = [one, other].map(version => version.split(/[.+-]/).map(Number));
  for (const [place, part] of (left ?? []).entries()) {
    const difference = part - (right?.[place] ?? -1);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return (left?.length ?? 0) - (right?.length ?? 0);
}
