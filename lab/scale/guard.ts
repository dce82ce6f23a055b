import { spawn } from "node:child_process";

/** Its input ends when this process does, though it was killed. */
const SCRIPT = `while read -r pid; do last=$pid; done
[ -z "$last" ] || kill -KILL "$last"
rm -rf "$1"`;

export interface Guard {
  /** From now on this process is ended too, and no other. */
  watch(pid: number | undefined): void;
  /** Removes the folder and what is watched now. */
  end(): void;
}

/** Ends a process and removes a folder as soon as this process is gone, however it went. */
export function guard(folder: string): Guard {
  const shell = spawn("sh", ["-c", SCRIPT, "sh", folder], { stdio: ["pipe", "ignore", "ignore"] });
  const { stdin } = shell;
  shell.unref();
  // A shell that is gone guards nothing, and is no reason to end what it guarded.
  shell.on("error", () => undefined);
  stdin.on("error", () => undefined);
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return {
    watch: pid => stdin.write(`${pid ?? ""}\n`),
    end: () => stdin.end(),
  };
}
