import { type RedisOptions, type RedisServer, together } from "./redis-server.ts";
import { until } from "./until.ts";

const SHARDS = 3;
const SLOTS = 16_384;

interface RedisCluster {
  readonly servers: readonly RedisServer[];
  /** addresses of the servers */
  readonly urls: string[];
  stop(): Promise<void>;
}

/**
 * Starts a Redis Cluster of three masters that share the slots, and waits until all of them report it as complete.
 * @throws if this machine has no Redis, or a server does not start
 */
export async function startRedisCluster(options: RedisOptions = {}): Promise<RedisCluster> {
  return together(async start => {
    const servers: RedisServer[] = [];
    const settings = { ...options.settings, "cluster-enabled": "yes" };
    for (let shard = 0; shard < SHARDS; shard++) servers.push(await start({ ...options, settings }));
    await join(servers);
    return { servers, urls: servers.map(({ url }) => url) };
  });
}

async function join(servers: readonly RedisServer[]): Promise<void> {
  for (const [shard, server] of servers.entries()) {
    const [first, end] = [shard, shard + 1].map(at => Math.floor((at * SLOTS) / servers.length));
    await server.command("CLUSTER", "SET-CONFIG-EPOCH", `${shard + 1}`);
    await server.command("CLUSTER", "ADDSLOTSRANGE", `${first}`, `${Number(end) - 1}`);
  }
  const [first] = servers;
  for (const { port, busPort } of servers.slice(1))
    await first?.command("CLUSTER", "MEET", "127.0.0.1", `${port}`, `${busPort}`);
  await until(
    async () => (await Promise.all(servers.map(isWhole))).every(Boolean),
    "the cluster did not become complete",
  );
}

const isWhole = async (server: RedisServer): Promise<boolean> => {
  const info = `${await server.command("CLUSTER", "INFO")}`;
  return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${SHARDS}`);
};
