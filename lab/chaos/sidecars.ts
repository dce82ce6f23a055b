import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../cli/free-port.ts";
import { Balancer } from "../scale/balancer.ts";
import { SIDECAR } from "../scale/built.ts";
import { type RedisServer, startRedisServer } from "../scale/redis-server.ts";
import { SidecarProcess } from "../scale/sidecar-process.ts";
import { UNLIMITED } from "../scale/unlimited.ts";
import type { Journal } from "./journal.ts";

export const ADMIN_KEY = "admin-key-of-the-chaos";
export const TOKEN = "token-of-the-chaos-0123456789";

/** Time until a link request expires. */
export const VERIFICATION_MS = 6_000;

const ENVIRONMENT = {
  WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
  WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: ADMIN_KEY,
  WEB_BRIDGE_MODULES_API_METRICS_REFRESH_INTERVAL: "1s",
  WEB_BRIDGE_MODULES_API_VERIFICATION_TIMEOUT: `${VERIFICATION_MS}ms`,
  WEB_BRIDGE_MODULES_API_EVENTS_KEEP: "10000",
  WEB_BRIDGE_MODULES_API_LIMITS_LINK_COOL_DOWN: "0s",
  ...UNLIMITED,
};

/** One sidecar, or several that share the work. */
export interface Sidecars {
  processes: readonly SidecarProcess[];
  /** of several sidecars */
  redis: RedisServer | undefined;
  /** address for browsers and the pack, without a trailing slash */
  base: string;
  bridge: string;
  end(): Promise<void>;
}

/**
 * Starts one with file storage, or several with a Redis that loses no acknowledged change, behind balancers that distribute
 * requests in turn. @throws if several are requested and this machine has no Redis
 */
export async function startSidecars(count: number, journal: Journal): Promise<Sidecars> {
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-chaos-"));
  const redis =
    count > 1
      ? await startRedisServer({ settings: { appendonly: "yes", appendfsync: "always" } })
      : undefined;
  const processes: SidecarProcess[] = [];
  for (let i = 1; i <= count; i++) {
    const own = join(folder, `sidecar-${i}`);
    mkdirSync(own);
    const env: Record<string, string> = { ...ENVIRONMENT };
    if (redis) {
      env.WEB_BRIDGE_STORAGE_KIND = "redis";
      env.WEB_BRIDGE_STORAGE_URL = redis.url;
    }
    const process = new SidecarProcess(SIDECAR, own, env);
    // Ports that the system gives to no other process while the sidecar is down.
    process.urls.public = `http://127.0.0.1:${await freePort()}`;
    process.urls.bridge = `http://127.0.0.1:${await freePort()}`;
    process.onLine = line => {
      if (/unhandled rejection|promise was rejected|ended a connection/i.test(line)) journal.violation(line);
    };
    processes.push(process);
  }
  await Promise.all(processes.map(process => process.start()));
  const balanced = async (listener: "public" | "bridge"): Promise<Balancer | undefined> =>
    redis &&
    Balancer.open({ targets: processes.map(({ urls }, i) => ({ name: `${i}`, url: urls[listener] })) });
  const [front, back] = [await balanced("public"), await balanced("bridge")];
  return {
    ...{ processes, redis },
    base: front?.origin ?? processes[0]?.urls.public ?? "",
    bridge: back?.origin ?? processes[0]?.urls.bridge ?? "",
    async end() {
      await Promise.all([front?.close(), back?.close()]);
      await Promise.all(processes.map(process => process.kill()));
      await redis?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
