import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pidusage from "pidusage";
import { SIDECAR } from "../scale/built.ts";
import { SidecarProcess } from "../scale/sidecar-process.ts";

export const TOKEN = "token-of-the-bench-0123456789";

/** This program, which also runs as its child processes. */
const SELF = fileURLToPath(import.meta.url);

/** As in `start.sh`, the systemd units and the image. */
const ARENAS = { MALLOC_ARENA_MAX: "1" };

const cleanups: (() => unknown)[] = [];

/** Calls a function after the benchmark. */
export const afterRow = (clean: () => unknown): void => void cleanups.push(clean);

/** Stops everything that the benchmark has started. */
export async function cleanUp(): Promise<void> {
  for (const clean of cleanups.splice(0).reverse()) await clean();
}

/** A folder that is removed after the benchmark. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-"));
  afterRow(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server process. */
interface ServerProcess {
  /** `http://127.0.0.1:port` */
  base: string;
  pid: number;
}

/** Starts the built sidecar. `folder`: of its storage. */
export async function startSidecar(
  env: Readonly<Record<string, string>> = {},
  folder = temporaryFolder(),
): Promise<ServerProcess & { bridge: string }> {
  const sidecar = new SidecarProcess(SIDECAR, folder, { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN, ...ARENAS, ...env });
  afterRow(() => sidecar.kill());
  await sidecar.start();
  return { base: sidecar.urls.public, bridge: sidecar.urls.bridge, pid: sidecar.pid ?? 0 };
}

/** Starts this program as a child process (see `main.ts`), which reports the port where it listens, or 0. */
export async function startPart(part: string, ...args: string[]): Promise<ServerProcess> {
  const child = fork(SELF, [part, ...args]);
  afterRow(() => child.kill("SIGKILL"));
  const [port] = await once(child, "message");
  return { base: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
}

/** CPU time of a process for each of the operations of `work`, in microseconds; the total has a resolution of 10 ms. */
export async function cpuOfEach(pid: number, count: number, work: () => Promise<unknown>): Promise<number> {
  const cpuMs = async (): Promise<number> => (await pidusage(pid)).ctime;
  const before = await cpuMs();
  await work();
  return (((await cpuMs()) - before) * 1_000) / count;
}
