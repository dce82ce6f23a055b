import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, fstatSync, openSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, orElse } from "../../cli/errno.ts";
import { RUN_BY_LAUNCH, UNDER_LAUNCH } from "../../cli/launch-channel.ts";
import { RUN_BY } from "../../cli/variables.ts";
import type { ProcessEnd, SidecarProcess } from "./sidecar.ts";

const STDERR = 2;

/**
 * Starts the sidecar. It writes to the standard error of this process, and ends when this process does.
 * @param root folder of the archive or the repository
 * @param config its configuration
 */
export function startSidecarProcess(
  root: string,
  config: string,
  onReading: () => void,
  onEnd: (end: ProcessEnd) => void,
): SidecarProcess {
  const options = [`--${UNDER_LAUNCH}`, "--config", config];
  let child: ChildProcess;
  const output = openOutput();
  try {
    child = spawn(process.execPath, [join(root, "dist/sidecar/main.js"), ...options], {
      stdio: ["ignore", output, output, "ipc"],
      // Otherwise glibc keeps free memory for each thread: 3 MB of this program's 72.
      env: { [RUN_BY]: RUN_BY_LAUNCH, MALLOC_ARENA_MAX: "1", ...process.env },
      windowsHide: true,
      // Ctrl+C of the terminal is for `launch`. On Windows a process without a window does not get it.
      detached: process.platform !== "win32",
    });
  } catch (error) {
    queueMicrotask(() => onEnd({ code: null, signal: null, error: messageOf(error) }));
    return { send: () => undefined, kill: () => undefined };
  } finally {
    if (output !== STDERR) closeSync(output);
  }
  let hasEnded = false;
  const end = (reason: ProcessEnd): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd(reason);
  };
  child.on("error", error => {
    // Messages to a process that is ending fail too.
    if (child.pid === undefined) end({ code: null, signal: null, error: error.message });
  });
  child.on("exit", (code, signal) => end({ code, signal }));
  child.on("message", onReading);
  return {
    send(message) {
      if (child.connected) child.send(message, () => undefined);
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

/**
 * A descriptor for the standard error. A pipe is opened again: where it is the standard output too, as with `2>&1 |`, a child that
 * has it makes it blocking, and this process would wait for a reader that has stopped reading.
 */
function openOutput(): number {
  const { O_WRONLY, O_NONBLOCK } = constants;
  const open = (): number =>
    fstatSync(STDERR).isFIFO() ? openSync("/proc/self/fd/2", O_WRONLY | O_NONBLOCK) : STDERR;
  return orElse(open, STDERR);
}

/** Changes when a file changes, or who may use it. @param path may be missing */
export function fileState(path: string): string {
  const usersOf = ({ mode, uid, gid }: Stats): string => `${mode} ${uid} ${gid}`;
  return orElse(
    () => {
      const stats = statSync(path);
      return `${stats.mtimeMs} ${stats.size} ${stats.ino} ${usersOf(stats)}`;
    },
    // The sidecar may not be allowed to create it.
    orElse(() => usersOf(statSync(dirname(path))), "missing"),
  );
}
