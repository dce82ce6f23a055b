import { type RedisOptions, type RedisServer, together } from "./redis-server.ts";
import { until } from "./until.ts";

const NAME = "bridge";
const SENTINELS = 3;
/** Of a server that does not answer; ten times as much is what Sentinel is made for. */
const DOWN_AFTER_MS = 500;

/** A master with one replica, and three sentinels that watch them. */
export interface RedisSentinel {
  /** the name that the sentinels know the master by */
  readonly name: string;
  /** addresses of the sentinels */
  readonly urls: string[];
  /** of the two servers, the one that takes changes, and the other one */
  readonly master: RedisServer;
  readonly replica: RedisServer;
  /** Kills the master and waits until the replica has taken its place for all sentinels. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a master, a replica of it and three sentinels, and waits until all know of each other.
 * @throws when this machine has no Redis, or one does not start
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
          // Who is promoted has its connections ended.
          async () => (await role(master).catch(() => "")) === "master" && (await agreed()),
          "nobody took the master's place",
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

/** Whether all sentinels call this one the master, and know of the replica and of each other. */
async function knowAll(sentinels: readonly RedisServer[], { port }: RedisServer): Promise<boolean> {
  const infos = await Promise.all(sentinels.map(sentinel => sentinel.command("INFO", "sentinel")));
  const known = `name=${NAME},status=ok,address=127.0.0.1:${port},slaves=1,sentinels=${sentinels.length}`;
  return infos.every(info => `${info}`.includes(known));
}
