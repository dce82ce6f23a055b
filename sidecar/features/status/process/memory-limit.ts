import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname, join, normalize } from "node:path";

/** Linux folders of processes and control groups. */
interface SystemFolders {
  proc: string;
  cgroup: string;
}

const FOLDERS: SystemFolders = { proc: "/proc", cgroup: "/sys/fs/cgroup" };

/** Memory that a process may use, in bytes: the limit of its control groups, or the machine's memory. */
export async function memoryLimit(pid: number, machine = totalmem(), folders = FOLDERS): Promise<number> {
  const groups = await read(join(folders.proc, String(pid), "cgroup"));
  const limits = await Promise.all(limitFiles(groups ?? "", folders.cgroup).map(readLimit));
  return Math.min(machine, ...limits);
}

/** All files that may limit a process in these groups: a group is also limited by its ancestors. */
export function limitFiles(groups: string, root: string): string[] {
  return groups.split("\n").flatMap(line => {
    const [, controllers, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    if (controllers === "") return upwards(path).map(each => join(root, each, "memory.max"));
    if (!controllers.split(",").includes("memory")) return [];
    return upwards(path).map(each => join(root, "memory", each, "memory.limit_in_bytes"));
  });
}

/** A path and its ancestors. A path outside this container's view is cut off at its root. */
function upwards(path: string): string[] {
  const whole = normalize(join("/", path));
  const above = dirname(whole);
  return above === whole ? [whole] : [whole, ...upwards(above)];
}

async function readLimit(file: string): Promise<number> {
  const text = (await read(file))?.trim() ?? "";
  return /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : Number.POSITIVE_INFINITY;
}

const read = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined);
