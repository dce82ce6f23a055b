import { readFileSync, statSync } from "node:fs";
import { EXIT } from "../../cli/arguments.ts";
import { reasonOf } from "../../cli/errno.ts";
import { printable } from "../../cli/printable.ts";
import { comparedLines } from "./report/compare.ts";
import type { Asking } from "./report/lines.ts";
import { readReport } from "./report/read.ts";
import { of } from "./report/words.ts";
import type { Report } from "./report.ts";

/** Most bytes of a file that is read. */
const LARGEST = 4_000_000;

/**
 * Says what the report in a file proves of the lines of FIDELITY.md, which finds no server and starts nothing.
 * @param probes those of this build: they tell which lines an answer is about
 * @returns the exit code: 1 where a promise did not hold, 2 where the file is no report
 */
export function readProof(
  path: string,
  probes: readonly Asking[],
  say: (line: string) => void,
  complain: (line: string) => void,
): number {
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new Error("it is no file");
    if (found.size > LARGEST) throw new Error(`it is larger than ${LARGEST} bytes`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    complain(printable(`${path}: ${reasonOf(error)}`));
    return EXIT.misused;
  }
  const read = readReport(text);
  if ("fault" in read) {
    complain(printable(`${path}: ${read.fault}`));
    return EXIT.misused;
  }
  for (const line of comparedLines(read.value, probes)) say(line);
  return exitOf(read.value);
}

/** The exit code for a report: where only something is otherwise that the product does not need, all went well. */
export const exitOf = (report: Report): number => (of(report, "broken").length > 0 ? EXIT.failed : EXIT.done);
