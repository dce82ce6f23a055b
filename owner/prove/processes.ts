import { execFile } from "node:child_process";
import { sep } from "node:path";
import { systemSigns } from "../bds/system.ts";

/** How long a program of the system may take, in milliseconds. */
const SYSTEM_MS = 20_000;

/** What the system tells of processes, and how they are ended. */
export interface Processes {
  /** numbers of the processes that were started from a folder, or in it; never this one */
  within(folder: string): Promise<number[]>;
  /** Ends them at once. Those that have ended are fine. */
  kill(pids: readonly number[]): Promise<void>;
  /** Whether a process is there. */
  isAlive(pid: number): boolean;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Linux: by where the program lies, and where it was started. */
export const linuxProcesses: Processes = {
  async within(folder) {
    const home = systemSigns.realPath(folder);
    const isWithin = (path: string | undefined): boolean =>
      path !== undefined && (path === home || path.startsWith(home + sep));
    return systemSigns
      .pids()
      .filter(pid => pid !== process.pid)
      .filter(pid => (["cwd", "exe"] as const).some(what => isWithin(systemSigns.linkOf(pid, what))));
  },
  async kill(pids) {
    for (const pid of pids) quietly(() => process.kill(pid, "SIGKILL"));
  },
  isAlive,
};

/** What Windows prints for each process: number, path of the program and command, with a tab between. */
const LIST =
  'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId)`t$($_.ExecutablePath)`t$($_.CommandLine)" }';

/** The processes of such a list whose program lies in a folder, or whose command names it. */
export function windowsPidsIn(list: string, folder: string): number[] {
  const home = folder.toLowerCase();
  return list.split(/\r?\n/).flatMap(line => {
    const [pid = "", program = "", command = ""] = line.split("\t");
    const isWithin =
      program.toLowerCase().startsWith(`${home}\\`) || command.toLowerCase().includes(`${home}\\`);
    return /^\d+$/.test(pid) && Number(pid) !== process.pid && isWithin ? [Number(pid)] : [];
  });
}

/** Windows knows no folder of a process that others may see: by its program and its command. */
const windowsProcesses: Processes = {
  within: async folder =>
    windowsPidsIn(
      await output("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", LIST]),
      folder,
    ),
  async kill(pids) {
    for (const pid of pids) await output("taskkill.exe", ["/PID", String(pid), "/T", "/F"]);
  },
  isAlive,
};

export const systemProcesses: Processes = process.platform === "win32" ? windowsProcesses : linuxProcesses;

/** What a program of the system prints; nothing when it fails or takes too long. */
const output = (program: string, args: readonly string[]): Promise<string> =>
  new Promise(resolve => {
    execFile(
      program,
      args,
      { timeout: SYSTEM_MS, windowsHide: true, maxBuffer: 16 * 1024 ** 2 },
      (error, out) => resolve(error === null ? out : ""),
    );
  });

function quietly(act: () => unknown): void {
  try {
    act();
  } catch {
    // It has ended.
  }
}
