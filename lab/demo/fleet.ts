import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../cli/errno.ts";
import { freePort } from "../../cli/free-port.ts";
import { PATHS } from "../../shared/frames.ts";
import { Balancer } from "../scale/balancer.ts";
import { findRedisServer, type RedisServer, startRedisServer } from "../scale/redis-server.ts";
import { rememberInRedis } from "./known.ts";
import type { Fleet, SidecarView } from "./panel/protocol.ts";
import { type DemoProcess, type DemoSidecar, startDemoSidecar } from "./sidecar.ts";

/** Time until a killed sidecar is started again, in milliseconds. */
const AWAY_MS = 3_000;
const LAST = 3;

export const NO_REDIS =
  "--sidecars needs redis-server or valkey-server: install it (apt install redis-server, brew install redis), or name its path in REDIS_SERVER";

/** The default demo has one sidecar and needs no Redis. */
export const hasRedis = (): boolean => findRedisServer() !== undefined;

interface FleetSidecar {
  readonly view: SidecarView;
  readonly ports: { public: number; bridge: number };
  process?: DemoProcess;
  timer?: NodeJS.Timeout;
}

interface DemoFleet extends DemoSidecar {
  fleet: Fleet;
}

/**
 * Starts a Redis, this many sidecars that use it, and a balancer in front of each listener; the public one
 * at `port`, 0 for any free one. A sidecar that ends is started again after a few seconds.
 * @throws when one of them cannot be started
 */
export async function startDemoFleet({
  program,
  count,
  port,
  panel,
  env,
  say,
}: {
  program: string;
  count: number;
  port: number;
  panel: string;
  /** further settings of each sidecar */
  env: Record<string, string>;
  say(line: string): void;
}): Promise<DemoFleet> {
  const token = randomBytes(24).toString("base64url");
  const folder = mkdtempSync(join(tmpdir(), "web-bridge-demo-"));
  const members: FleetSidecar[] = [];
  for (let i = 1; i <= count; i++)
    members.push({
      view: { name: `${i}`, isUp: false, served: 0, fromPack: 0, last: [], hasPoll: false },
      ports: { public: await freePort(), bridge: await freePort() },
    });
  const balancers: Balancer[] = [];
  let redis: RedisServer | undefined;
  let isOver = false;

  async function balance(listener: "public" | "bridge", at: number): Promise<Balancer> {
    const balancer = await Balancer.open({
      targets: members.map(({ view, ports }) => ({
        name: view.name,
        url: `http://127.0.0.1:${ports[listener]}`,
      })),
      port: at,
      onServed(target, method, path, status) {
        const view = members.find(({ view }) => view.name === target.name)?.view;
        if (!view) return;
        if (listener === "bridge") view.fromPack++;
        else {
          view.served++;
          view.last = [`${method} ${path.replace(/\?.*/, "")} ${status}`, ...view.last].slice(0, LAST);
        }
      },
    });
    balancers.push(balancer);
    return balancer;
  }

  async function run(member: FleetSidecar): Promise<void> {
    const { view, ports } = member;
    const process = await startDemoSidecar({
      program,
      ports,
      panel,
      token,
      env: {
        ...env,
        WEB_BRIDGE_STORAGE_KIND: "redis",
        WEB_BRIDGE_STORAGE_URL: redis?.url ?? "",
        WEB_BRIDGE_MODULES_API_TRUST_PROXY: "loopback",
      },
      say: line => say(`[sidecar ${view.name}] ${line}`),
    });
    member.process = process;
    view.isUp = true;
    void process.ended.then(() => {
      view.isUp = false;
      runLater(member);
    });
    // The demo has been stopped in the meantime.
    if (isOver) await process.stop();
  }

  function runLater(member: FleetSidecar): void {
    const again = (error: unknown): void => {
      say(`[sidecar ${member.view.name}] ${messageOf(error)}; trying again`);
      runLater(member);
    };
    if (!isOver) member.timer = setTimeout(() => void run(member).catch(again), AWAY_MS);
  }

  async function stop(): Promise<void> {
    isOver = true;
    for (const { timer } of members) clearTimeout(timer);
    await Promise.all(members.map(({ view, process }) => view.isUp && process?.stop()));
    await Promise.all(balancers.map(balancer => balancer.close()));
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  }

  try {
    const front = await balance("public", port);
    const bridge = await balance("bridge", 0);
    redis = await startRedisServer();
    await rememberInRedis(redis.url);
    await Promise.all(members.map(run));
    return {
      publicUrl: front.origin,
      bridgeUrl: bridge.origin,
      token,
      folder,
      // A sidecar that ends is started again, so this never resolves.
      ended: new Promise(() => undefined),
      stop,
      fleet: {
        views() {
          const polled = bridge.waiting
            .filter(({ path }) => path === PATHS.poll)
            .map(({ target }) => target.name);
          return members.map(({ view }) => ({ ...view, hasPoll: polled.includes(view.name) }));
        },
        kill(name) {
          const member = members.find(({ view }) => view.name === name);
          if (!member?.view.isUp) return false;
          // Marked as down immediately, although the process may take a moment to end.
          member.view.isUp = false;
          member.process?.kill();
          return true;
        },
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
