import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leaveNothing } from "./leftovers.ts";
import type { Meter } from "./roles/meter.ts";
import { Worker } from "./worker.ts";

export const TOKEN = "token-of-the-benchmarks-0123456789";
export const ADMIN_KEY = "admin-key-of-the-benchmarks";

/** Limits that a benchmark would run into: everything comes from one address. */
const ENVIRONMENT = {
  WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
  WEB_BRIDGE_MODULES_API_PORT: "0",
  WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
  WEB_BRIDGE_MODULES_API_LIMITS_REQUESTS_PER_MINUTE: "1000000",
  WEB_BRIDGE_MODULES_API_LIMITS_MESSAGES_PER_SECOND: "1000",
  WEB_BRIDGE_MODULES_API_LIMITS_MESSAGES_BURST: "1000",
  WEB_BRIDGE_MODULES_API_LIMITS_MESSAGES_PER_MINUTE_PER_ADDRESS: "1000000",
  WEB_BRIDGE_MODULES_API_LIMITS_CHAT_LINES_PER_SECOND: "10000",
  WEB_BRIDGE_MODULES_API_LIMITS_CHAT_LINES_BURST: "10000",
  WEB_BRIDGE_MODULES_API_LIMITS_LINK_REQUESTS_PER_MINUTE_PER_ADDRESS: "1000000",
  WEB_BRIDGE_MODULES_API_LIMITS_LINK_REQUESTS_PER_SECOND: "10000",
  WEB_BRIDGE_MODULES_API_LIMITS_LINK_REQUESTS_BURST: "10000",
  WEB_BRIDGE_BRIDGE_PORT: "0",
  WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
  WEB_BRIDGE_LOG_FORMAT: "json",
};

/** So that nothing but what is measured happens, where that is wanted. */
export const UNDISTURBED = {
  WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1h",
  WEB_BRIDGE_MODULES_API_HEARTBEAT_INTERVAL: "1h",
};

export interface SidecarProcess {
  worker: Worker<Meter>;
  /** `http://127.0.0.1:port` of the public listener */
  base: string;
  /** the same of the listener for the pack */
  bridge: string;
  end(): Promise<void>;
}

/** The built sidecar in a process of its own, with a data folder that goes with it. */
export async function startSidecarProcess(env: Record<string, string> = {}): Promise<SidecarProcess> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const forget = leaveNothing(remove);
  const args = ["--config", join(folder, "config.yml")];
  const worker = await Worker.start<Meter>("sidecar", args, { ...ENVIRONMENT, ...env });
  return {
    worker,
    base: await worker.line(line => urlOf(line, "public")),
    bridge: await worker.line(line => urlOf(line, "bridge")),
    async end() {
      await worker.end();
      remove();
      forget();
    },
  };
}

function urlOf(line: string, listener: string): string | undefined {
  const said: { listener?: unknown; url?: unknown } = line.startsWith("{") ? JSON.parse(line) : {};
  return said.listener === listener && typeof said.url === "string" ? said.url : undefined;
}
