import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { examine } from "../doctor/examine.ts";
import { type Finding, isProblem } from "../doctor/finding.ts";
import { systemSurroundings } from "../doctor/system.ts";
import { type Change, stateOf } from "../setup/change.ts";
import { broken, held } from "./own.ts";
import type { Seen } from "./probe.ts";
import { BUSY, rested } from "./probes/say.ts";
import { withoutSettings } from "./side.ts";
import type { Stage } from "./stage.ts";

/** Most findings that are named at once. */
const MOST = 5;

/** What the doctor says where something did not answer or report in time. */
const LATE = /\banswers?\b|\bago\b/i;

/**
 * What the doctor says of another game on the machine, which the trial was begun beside: it has a network of its own then, or that
 * game came later. Whoever tries a game is not told that theirs is in the way of a copy.
 */
const BESIDE = "other-game";

const isWrong = (finding: Finding): boolean => isProblem(finding) && finding.id !== BESIDE;

/**
 * The doctor's whole check of the copy and of the sidecar beside it; once more after a pause where it has found something.
 * @param root folder of the repository, or of the archive
 */
export async function doctorSeen(stage: Stage, root: string): Promise<Seen> {
  const { folder, side, console } = stage;
  const around = { ...systemSurroundings(root), env: withoutSettings(process.env) };
  const { measured: findings } = await rested(
    { console },
    () => examine({ server: folder, config: side.config }, around),
    found => found.some(isWrong),
  );
  return judgedFindings(findings, stage);
}

/** What the doctor has found, in words that name no folder. */
export function judgedFindings(
  findings: readonly Finding[],
  { folder, side }: { folder: string; side: { folder: string } },
): Seen {
  const problems = findings.filter(isWrong);
  const fine = findings.filter(({ state }) => state === "ok").length;
  const notes = findings
    .filter(finding => finding.state === "note" || (isProblem(finding) && !isWrong(finding)))
    .map(({ id }) => id);
  if (problems.length === 0)
    return held(
      `${fine} checks are right${notes.length === 0 ? "" : `; worth knowing: ${notes.join(", ")}`}`,
    );
  const named = problems.slice(0, MOST).map(({ id, what }) => `${id}: ${what}`);
  const busy = problems.some(({ what }) => LATE.test(what)) ? `; ${BUSY}` : "";
  return broken(
    (named.join("; ") + busy).replaceAll(folder, "the copy").replaceAll(side.folder, "the sidecar's folder"),
  );
}

/**
 * Whether undo has given back what setup had changed. Of the world's level.dat it keeps what the game has written since, and the
 * experiments: nothing is compared there.
 */
export function undoSeen(changes: readonly Change[], { folder, side }: Stage): Seen {
  const compared = changes.filter(({ kind }) => kind !== "level");
  const wrong = compared.filter(
    ({ path, before }) => stateOf(existsSync(path) ? readFileSync(path) : undefined) !== stateOf(before),
  );
  if (wrong.length === 0) return held(`${compared.length} files are as they were before setup`);
  const nameOf = (path: string): string =>
    path.startsWith(folder) ? relative(folder, path) : `the sidecar's ${relative(side.folder, path)}`;
  const names = wrong.map(({ path }) => nameOf(path).replaceAll("\\", "/"));
  return broken(`not as before: ${names.slice(0, MOST).join(", ")}`);
}

/** Whether the sidecar says that a pack is connected and has reported lately. */
export async function isConnected(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return status === 200;
  } catch {
    return false;
  }
}
