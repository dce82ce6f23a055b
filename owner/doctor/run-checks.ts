import { dirname } from "node:path";
import { chownCommand, isErrno, messageOf, pathOf } from "../../cli/errno.ts";
import { type Finding, problem, skipped, type Verdict } from "./finding.ts";
import { asOwner } from "./fixes.ts";
import type { CheckedSidecar, DoctorOptions, DoctorSystem, Target } from "./target.ts";

export interface Context {
  options: DoctorOptions;
  system: DoctorSystem;
  /** with name and token of the checked game server; undefined: the configuration cannot be used */
  sidecar: CheckedSidecar | undefined;
  /** undefined: the server's folder cannot be used */
  target: Target | undefined;
}

/** undefined: nothing to say */
export type Verdicts = Verdict | undefined | readonly (Verdict | undefined)[];

export interface Check {
  id: string;
  /** earlier checks that have to pass; else this one is left out */
  needs: readonly string[];
  of: "server" | "sidecar";
  run(context: Context): Verdicts | Promise<Verdicts>;
}

export type CheckResult = Pick<Check, "of"> & { finding: Finding };

/** Runs the table in its order. Equal findings of several checks are reported once. */
export async function runChecks(table: readonly Check[], context: Context): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const unmet = new Set<string>();
  const left: string[] = [];
  for (const { id, needs, of, run } of table) {
    if (needs.some(need => unmet.has(need))) {
      unmet.add(id);
      left.push(id);
      continue;
    }
    const verdicts = [await attempt(async () => run(context), of, context)].flat();
    for (const verdict of verdicts.filter(each => each !== undefined)) {
      if (verdict.state === "problem" || verdict.state === "skipped") unmet.add(id);
      if (!results.some(({ finding }) => finding.what === verdict.what))
        results.push({ of, finding: { id, ...verdict } });
    }
  }
  if (left.length > 0) {
    const checks = left.length === 1 ? "1 more check" : `${left.length} more checks`;
    const what = `${checks}. Fix the problems above first.`;
    results.push({ of: "server", finding: { id: "left-out", ...skipped(what) } });
  }
  return results;
}

/** The result, or a problem for a file that cannot be read. Throws any other error. */
export async function attempt<T>(
  act: () => Promise<T>,
  of: Check["of"],
  { options, system }: Pick<Context, "options" | "system">,
): Promise<T | Verdict> {
  try {
    return await act();
  } catch (error) {
    const what = messageOf(error);
    const path = pathOf(error);
    if (isErrno(error, "EISDIR")) return problem(what, "move it elsewhere");
    if (isErrno(error, "EUNFIT", "ELOOP")) return problem(what, "replace it with what is expected");
    if (isErrno(error, "EBUSY", "EIO")) return problem(what, `stop the ${of}, and run doctor again`);
    if (!isErrno(error, "EACCES", "EPERM")) throw error;
    if (of === "sidecar" && path !== undefined)
      return problem(what, asOwner(path, chownCommand(dirname(path)), options, system));
    return problem(what, `run doctor as the user the ${of} runs as`);
  }
}
