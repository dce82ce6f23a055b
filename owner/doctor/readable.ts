import { dirname } from "node:path";
import { isErrno, messageOf, ownMend, pathOf } from "../../cli/errno.ts";
import { type Finding, problem } from "./finding.ts";

/** What could not be read. */
export interface Unreadable {
  finding: Finding;
}

/** The sidecar's files, where a path is another user's. */
interface Theirs {
  /** what a user is to be given with a path, for one command to be enough */
  whole(path: string): string[];
  /** what mends it, of the path and the command that gives this user all that */
  mend(path: string, own: string): string;
}

/** Does something that reads files; one that may not be read is a problem of its own. */
export function readable<T>(side: "server" | "sidecar", look: () => T, theirs?: Theirs): T | Unreadable {
  try {
    return look();
  } catch (error) {
    const what = messageOf(error);
    if (isErrno(error, "EUNFIT"))
      return { finding: problem("readable", what, "put what is expected in its place") };
    if (isErrno(error, "EISDIR")) return { finding: problem("readable", what, "move it elsewhere") };
    if (!isErrno(error, "EACCES", "EPERM", "EBUSY", "EIO", "ELOOP")) throw error;
    const path = pathOf(error);
    const isDenied = side === "sidecar" && path !== undefined && isErrno(error, "EACCES", "EPERM");
    const own = isDenied ? ownMend(...(theirs?.whole(path) ?? [dirname(path)])) : undefined;
    if (isDenied && own !== undefined && theirs !== undefined)
      return { finding: problem("readable", what, theirs.mend(path, own)) };
    const busy = isErrno(error, "EBUSY") ? ", while that is stopped" : "";
    const only = own === undefined ? "" : `; only when this user is to run it instead: ${own}`;
    return { finding: problem("readable", what, `run doctor as the user the ${side} runs as${busy}${only}`) };
  }
}

/** The same for a group of checks. */
export function looked(side: "server" | "sidecar", look: () => Finding[]): Finding[] {
  const findings = readable(side, look);
  return Array.isArray(findings) ? findings : [findings.finding];
}
