import { execFileSync } from "node:child_process";
import { orElse } from "../cli/errno.ts";

let found: boolean | undefined;

/** Whether util-linux' `script` can give a program a terminal here: not without that, `stty`, or `/dev/pts`. */
export function hasTerminal(): boolean {
  found ??= orElse(() => {
    // It runs the command with this shell, which service users may not have.
    const env = { ...process.env, SHELL: "/bin/sh" };
    execFileSync("script", ["-qefc", "stty raw -echo", "/dev/null"], { env, stdio: "pipe", timeout: 5_000 });
    return true;
  }, false);
  return found;
}
