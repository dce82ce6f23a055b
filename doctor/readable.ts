import { dirname } from "node:path";
import { Mendable } from "../bds/way.ts";
import { isErrno, messageOf, ownMend, pathOf } from "../cli/errno.ts";
import { type Finding, problem } from "./finding.ts";

/** What could not be read. */
export interface Unreadable {
  finding: Finding;
}

/** What else goes to a user with a path, for one command to be enough. */
type With = (path: string) => string[];

/**
 * Does something that reads files; one that may not be read is a problem of its own.
 * @param whole of the sidecar's: what its user is to be given where a path is another's, as after one start with sudo
 */
export function readable<T>(
  side: "server" | "sidecar",
  look: () => T,
  whole: With = path => [dirname(path)],
): T | Unreadable {
  try {
    return look();
  } catch (error) {
    if (error instanceof Mendable) return { finding: problem("readable", error.what, error.mend) };
    const what = messageOf(error);
    if (isErrno(error, "EOUTSIDE", "EUNFIT"))
      return { finding: problem("readable", what, "put what is expected in its place") };
    if (isErrno(error, "EISDIR")) return { finding: problem("readable", what, "move it elsewhere") };
    if (!isErrno(error, "EACCES", "EPERM", "EBUSY", "EIO", "ELOOP")) throw error;
    const path = pathOf(error);
    const own =
      side === "sidecar" && path !== undefined && isErrno(error, "EACCES", "EPERM")
        ? ownMend(...whole(path))
        : undefined;
    if (own !== undefined)
      return {
        finding: problem(
          "readable",
          what,
          `${own}  (when this user runs the sidecar; else run doctor as its user)`,
        ),
      };
    const busy = isErrno(error, "EBUSY") ? ", while that is stopped" : "";
    return { finding: problem("readable", what, `run doctor as the user the ${side} runs as${busy}`) };
  }
}

/** The same for a group of checks. */
export function looked(side: "server" | "sidecar", look: () => Finding[]): Finding[] {
  const findings = readable(side, look);
  return Array.isArray(findings) ? findings : [findings.finding];
}
