import { Mendable } from "../bds/way.ts";
import { isErrno, messageOf } from "../cli/errno.ts";
import { type Finding, problem } from "./finding.ts";

/** What could not be read. */
export interface Unreadable {
  finding: Finding;
}

/** Does something that reads files; one that may not be read is a problem of its own. */
export function readable<T>(side: "server" | "sidecar", look: () => T): T | Unreadable {
  try {
    return look();
  } catch (error) {
    if (error instanceof Mendable) return { finding: problem("readable", error.what, error.mend) };
    const what = messageOf(error);
    if (isErrno(error, "EOUTSIDE", "EUNFIT"))
      return { finding: problem("readable", what, "put what is expected in its place") };
    if (!isErrno(error, "EACCES", "EPERM", "EBUSY", "EIO", "ELOOP", "EISDIR")) throw error;
    const busy = isErrno(error, "EBUSY") ? ", while that is stopped" : "";
    return { finding: problem("readable", what, `run doctor as the user the ${side} runs as${busy}`) };
  }
}

/** The same for a group of checks. */
export function looked(side: "server" | "sidecar", look: () => Finding[]): Finding[] {
  const findings = readable(side, look);
  return Array.isArray(findings) ? findings : [findings.finding];
}
