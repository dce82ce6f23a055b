import { type RedisOptions, type RedisServer, together } from "./redis-server.ts";
import { until } from "./until.ts";

const NAME = "bridge";
const SENTINELS = 3;
/** Time until a server counts as down; the default of Sentinel is ten times as long. */
const DOWN_AFTER_MS = 500;

/** A master with one replica, and three sentinels that monitor them. */
export interface RedisSentinel {
  /** the sentinels' name of the master */
  readonly name: string;
  /** addresses of the sentinels */
  readonly urls: string[];
  /** the current master of the two servers, and the other one */
  readonly master: RedisServer;
  readonly replica: RedisServer;
  /** Kills the master and waits until all sentinels have promoted the replica. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a master, its replica and three sentinels, and waits until they all know each other.
 * @throws if this machine has no Redis, or a server does not start
 */
export async function startRedisSentinel(options: RedisOptions = {}): Promise<RedisSentinel> {
  const { requirepass } = options.settings ?? {};
  const settings = { ...options.settings, ...(requirepass === undefined ? {} : { masterauth: requirepass }) };
  return together(async start => {
    let master = await start({ ...options, settings });
    const replicaof = `127.0.0.1 ${master.port}`;
    let replica = await start({ ...options, settings: { ...settings, replicaof } });
    const sentinels: RedisServer[] = [];
    for (let i = 0; i < SENTINELS; i++) sentinels.push(await start(watching(master, requirepass)));
    const agreed = (): Promise<boolean> => knowAll(sentinels, master);
    await until(
      async () => (await isUpToDate(replica)) && (await agreed()),
      "sentinels did not find each other",
    );
    return {
      name: NAME,
      urls: sentinels.map(({ url }) => url),
      get master() {
        return master;
      },
      get replica() {
        return replica;
      },
      async failOver() {
        await master.kill();
        [master, replica] = [replica, master];
        await until(
          // A server whose role changes closes its connections.
          async () => (await role(master).catch(() => "")) === "master" && (await agreed()),
          "no replica was promoted",
        );
      },
    };
  });
}

const watching = ({ port }: RedisServer, password: string | undefined): RedisOptions => ({
  isSentinel: true,
  settings: {
    [`sentinel monitor ${NAME} 127.0.0.1 ${port}`]: `${Math.floor(SENTINELS / 2) + 1}`,
    [`sentinel down-after-milliseconds ${NAME}`]: `${DOWN_AFTER_MS}`,
    [`sentinel failover-timeout ${NAME}`]: `${10 * DOWN_AFTER_MS}`,
    ...(password === undefined ? {} : { [`sentinel auth-pass ${NAME}`]: password }),
  },
});

const role = async (server: RedisServer): Promise<unknown> => {
  const answer = await server.command("ROLE");
  return Array.isArray(answer) ? answer[0] : undefined;
};

const isUpToDate = async (replica: RedisServer): Promise<boolean> =>
  `${await replica.command("INFO", "replication")}`.includes("master_link_status:up");

/** Whether all sentinels have this master, its replica and each other. */
async function knowAll(sentinels: readonly RedisServer[], { port }: RedisServer): Promise<boolean> {
  const infos = await Promise.all(sentinels.map(sentinel => sentinel.command("INFO", "sentinel")));
  const known = `name=${NAME},status=ok,address=127.0.0.1:${port},slaves=1,sentinels=${sentinels.length}`;
  return infos.every(info => `${info}`.includes(known));
}
