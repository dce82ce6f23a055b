/** How a problem is fixed: in words, by one command for a shell, or by both together. */
export interface Fix {
  text?: string | undefined;
  /** can be pasted as it is; with `-` the program reads the value from standard input */
  command?: string | undefined;
}

/** The result of a check. Lines are for the owner and contain no secrets. */
export type Verdict =
  | { state: "ok" | "note" | "skipped"; what: string }
  | { state: "problem"; what: string; fix: Fix };
/** A verdict with the id of its check. */
export type Finding = { id: string } & Verdict;
export type Problem = Extract<Finding, { state: "problem" }>;

export const ok = (what: string): Verdict => ({ state: "ok", what });
export const note = (what: string): Verdict => ({ state: "note", what });
/** `what` names the thing and, after a colon, why it could not be checked. */
export const skipped = (what: string): Verdict => ({ state: "skipped", what });
/** A fix that is a text has no command. */
export const problem = (what: string, fix: Fix | string): Verdict => ({
  state: "problem",
  what,
  fix: typeof fix === "string" ? { text: fix } : fix,
});

export const isProblem = (finding: Finding): finding is Problem => finding.state === "problem";

export const isSkipped = ({ state }: Finding): boolean => state === "skipped";

const LABELS = { ok: "ok  ", note: "--  note: ", skipped: "--  not checked: " };

export function linesOf(finding: Finding): string[] {
  const { state, what } = finding;
  if (state !== "problem") return [`${LABELS[state]}${what}`];
  const { text, command } = finding.fix;
  const lines = [`!!  ${what}`];
  if (text !== undefined) lines.push(`    fix: ${text}`);
  if (command !== undefined) lines.push(`    run: ${command}`);
  return lines;
}

/** The form for scripts; `ok` is false for problems only. */
export const jsonOf = (finding: Finding): object => ({ ...finding, ok: finding.state !== "problem" });

/** Id of the check that needs a running game server. */
export const PACK_CONNECTED = "pack-connected";

export function summary(findings: readonly Finding[]): string {
  const count = findings.filter(isProblem).length;
  if (count > 0) {
    const are =
      count === 1 ? "There is 1 problem. Fix it" : `There are ${count} problems. Fix these in order`;
    return `${are}, restart the game server, then run doctor again.`;
  }
  const skipped = findings.filter(isSkipped);
  if (skipped.some(({ id }) => id === PACK_CONNECTED))
    return "The game server is not running: not checked whether the add-on connects. Start it, then run doctor again.";
  return skipped.length > 0
    ? 'No problems found, but not everything was checked: see the lines with "not checked".'
    : "No problems found.";
}
