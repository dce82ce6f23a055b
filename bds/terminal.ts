import { execFileSync } from "node:child_process";
import { orElse } from "../cli/errno.ts";

let found: boolean | undefined;

/** Whether this system has util-linux' `script`, which gives a program a terminal. */
export function hasTerminal(): boolean {
  found ??= orElse(
    () =>
      /util-linux/.test(
        execFileSync("script", ["--version"], { encoding: "utf8", stdio: "pipe", timeout: 5_000 }),
      ),
    false,
  );
  return found;
}
