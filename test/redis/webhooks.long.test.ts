import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@jest/globals";
import { startRedisServer } from "../../lab/scale/redis-server.ts";
import { SidecarProcess } from "../../lab/scale/sidecar-process.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { startReceiver } from "../helpers/receiver.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds } from "../helpers/redis-sides.ts";
import { PROGRAM, TOKEN } from "../helpers/sidecar.ts";

/** Two seconds, plus the delay of a busy machine. */
const GOES_ON_MS = 3_000;
const SECRET = `whsec_${Buffer.alloc(32, "key").toString("base64")}`;
const ends = createEnds();

needs("redis-server", hasRedis).it(
  "a webhook is sent by one sidecar of two, and after a kill by the other, completely and in order",
  async () => {
    const redis = await startRedisServer();
    ends(() => redis.stop());
    const receiver = await startReceiver();
    ends(() => receiver.stop());
    const webhooks = [{ url: receiver.url, secret: SECRET, "allow-private": true, events: ["chat"] }];

    const sides: SidecarProcess[] = [];
    const starts = async (): Promise<SidecarProcess> => {
      const folder = mkdtempSync(join(tmpdir(), "webhooks-"));
      ends(() => rmSync(folder, { recursive: true, force: true }));
      writeFileSync(join(folder, "config.yml"), JSON.stringify({ webhooks }));
      const side = new SidecarProcess(PROGRAM, folder, {
        WEB_BRIDGE_BRIDGE_TOKEN: TOKEN,
        WEB_BRIDGE_STORAGE_KIND: "redis",
        WEB_BRIDGE_STORAGE_URL: redis.url,
      });
      ends(() => side.kill());
      await side.start();
      sides.push(side);
      return side;
    };
    // The first one has the lease.
    const [first, second] = [await starts(), await starts()];

    let pack = new FakePack(first.urls.bridge);
    await pack.connect();
    const lines: string[] = [];
    const say = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const text = `${lines.length}`;
        lines.push(`§§<Steve> §§${text}`);
        while ((await pack.report({ is: "said", name: "Steve", text })).status !== 200);
      }
    };
    const sent = (): string[] => [...new Set(receiver.contents())];
    await say(10);
    await eventually(() => expect(receiver.contents()).toEqual(lines));

    const through = new FakePack(second.urls.bridge);
    Object.assign(through, { session: pack.session, seq: pack.seq, after: pack.after });
    pack = through;
    await say(20);
    await first.kill();
    const killed = performance.now();
    await say(20);
    await eventually(() => expect(sent()).toEqual(lines));
    expect(performance.now() - killed).toBeLessThan(GOES_ON_MS);
    // Duplicates have the same id.
    const ids = new Set(receiver.received.map(({ headers }) => headers["webhook-id"]));
    expect(ids.size).toBe(lines.length);
    // A restarted sidecar sends nothing.
    await starts();
    await say(10);
    await eventually(() => expect(sent()).toEqual(lines));
    expect(receiver.received.length).toBeLessThan(lines.length + 5);
  },
);
