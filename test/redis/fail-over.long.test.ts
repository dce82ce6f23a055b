import { expect, it } from "@jest/globals";
import { startRedisCluster } from "../../lab/scale/redis-cluster.ts";
import { type RedisSentinel, startRedisSentinel } from "../../lab/scale/redis-sentinel.ts";
import type { RedisServer } from "../../lab/scale/redis-server.ts";
import { ask, newSession } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds, Listeners, linkSteve, type RedisSide, startRedisSide } from "../helpers/redis-sides.ts";

const ends = createEnds();
/** Long enough for a busy machine. */
const BACK_MS = 5_500;
const PREFIX = "web-bridge";

/** Two sidecars and a pack, with subscribers of its messages. */
async function begin(urls: readonly string[], sentinel = ""): Promise<Scene> {
  const start = async (): Promise<RedisSide> => {
    const side = await startRedisSide({ url: urls.join(","), sentinel, prefix: PREFIX });
    ends(() => side.stop());
    return side;
  };
  const scene = new Scene([await start(), await start()]);
  await scene.begin();
  return scene;
}

class Scene {
  readonly sides: readonly [RedisSide, RedisSide];
  readonly #pack: FakePack;
  #listeners: Listeners | undefined;
  #said = 0;

  constructor(sides: readonly [RedisSide, RedisSide]) {
    this.sides = sides;
    this.#pack = new FakePack(sides[0].bridge);
  }

  async begin(): Promise<void> {
    await this.#pack.connect();
    await this.#pack.snapshot("Steve");
    const listeners = await Listeners.open(this.sides);
    ends(() => listeners.close());
    this.#listeners = listeners;
  }

  /** Sends messages in the game, each until it is accepted; returns the longest time in milliseconds. */
  async say(count: number): Promise<number> {
    let longest = 0;
    for (let i = 0; i < count; i++) {
      const from = performance.now();
      const text = `${this.#said++}`;
      while ((await this.#pack.report({ is: "said", name: "Steve", text })).status !== 200);
      longest = Math.max(longest, performance.now() - from);
    }
    return longest;
  }

  /** Each socket and stream has received each message once, in order. */
  async waitForAll(): Promise<void> {
    const lines = Array.from({ length: this.#said }, (_, i) => `§§<Steve> §§${i}`);
    await eventually(() => expect(this.#listeners?.lines()).toEqual(Array(4).fill(lines)));
    expect(this.#listeners?.areOpen).toBe(true);
  }

  /** Links a new browser through one sidecar; returns its cookie. */
  async link(): Promise<string> {
    const [{ base }] = this.sides;
    const { cookie } = await newSession(base);
    await eventually(async () => {
      await this.#pack.snapshot("Steve");
      expect((await ask(base, "/readyz")).status).toBe(200);
    });
    await linkSteve(this.#pack, base, cookie);
    return cookie;
  }

  /** All sidecars have a link. */
  async knows(cookie: string): Promise<void> {
    for (const { base } of this.sides)
      expect((await ask(base, "/linked-player", { cookie })).json).toMatchObject({ status: "accepted" });
  }
}

needs("redis-server", hasRedis).describe("sidecars on a Redis Cluster", () => {
  const idOf = async (server: RedisServer): Promise<string> => `${await server.command("CLUSTER", "MYID")}`;

  /** Moves the keys of a slot one after the other, as cluster tools do. */
  async function move(slot: string, from: RedisServer, to: RedisServer): Promise<void> {
    const [source, target] = [await idOf(from), await idOf(to)];
    await to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", source);
    await from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", target);
    for (;;) {
      const keys = await from.command("CLUSTER", "GETKEYSINSLOT", slot, "1");
      if (!Array.isArray(keys) || keys.length === 0) break;
      await from.command("MIGRATE", "127.0.0.1", `${to.port}`, `${keys[0]}`, "0", "5000");
    }
    for (const server of [to, from]) await server.command("CLUSTER", "SETSLOT", slot, "NODE", target);
  }

  it("find the shard of their keys, and continue after it was offline, and after keys were moved", async () => {
    const settings = { appendonly: "yes", appendfsync: "always" };
    const cluster = await startRedisCluster({ settings });
    ends(() => cluster.stop());
    const scene = await begin(cluster.urls);
    const cookie = await scene.link();
    await scene.knows(cookie);
    await scene.say(10);

    const slot = `${await cluster.servers[0]?.command("CLUSTER", "KEYSLOT", `{${PREFIX}}`)}`;
    const sizes = await Promise.all(
      cluster.servers.map(async server => Number(await server.command("CLUSTER", "COUNTKEYSINSLOT", slot))),
    );
    const [shard, another] = [...cluster.servers].sort(
      (a, b) => Number(sizes[cluster.servers.indexOf(b)]) - Number(sizes[cluster.servers.indexOf(a)]),
    ) as [RedisServer, RedisServer];
    const restarted = shard.kill().then(() => shard.restart());
    expect(await scene.say(10)).toBeLessThan(BACK_MS);
    await restarted;

    const saying = scene.say(50);
    await move(slot, shard, another);
    const moved = performance.now();
    await saying;
    await scene.say(1);
    expect(performance.now() - moved).toBeLessThan(BACK_MS);
    await scene.knows(cookie);
    await scene.knows(await scene.link());
    await scene.waitForAll();
    expect(Number(await shard.command("CLUSTER", "COUNTKEYSINSLOT", slot))).toBe(0);
  });
});

needs("redis-server", hasRedis).describe("sidecars behind Sentinel", () => {
  const failOver = (redis: RedisSentinel): Promise<void> => redis.failOver();

  /** The master stops responding without closing connections. */
  async function falter({ master, replica }: RedisSentinel): Promise<void> {
    master.pause();
    await eventually(async () => expect(await replica.command("ROLE")).toContain("master"));
  }

  it.each([
    ["killed", undefined, failOver],
    ["stopped for a while", undefined, falter],
    ["killed, with a password that Sentinel does not need", "pass-word-of-redis", failOver],
  ])("continue with the next master when one is %s", async (_what, requirepass, next) => {
    const redis = await startRedisSentinel(requirepass === undefined ? {} : { settings: { requirepass } });
    ends(() => redis.stop());
    const urls = redis.urls.map(url => (requirepass ? url.replace("//", `//:${requirepass}@`) : url));
    const scene = await begin(urls, redis.name);
    const cookie = await scene.link();
    await scene.knows(cookie);
    await scene.say(10);
    await scene.waitForAll();
    // A failed master loses what its replica does not have yet.
    await eventually(async () => {
      const [offset] = [
        `${await redis.master.command("INFO", "replication")}`.match(/offset=(\d+),lag/)?.[1],
      ];
      expect(`${await redis.replica.command("INFO", "replication")}`).toContain(
        `slave_repl_offset:${offset}`,
      );
    });

    await next(redis);
    expect(await scene.say(10)).toBeLessThan(BACK_MS);
    // Messages go through one of the two; the other may recover a moment later.
    await eventually(() => scene.knows(cookie));
    await scene.knows(await scene.link());
    await scene.waitForAll();
  });
});
