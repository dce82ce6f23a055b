import { spawn } from "node:child_process";

/** Its input is closed when this process ends, even by a kill. */
const SCRIPT = `while read -r pid; do last=$pid; done
[ -z "$last" ] || kill -KILL "$last"
rm -rf "$1"`;

export interface Guard {
  /** Watches another process, instead of the previous one. */
  watch(pid: number | undefined): void;
  /** Removes the folder and the watched process. */
  end(): void;
}

/** Kills a process and removes a folder when this process ends, for any reason. */
export function guard(folder: string): Guard {
  const shell = spawn("sh", ["-c", SCRIPT, "sh", folder], { stdio: ["pipe", "ignore", "ignore"] });
  const { stdin } = shell;
  shell.unref();
  // If the shell fails, nothing is watched; that is no reason to stop the watched process.
  shell.on("error", () => undefined);
  stdin.on("error", () => undefined);
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return {
    watch: pid => stdin.write(`${pid ?? ""}\n`),
    end: () => stdin.end(),
  };
}
