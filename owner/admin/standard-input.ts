import { readFileSync } from "node:fs";
import { isatty } from "node:tty";

/** Reads standard input without its last line break. A secret there does not appear in a list of processes. */
export function fromInput(): string {
  if (isatty(0)) console.error("Type it, then Enter and Ctrl+D (on Windows Ctrl+Z and Enter):");
  return readFileSync(0, "utf8").replace(/\r?\n$/, "");
}
