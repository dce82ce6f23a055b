import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { busStream, createBus } from "../../bridge/bus.ts";
import type { Shared, SharedServer } from "../../shared.ts";
import { createDamage } from "../damage.ts";
import type { Damaged } from "../transaction.ts";
import type { RedisSettings } from "./client.ts";
import { createConnection, scoped } from "./connection.ts";
import { createDuty } from "./duty.ts";
import { createRedisOutbox } from "./outbox.ts";
import { createRedisRates } from "./rates.ts";
import { readStreams } from "./reader.ts";
import { createRedisRecordsWithStreams } from "./records.ts";
import { createRegistry, type Migrate, type Self } from "./registry.ts";
import { createRedisStreams, type OpenedStream } from "./streams.ts";

/** What the keys of a game server begin with; those of the first with nothing. */
const scopeOf = (name: string): string => (name === "" ? "" : `world:${name}:`);

/**
 * What the sidecars of one bridge share, in Redis; waits until that can be reached.
 * @throws RedisRefusal where that would be in vain
 */
export async function openRedis(deps: {
  settings: RedisSettings;
  /** of the machine */
  machine: Clock;
  log: Log;
  /** those of features; of the first one `feed_lag_seconds` is told */
  streams: readonly OpenedStream[];
  token: string;
  self: Self;
  /** converts what an earlier version has stored */
  migrate: Migrate;
  /** names of the game servers beside the first */
  servers?: readonly string[];
  /** in place of Redis's clock and of the timers of the machine, for what the service waits for */
  manual?: { clock: Clock; time: SharedTime } | undefined;
}): Promise<Shared> {
  const { settings, machine, log, token, self, manual } = deps;
  const redis = createConnection({ settings, clock: machine, log });
  const { time, clock } = manual ?? { time: redis.now, clock: { ...machine, now: redis.now } };
  const registry = createRegistry({
    redis,
    prefix: settings.prefix,
    token,
    self,
    machine,
    log,
    migrate: deps.migrate,
  });
  redis.onServer(registry.register);
  const further = deps.servers ?? [];
  const noteDamage = createDamage(log, {});
  const damaged: Damaged = (of, key) => noteDamage(`${of.name} ${key}`, of.damaged);
  const buses = ["", ...further].map(name => ({ of: busStream(scopeOf(name)), most: 0 }));
  const streams = createRedisStreams({ redis, machine, log, damaged, streams: [...deps.streams, ...buses] });
  readStreams(redis, machine, streams.reads);
  await redis.start();
  const records = createRedisRecordsWithStreams(redis, damaged, streams);
  const sharedServer = (server: string): SharedServer => {
    const scope = scopeOf(server);
    const outbox = createRedisOutbox({ redis: scoped(redis, scope), clock, machine, now: time, log });
    return { outbox, bus: createBus({ records, reach: redis.reach, server, scope, onWake: outbox.wake }) };
  };

  return {
    clock,
    time,
    records: {
      links: records,
      players: records,
      bans: records,
      feed: records,
      volatile: { ...records, now: time },
    },
    bridgeId: async () => registry.bridgeId(),
    server: sharedServer(""),
    servers: new Map(further.map(name => [name, sharedServer(name)])),
    rates: createRedisRates({ redis, now: time, clock, log }),
    refused: registry.refused,
    duty: createDuty(redis, "webhooks", machine, log),
    reach: redis.reach,
    gauges: [
      {
        name: "sidecar_info",
        help: "1, with the name by which other sidecars and the log know this one",
        read: () => 1,
        labels: { sidecar: self.name, version: self.version },
      },
      {
        name: "redis_reachable",
        help: "1 while Redis can be reached",
        read: () => (redis.reach.isAway() ? 0 : 1),
      },
      {
        name: "redis_latency_seconds",
        help: "How long Redis took to answer, measured several times a second",
        read: () => redis.latencyMs() / 1_000,
      },
      {
        name: "feed_lag_seconds",
        help: "How long after it was stored the newest event was heard here",
        read: () => streams.lagMs() / 1_000,
      },
    ],
    started: redis.started,
    async close() {
      await registry.leave();
      redis.close();
    },
  };
}
