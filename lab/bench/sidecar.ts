import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UNLIMITED } from "../scale/unlimited.ts";
import { leaveNothing } from "./leftovers.ts";
import type { Meter } from "./roles/meter.ts";
import { Worker } from "./worker.ts";

export const TOKEN = "token-of-the-benchmarks-0123456789";
export const ADMIN_KEY = "admin-key-of-the-benchmarks";

/** Free ports, and what a pack and an admin have to know. */
export const SETTINGS = {
  WEB_BRIDGE_MODULES_API_HOST: "127.0.0.1",
  WEB_BRIDGE_MODULES_API_PORT: "0",
  WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
  WEB_BRIDGE_BRIDGE_PORT: "0",
  WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
  WEB_BRIDGE_LOG_FORMAT: "json",
};

/** So that nothing but what is measured happens, where that is wanted. */
export const UNDISTURBED = {
  WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1h",
  WEB_BRIDGE_MODULES_API_HEARTBEAT_INTERVAL: "1h",
};

/** A site that asks who its visitors are, and keeps no secret. */
export const SITE = { id: "site", name: "Site", "redirect-uris": ["https://site.example/in"] };

/** Has it ask a sidecar whose public listener is at this port. */
export const signInAt = (port: number): Record<string, string> => ({
  WEB_BRIDGE_SIGN_IN_ENABLED: "true",
  WEB_BRIDGE_SIGN_IN_ISSUER: `http://127.0.0.1:${port}`,
  WEB_BRIDGE_SIGN_IN_CLIENTS: JSON.stringify([SITE]),
});

/** As `start.sh`, the units of systemd and the image have it. */
export const ARENAS = { MALLOC_ARENA_MAX: "1" };

export interface SidecarProcess {
  worker: Worker<Meter>;
  /** CPU that it has used so far, in microseconds */
  cpu(): Promise<number>;
  /** `http://127.0.0.1:port` of the public listener */
  base: string;
  /** the same of the listener for the pack */
  bridge: string;
  end(): Promise<void>;
}

/** The built sidecar in a process of its own, with a data folder that goes with it. */
export async function startSidecarProcess(
  env: Record<string, string> = {},
  limits: Readonly<Record<string, string>> = UNLIMITED,
): Promise<SidecarProcess> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-bench-"));
  const args = ["--config", join(folder, "config.yml")];
  let worker: Worker<Meter> | undefined;
  const end = leaveNothing(async () => {
    await worker?.end();
    rmSync(folder, { recursive: true, force: true });
  });
  worker = await Worker.start<Meter>("sidecar", args, { ...SETTINGS, ...limits, ...env });
  return {
    worker,
    cpu: cpuOf(worker),
    base: await worker.line(line => urlOf(line, "public")),
    bridge: await worker.line(line => urlOf(line, "bridge")),
    end,
  };
}

/** CPU time of the process of a role, in microseconds. */
export const cpuOf = (worker: { ask(name: "cpu", arg: undefined): Promise<number> }) => (): Promise<number> =>
  worker.ask("cpu", undefined);

function urlOf(line: string, listener: string): string | undefined {
  const said: { listener?: unknown; url?: unknown } = line.startsWith("{") ? JSON.parse(line) : {};
  return said.listener === listener && typeof said.url === "string" ? said.url : undefined;
}
