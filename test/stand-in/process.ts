import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "@jest/globals";
import type { Given } from "../../lab/stand-in/deviations.ts";
import { makeStandIn } from "../../lab/stand-in/folder.ts";
import { isFault } from "../../owner/bds/fault.ts";
import { enableBetaApis } from "../../owner/bds/level-dat.ts";

// Own connections: asks the system for free ports.

const running = new Set<ChildProcess>();
const folders: string[] = [];

const ends: (() => unknown)[] = [];

/** Does this after the test, before its folders are removed; the last one first. */
export const atEnd = (end: () => unknown): void => void ends.push(end);

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await Promise.all([...running].map(killed));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function killed(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

export interface Made {
  readonly folder: string;
  readonly port: number;
}

/** The folder of a stand-in with free ports, offline, whose scripts are heard on the console. */
export async function makeFolder(deviations: readonly Given[] = []): Promise<Made> {
  const folder = mkdtempSync(join(tmpdir(), "stand in "));
  folders.push(folder);
  await makeStandIn(folder, deviations);
  const [port, udp] = [await freePort(), await freePort()];
  const path = join(folder, "server.properties");
  const properties = readFileSync(path, "utf8")
    .replace(/^server-port=.*$/m, `server-port=${port}`)
    .replace(/^server-udp-ports=.*$/m, `server-udp-ports=${udp}`)
    .replace("online-mode=true", "online-mode=false")
    .replace("allow-list=true", "allow-list=false");
  writeFileSync(path, properties);
  appendFileSync(path, "content-log-console-output-enabled=true\n");
  return { folder, port };
}

const PACK = "aaaaaaaa-0000-4000-8000-000000000001";
const MODULES = ["server", "server-ui", "server-net", "server-admin", "server-gametest"].map(
  name => `@minecraft/${name}`,
);

/** Puts a pack with this script into a server that has a world, as setup does. `net`: what requests are held to */
export function install({ folder }: Pick<Made, "folder">, script: string, net: object = {}): void {
  const world = join(folder, "worlds/Bedrock level");
  const put = (path: string, content: object | string): void => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content));
  };
  const level = enableBetaApis(readFileSync(join(world, "level.dat")));
  if (isFault(level)) throw new Error(level.fault);
  writeFileSync(join(world, "level.dat"), level.bytes);
  put("worlds/Bedrock level/world_behavior_packs.json", [{ pack_id: PACK, version: [1, 0, 0] }]);
  put("config/default/permissions.json", {
    allowed_modules: MODULES,
    module_permissions: { "@minecraft/server-net": net },
  });
  put("behavior_packs/test/scripts/main.js", script);
  put("behavior_packs/test/manifest.json", {
    format_version: 2,
    header: { name: "Test", uuid: PACK, version: [1, 0, 0] },
    modules: [{ type: "script", uuid: PACK.replace("a", "b"), version: [1, 0, 0], entry: "scripts/main.js" }],
    dependencies: MODULES.map(module_name => ({ module_name, version: "beta" })),
  });
}

interface Process {
  readonly pid: number;
  /** lines of the console without their stamps */
  readonly lines: readonly string[];
  type(line: string): void;
  /** The first line from place `since` on that fits; rejects when the process ends without. */
  line(pattern: RegExp, since?: number): Promise<string>;
  kill(): Promise<void>;
  /** exit code, or the signal that ended it */
  readonly ended: Promise<number | string>;
}

/** Starts what is in a folder as a server is started. */
export function start({ folder }: Pick<Made, "folder">): Process {
  const child = spawn("./bedrock_server", [], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  running.add(child);
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let isOver = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.map(line => line.replace(/^\[[^\]]*\] /, "")));
    for (const look of waiting) look();
  });
  const ended = new Promise<number | string>(resolve => {
    child.on("close", (code, signal) => {
      isOver = true;
      running.delete(child);
      for (const look of waiting) look();
      resolve(signal ?? code ?? "");
    });
  });
  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    type: line => void child.stdin.write(`${line}\n`),
    line: (pattern, since = 0) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.slice(since).find(line => pattern.test(line));
          if (found !== undefined) resolve(found);
          else if (isOver) reject(new Error(`it ended without ${pattern}:\n${lines.join("\n")}`));
          else return void waiting.add(look);
          waiting.delete(look);
        };
        look();
      }),
    async kill() {
      await killed(child);
      await ended;
    },
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().listen(0, () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === "object" && address) resolve(address.port);
        else reject(new Error("no port"));
      });
    });
  });
