import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createCluster, createSentinel } from "@redis/client";
import { type RedisCluster, startRedisCluster } from "../../lab/scale/redis-cluster.ts";
import { type RedisSentinel, startRedisSentinel } from "../../lab/scale/redis-sentinel.ts";
import { findRedisServer } from "../../lab/scale/redis-server.ts";
import { eventually, needs } from "../helpers/runner.ts";

const withRedis = needs("redis-server", findRedisServer() !== undefined);

withRedis.describe("a cluster of three shards", () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());

  it("answers for all slots, whichever server is asked first", async () => {
    for (const url of cluster.urls) {
      const client = createCluster({ rootNodes: [{ url }] });
      await client.connect();
      for (const key of ["a", "b", "c", "{bridge}:d"]) expect(await client.set(key, "1")).toBe("OK");
      await client.close();
    }
  });

  it("keeps keys with the same word in braces on one shard", async () => {
    const where = await Promise.all(
      cluster.servers.map(server => server.command("MGET", "{bridge}:d", "{bridge}:e").catch(String)),
    );
    expect(where.filter(Array.isArray)).toEqual([["1", null]]);
  });
});

withRedis.describe("a master with a replica and sentinels", () => {
  let redis: RedisSentinel;
  beforeAll(async () => {
    redis = await startRedisSentinel({ settings: { requirepass: "secret" } });
  });
  afterAll(() => redis?.stop());

  it("goes on with the replica when the master is killed", async () => {
    const { master, replica } = redis;
    await master.command("SET", "a", "1");
    await eventually(async () => expect(await replica.command("GET", "a")).toBe("1"));
    const client = createSentinel({
      name: redis.name,
      sentinelRootNodes: redis.urls.map(url => ({ host: "127.0.0.1", port: Number(new URL(url).port) })),
      nodeClientOptions: { password: "secret" },
    });
    client.on("error", () => undefined);
    await client.connect();
    await redis.failOver();
    expect(redis.master).toBe(replica);
    await eventually(async () => expect(await client.set("b", "2")).toBe("OK"));
    expect(await redis.master.command("MGET", "a", "b")).toEqual(["1", "2"]);
    client.destroy();
  });
});
