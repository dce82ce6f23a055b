import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SidecarProcess } from "../scale/sidecar-process.ts";

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
export interface DemoProcess extends DemoSidecar {
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
  /** what is done in its folder ahead of the start */
  prepare?(folder: string): Promise<void>;
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
  prepare,
  say,
}: SidecarOptions): Promise<DemoProcess> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-demo-"));
  await prepare?.(folder);
  const sidecar = new SidecarProcess(program, folder, {
    WEB_BRIDGE_MODULES_API_PORT: `${ports.public}`,
    WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
    WEB_BRIDGE_MODULES_API_CORS_ORIGINS: panel,
    WEB_BRIDGE_MODULES_API_LINK_FORM: "chest",
    WEB_BRIDGE_MODULES_API_KNOWN_PLAYERS_SHOW: "everybody",
    WEB_BRIDGE_MODULES_WEB_FRAME_ORIGINS: panel,
    WEB_BRIDGE_MODULES_WEB_TITLE: "Demo server",
    WEB_BRIDGE_BRIDGE_PORT: `${ports.bridge}`,
    WEB_BRIDGE_BRIDGE_TOKEN: token,
    // There is no game server here: the figures are those of the process that plays it.
    WEB_BRIDGE_SERVER_PROCESS: `${process.pid}`,
    ...env,
  });
  sidecar.onError = say;
  sidecar.onLine = text => {
    const line: Record<string, unknown> = JSON.parse(text);
    // Where it listens the demo says itself; what a library has to say of this Node is nothing to whoever tries the demo.
    if (line.url !== undefined || line.notice !== undefined) return;
    if (line.level === "warn" || line.level === "error" || line.bridge) say(`${line.msg ?? text}`);
  };
  const started = sidecar.start();
  const ended = sidecar.ended.finally(() => rmSync(folder, { recursive: true, force: true }));
  await started;
  return {
    publicUrl: sidecar.urls.public,
    bridgeUrl: sidecar.urls.bridge,
    ...{ token, folder, ended },
    kill: () => void sidecar.kill(),
    async stop() {
      const timer = setTimeout(() => void sidecar.kill(), STOP_TIMEOUT_MS);
      await sidecar.terminate();
      clearTimeout(timer);
      await ended;
    },
  };
}
