import { dirname } from "node:path";
import { isErrno, messageOf, ownMend, pathOf } from "../../cli/errno.ts";
import { type Finding, problem, skipped, type Verdict } from "./finding.ts";
import { asOwner } from "./fixes.ts";
import type { CheckedSidecar, DoctorOptions, DoctorSystem, Target } from "./target.ts";

/** What the checks of one run look at. */
export interface Context {
  asked: DoctorOptions;
  system: DoctorSystem;
  /** as the game server that is looked at has to do with it; undefined: its configuration cannot be used */
  sidecar: CheckedSidecar | undefined;
  /** undefined: the server's folder cannot be used */
  target: Target | undefined;
}

type Verdicts = readonly Verdict[] | Promise<readonly Verdict[]>;

/** One row of the table of checks. */
export interface Check {
  id: string;
  /** checks before it, of which each has to know that all is right: else this one is left out */
  needs: readonly string[];
  of: "server" | "sidecar";
  run(context: Context): Verdicts;
}

/** A check of the server's folder. */
export const serverCheck = (
  id: string,
  needs: readonly string[],
  run: (target: Target) => Verdicts,
): Check => ({
  id,
  needs: ["server-folder", ...needs],
  of: "server",
  run: ({ target }) => (target === undefined ? [] : run(target)),
});

/** A check of the sidecar, whichever of its game servers is looked at. */
export const sidecarCheck = (
  id: string,
  needs: readonly string[],
  run: (sidecar: CheckedSidecar, system: DoctorSystem) => Verdicts,
): Check => ({
  id,
  needs: ["config", ...needs],
  of: "sidecar",
  run: context => (context.sidecar === undefined ? [] : run(context.sidecar, context.system)),
});

/** A check of how the server fits the sidecar. */
export const pairCheck = (
  id: string,
  needs: readonly string[],
  run: (target: Target, sidecar: CheckedSidecar) => Verdicts,
): Check => ({
  ...serverCheck(id, ["config", ...needs], target =>
    target.sidecar === undefined ? [] : run(target, target.sidecar),
  ),
});

/** What a check found. */
export type CheckResult = Pick<Check, "of"> & { finding: Finding };

/** Runs the table from the top. What several checks say in the same words is said once. */
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
    const verdicts = await verdictsOf(run, of, context);
    if (verdicts.some(({ state }) => state === "problem" || state === "skipped")) unmet.add(id);
    for (const verdict of verdicts)
      if (!results.some(({ finding }) => finding.what === verdict.what))
        results.push({ of, finding: { id, ...verdict } });
  }
  if (left.length > 0) {
    const what = `not checked, as it depends on what is above: ${left.join(", ")}`;
    results.push({ of: "server", finding: { id: "left-out", ...skipped(what) } });
  }
  return results;
}

async function verdictsOf(run: Check["run"], of: Check["of"], context: Context): Promise<readonly Verdict[]> {
  try {
    return await run(context);
  } catch (error) {
    return [unreadable(error, of, context)];
  }
}

/** What is wrong with a file that a check could not read. Throws any other error. */
export function unreadable(
  error: unknown,
  of: Check["of"],
  asked: Pick<Context, "asked" | "system">,
): Verdict {
  const what = messageOf(error);
  const path = pathOf(error);
  if (isErrno(error, "EISDIR")) return problem(what, { text: "move it elsewhere" });
  if (isErrno(error, "EUNFIT", "ELOOP")) return problem(what, { text: "put what is expected there instead" });
  if (isErrno(error, "EBUSY", "EIO")) return problem(what, { text: `stop the ${of}, and run doctor again` });
  if (!isErrno(error, "EACCES", "EPERM")) throw error;
  if (of === "sidecar" && path !== undefined)
    return problem(what, asOwner(path, ownMend(dirname(path)), asked));
  return problem(what, { text: `run doctor as the user the ${of} runs as` });
}
