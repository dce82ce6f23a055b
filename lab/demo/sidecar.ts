import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The key of the whitelist in the demo; printed, of no use anywhere else, and long enough that nobody is warned of it. */
export const ADMIN_KEY = "key-of-the-demo-only";

const STOP_TIMEOUT_MS = 8_000;

export interface DemoSidecar {
  publicUrl: string;
  bridgeUrl: string;
  token: string;
  /** where the demo keeps its files; gone after `stop` */
  folder: string;
  /** resolves with the exit code when the process has ended, wanted or not */
  ended: Promise<number>;
  stop(): Promise<void>;
}

/** A sidecar in a process. */
export interface SidecarProcess extends DemoSidecar {
  /** Ends it as a crash does. */
  kill(): void;
}

interface SidecarOptions {
  /** the built sidecar */
  program: string;
  /** of the listeners; 0 for any free one */
  ports: { public: number; bridge: number };
  /** origin of the page that shows the console in a frame and whose pages may call */
  panel: string;
  token: string;
  /** further settings */
  env?: Record<string, string>;
  say(line: string): void;
}

/**
 * Starts the built sidecar in a process of its own.
 * @throws when it ends before it listens; what it said on the way has gone to `say`.
 */
export async function startDemoSidecar({
  program,
  ports,
  panel,
  token,
  env = {},
  say,
}: SidecarOptions): Promise<SidecarProcess> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-demo-"));
  const child = spawn(process.execPath, [program, "--config", join(folder, "config.yml")], {
    env: {
      ...process.env,
      WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
      WEB_BRIDGE_MODULES_API_PORT: `${ports.public}`,
      WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
      WEB_BRIDGE_MODULES_API_CORS_ORIGINS: panel,
      WEB_BRIDGE_MODULES_API_LINK_FORM: "chest",
      WEB_BRIDGE_MODULES_WEB_FRAME_ORIGINS: panel,
      WEB_BRIDGE_MODULES_WEB_TITLE: "Demo server",
      WEB_BRIDGE_BRIDGE_PORT: `${ports.bridge}`,
      WEB_BRIDGE_BRIDGE_TOKEN: token,
      // There is no game server here: the figures are those of the process that plays it.
      WEB_BRIDGE_SERVER_PROCESS: `${process.pid}`,
      WEB_BRIDGE_LOG_FORMAT: "json",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number>(resolve => child.once("exit", code => resolve(code ?? 1)));
  void ended.then(() => rmSync(folder, { recursive: true, force: true }));
  createInterface({ input: child.stderr }).on("line", say);
  const [publicUrl, bridgeUrl] = await addresses(child, ended, say);
  return {
    publicUrl,
    bridgeUrl,
    token,
    folder,
    ended,
    kill: () => void child.kill("SIGKILL"),
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Reads the log of the sidecar: the addresses of its listeners, and after that what somebody should know. */
function addresses(
  child: ChildProcess,
  ended: Promise<number>,
  say: (line: string) => void,
): Promise<[publicUrl: string, bridgeUrl: string]> {
  return new Promise((resolve, reject) => {
    const urls = new Map<unknown, string>();
    void ended.then(code => reject(new Error(`the sidecar ended with code ${code}`)));
    if (!child.stdout) return reject(new Error("the sidecar has no output"));
    createInterface({ input: child.stdout }).on("line", text => {
      const line = readLine(text);
      if (typeof line.url === "string") urls.set(line.listener, line.url);
      else if (line.level === "warn" || line.level === "error" || line.bridge) say(`${line.msg ?? text}`);
      const [publicUrl, bridgeUrl] = [urls.get("public"), urls.get("bridge")];
      if (publicUrl && bridgeUrl) resolve([publicUrl, bridgeUrl]);
    });
  });
}

function readLine(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
