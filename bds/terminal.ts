import { execFileSync } from "node:child_process";
import { orElse } from "../cli/errno.ts";

let found: boolean | undefined;

/** Whether util-linux' `script` can give a program a terminal here: not without that, `stty`, or `/dev/pts`. */
export function hasTerminal(): boolean {
  found ??= orElse(() => {
    // It runs the command with this shell, which service users may not have.
    const env = { ...process.env, SHELL: "/bin/sh" };
    const [file, ...args] = inTerminal("stty raw -echo &&", ["true"]);
    execFileSync(file, args, { env, stdio: "pipe", timeout: 5_000 });
    return true;
  }, false);
  return found;
}

/**
 * The command that runs a program in a terminal.
 * @param before what sh runs there first, such as `stty`: before version 2.35, as in Ubuntu 20.04 and RHEL 8, `script` has no option
 *   for the terminal's modes
 * @param words the program and its arguments
 */
export function inTerminal(before: string, words: readonly string[]): [string, ...string[]] {
  const line = words.map(word => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return ["script", "-qefc", `${before} exec ${line}`, "/dev/null"];
}
