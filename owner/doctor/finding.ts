import type { Fault } from "../bds/fault.ts";

/**
 * What a check says: fine; wrong, with what mends it; could not be looked at; or worth knowing and no fault.
 * Lines are for the owner of a server and never hold a secret.
 */
export type Finding = { id: string; state: "ok" | "skipped" | "note"; what: string } | Problem;
export type Problem = { id: string; state: "problem"; what: string; mend: string };

export const ok = (id: string, what: string): Finding => ({ id, state: "ok", what });
/** `mend` is a command, or the exact edit. */
export const problem = (id: string, what: string, mend: string): Problem => ({
  id,
  state: "problem",
  what,
  mend,
});
/** `what` names the thing and, after a colon, why. */
export const skipped = (id: string, what: string): Finding => ({ id, state: "skipped", what });
export const note = (id: string, what: string): Finding => ({ id, state: "note", what });

export const isProblem = (finding: Finding): finding is Problem => finding.state === "problem";

/** What mends a file that setup can make anew. */
export const mendOfFile = ({ isFolder }: Fault, setup: string): string =>
  isFolder ? `move it elsewhere, then: ${setup}` : `correct that place, or delete the file and: ${setup}`;

/** The lines for a terminal. */
export function linesOf(finding: Finding): string[] {
  const { state, what } = finding;
  if (isProblem(finding)) return [`!!  ${what}`, `    mend: ${finding.mend}`];
  return [state === "ok" ? `ok  ${what}` : `--  ${state}: ${what}`];
}

/** The form for scripts; `ok` is false for problems only. */
export const jsonOf = (finding: Finding): object => ({ ...finding, ok: finding.state !== "problem" });

/** The last line. */
export function summary(findings: readonly Finding[]): string {
  const count = findings.filter(isProblem).length;
  if (count === 0) return "Everything that could be looked at is right.";
  const are = count === 1 ? "There is 1 problem" : `There are ${count} problems`;
  return `${are}. Mend from the top, restart the server, and run doctor again.`;
}
