import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "@jest/globals";
import { SidecarProcess } from "../../chaos/sidecar-process.ts";
import { type RedisServer, startRedisServer } from "../../scale/redis-server.ts";
import { hasRedis } from "../helpers/redis.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { PROGRAM, TOKEN } from "../helpers/sidecar.ts";

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

function sidecarOn(redis: RedisServer): SidecarProcess {
  const folder = mkdtempSync(join(tmpdir(), "sidecar-"));
  const sidecar = new SidecarProcess(PROGRAM, folder, {
    WEB_BRIDGE_STORAGE_KIND: "redis",
    WEB_BRIDGE_STORAGE_URL: redis.url,
    WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
  });
  ended.push(() => rmSync(folder, { recursive: true, force: true }));
  ended.push(() => sidecar.kill());
  return sidecar;
}

needs("redis-server", hasRedis).describe("the process of a sidecar that starts while Redis is away", () => {
  it("waits for it, and listens once it is there", async () => {
    const redis = await startRedisServer();
    ended.push(() => redis.stop());
    await redis.kill();
    const sidecar = sidecarOn(redis);
    const lines: string[] = [];
    sidecar.onLine = line => lines.push(line);
    const started = sidecar.start();
    started.catch(() => undefined);
    await eventually(() => expect(lines.join("\n")).toContain("trying again"));
    await redis.restart();
    await started;
    expect((await fetch(`${sidecar.urls.public}/healthz`)).status).toBe(200);
  });
});
