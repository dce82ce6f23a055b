import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MODERATOR_SCOPES } from "../../shared/public/words.ts";
import { SidecarProcess } from "../scale/sidecar-process.ts";

/** The admin key of the demo. It is printed and valid nowhere else, and long enough to cause no warning. */
export const ADMIN_KEY = "key-of-the-demo-only";
/** The player who moderates by a linked browser. */
const MODERATOR = "Steve";

const STOP_TIMEOUT_MS = 8_000;

export interface DemoSidecar {
  publicUrl: string;
  bridgeUrl: string;
  token: string;
  /** folder of the demo's files, which `stop` deletes */
  folder: string;
  /** resolves with the exit code when the process has ended, for any reason */
  ended: Promise<number>;
  stop(): Promise<void>;
}

/** A sidecar process. */
export interface DemoProcess extends DemoSidecar {
  /** Kills it, as in a crash. */
  kill(): void;
}

interface SidecarOptions {
  /** the built sidecar */
  program: string;
  /** 0 for any free one */
  ports: { public: number; bridge: number };
  /** origin of the page that frames the web console and whose pages can call the service */
  panel: string;
  token: string;
  /** further settings */
  env?: Record<string, string>;
  /** Prepares its folder before the start. */
  prepare?(folder: string): Promise<void>;
  say(line: string): void;
}

/**
 * Starts the built sidecar in its own process.
 * @throws when it ends before it listens; its log lines have gone to `say`
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
    WEB_BRIDGE_MODULES_API_MODERATORS: JSON.stringify([{ player: MODERATOR, scopes: MODERATOR_SCOPES }]),
    WEB_BRIDGE_MODULES_WEB_FRAME_ORIGINS: panel,
    WEB_BRIDGE_MODULES_WEB_TITLE: "Demo server",
    WEB_BRIDGE_BRIDGE_PORT: `${ports.bridge}`,
    WEB_BRIDGE_BRIDGE_TOKEN: token,
    // There is no real game server: the figures are those of this process.
    WEB_BRIDGE_SERVER_PROCESS: `${process.pid}`,
    ...env,
  });
  sidecar.onError = say;
  sidecar.onLine = text => {
    const line: Record<string, unknown> = JSON.parse(text);
    // The demo prints the addresses itself; notices of libraries about the version of Node do not matter here.
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
