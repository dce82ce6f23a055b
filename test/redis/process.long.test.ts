import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { type RedisServer, startRedisServer } from "../../lab/scale/redis-server.ts";
import { SidecarProcess } from "../../lab/scale/sidecar-process.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds } from "../helpers/redis-sides.ts";
import { PROGRAM, TOKEN } from "../helpers/sidecar.ts";

// Own connections: calls a sidecar that may not respond yet.

/** Timeout of operating systems, less something for a busy machine. */
const STOPPED_MS = 4_500;
const ends = createEnds();

interface LogLine {
  sidecar: SidecarProcess;
  lines: string[];
  folder: string;
}

async function redisForOne(): Promise<RedisServer> {
  const redis = await startRedisServer();
  ends(() => redis.stop());
  return redis;
}

/** A process that is not started; without a Redis it keeps everything in memory. */
function sidecarOn(redis: RedisServer | undefined, env: Record<string, string> = {}): LogLine {
  const folder = mkdtempSync(join(tmpdir(), "sidecar-"));
  const storage = redis && { WEB_BRIDGE_STORAGE_KIND: "redis", WEB_BRIDGE_STORAGE_URL: redis.url };
  const sidecar = new SidecarProcess(PROGRAM, folder, { WEB_BRIDGE_BRIDGE_TOKEN: TOKEN, ...storage, ...env });
  const lines: string[] = [];
  sidecar.onLine = line => lines.push(line);
  ends(() => rmSync(folder, { recursive: true, force: true }));
  ends(() => sidecar.kill());
  return { sidecar, lines, folder };
}

/** Longest wait of a request for a Redis that has gone away, once the sidecar serves. */
const pause = (): Promise<void> => new Promise(resolve => void systemClock.after(1_500, resolve));

const OUTAGES = [
  {
    how: "was killed",
    begin: (redis: RedisServer) => redis.kill(),
    end: (redis: RedisServer) => redis.restart(),
  },
  {
    how: "was stopped",
    begin: async (redis: RedisServer) => redis.pause(),
    end: async (redis: RedisServer) => redis.resume(),
  },
];

/** A starting process, whose Redis goes away right after the connection. */
async function leftAlone(begin: (redis: RedisServer) => Promise<void>) {
  const redis = await redisForOne();
  const { sidecar, lines } = sidecarOn(redis);
  const isAway = new Promise<void>((resolve, reject) => {
    sidecar.onLine = line => {
      if (lines.push(line) && line.includes("Connected to Redis")) begin(redis).then(resolve, reject);
    };
  });
  const started = sidecar.start();
  started.catch(() => undefined);
  await isAway;
  sidecar.onLine = line => lines.push(line);
  await pause();
  expect(sidecar.exit).toBeUndefined();
  return { redis, sidecar, lines, started };
}

needs("redis-server", hasRedis).describe("the process of a sidecar", () => {
  it("waits for a Redis that is offline at its start, and listens once it is back", async () => {
    const redis = await redisForOne();
    await redis.kill();
    const { sidecar, lines } = sidecarOn(redis);
    const started = sidecar.start();
    started.catch(() => undefined);
    await eventually(() => expect(lines.join("\n")).toContain("trying again"));
    await redis.restart();
    await started;
    expect((await fetch(`${sidecar.urls.public}/healthz`)).status).toBe(200);
  });

  it.each(OUTAGES)("waits for a Redis that $how before it listened, and listens then", async outage => {
    const { redis, sidecar, started } = await leftAlone(outage.begin);
    await outage.end(redis);
    await started;
    const pack = new FakePack(sidecar.urls.bridge);
    await pack.connect();
    expect((await pack.snapshot("Steve")).status).toBe(200);
  });

  it.each(OUTAGES)(
    "stops immediately and cleanly while it waits for a Redis that $how before it listened",
    async outage => {
      const { sidecar, lines } = await leftAlone(outage.begin);
      const { code, ms } = await sidecar.terminate();
      expect(code).toBe(0);
      expect(ms).toBeLessThan(STOPPED_MS);
      expect(lines.at(-1)).toContain('"msg":"Stopped"');
    },
  );

  it.each([
    ["is there", async () => undefined],
    ["was killed", (redis: RedisServer) => redis.kill()],
    ["was stopped for a while", async (redis: RedisServer) => redis.pause()],
  ])("stops in time and cleanly when Redis %s", async (_how, outage) => {
    const redis = await redisForOne();
    const { sidecar, lines } = sidecarOn(redis);
    await sidecar.start();
    const pack = new FakePack(sidecar.urls.bridge);
    await pack.connect();
    await pack.snapshot("Steve");
    const poll = pack.take().catch(() => undefined);
    const socket = await ChatSocket.open(sidecar.urls.public);
    await outage(redis);
    socket.say("a line that nobody may answer");
    const { code, ms } = await sidecar.terminate();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(STOPPED_MS);
    expect(await socket.closed).toBe(1001);
    await poll;
    expect(lines.join("\n")).toContain('"Stopped"');
  });

  it("has its name in each log line, and the state of Redis in its metrics", async () => {
    const redis = await redisForOne();
    const { sidecar, lines } = sidecarOn(redis);
    await sidecar.start();
    const pack = new FakePack(sidecar.urls.bridge);
    await pack.connect();
    await pack.report({ is: "said", name: "Steve", text: "a" });
    const figures = async (): Promise<Record<string, number>> => {
      const text = await (await fetch(`${sidecar.urls.bridge}/metrics`)).text();
      return Object.fromEntries(
        [
          ...text.matchAll(
            /^web_bridge_(redis_reachable|redis_latency_seconds|feed_lag_seconds|outbox_actions) (\S+)$/gm,
          ),
        ].map(([, name, value]) => [name, Number(value)]),
      );
    };
    const { redis_reachable, redis_latency_seconds = 0, feed_lag_seconds } = await figures();
    expect(redis_reachable).toBe(1);
    expect(redis_latency_seconds).toBeGreaterThan(0);
    expect(feed_lag_seconds).toBeGreaterThanOrEqual(0);
    const named = /^web_bridge_sidecar_info\{sidecar="[^"]+:[^"]+",version="\d[^"]*"\} 1$/m;
    expect(await (await fetch(`${sidecar.urls.bridge}/metrics`)).text()).toMatch(named);
    await redis.kill();
    await eventually(async () =>
      expect(await figures()).toMatchObject({ redis_reachable: 0, outbox_actions: -1 }),
    );
    // It has its name once it has read its settings.
    const names = lines.map(line => (JSON.parse(line) as { sidecar?: string }).sidecar);
    expect(lines.length).toBeGreaterThan(3);
    expect(new Set(names)).toEqual(new Set([expect.stringMatching(/^[^:]+:\S+$/)]));
  });
});
