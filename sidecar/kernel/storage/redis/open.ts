import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { busStream, createBus } from "../../bridge/bus.ts";
import type { SharedServer, SharedState } from "../../shared.ts";
import { createDamage } from "../damage.ts";
import type { DamageListener } from "../transaction.ts";
import type { RedisSettings } from "./client.ts";
import { createConnection, scoped } from "./connection.ts";
import { createLeadership } from "./leadership.ts";
import { createRedisOutbox } from "./outbox.ts";
import { createRedisRates } from "./rates.ts";
import { readStreams } from "./reader.ts";
import { createRedisRecordsWithStreams } from "./records.ts";
import { createRegistry, type Migrate, type SidecarInfo } from "./registry.ts";
import { createRedisStreams, type OpenedStream } from "./streams.ts";

/** Prefix of a game server's keys; none for the first. */
const scopeOf = (name: string): string => (name === "" ? "" : `world:${name}:`);

/**
 * Opens the state that the sidecars of one bridge share in Redis; waits until Redis is reachable.
 * @throws RedisRefusal if waiting is useless
 */
export async function openRedis(deps: {
  settings: RedisSettings;
  /** clock of the machine */
  machine: Clock;
  log: Log;
  /** streams of the features; the first one is measured by `feed_lag_seconds` */
  streams: readonly OpenedStream[];
  token: string;
  self: SidecarInfo;
  /** migrates the data of an earlier version */
  migrate: Migrate;
  /** names of the game servers after the first */
  servers?: readonly string[];
  /** replaces Redis's clock and the machine's timers, for the service's own waits */
  manual?: { clock: Clock; time: SharedTime } | undefined;
}): Promise<SharedState> {
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
  const otherServers = deps.servers ?? [];
  const noteDamage = createDamage(log, {});
  const damaged: DamageListener = (of, key) => noteDamage(`${of.name} ${key}`, of.damaged);
  const buses = ["", ...otherServers].map(name => ({ of: busStream(scopeOf(name)), max: 0 }));
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
    servers: new Map(otherServers.map(name => [name, sharedServer(name)])),
    rates: createRedisRates({ redis, now: time, clock, log }),
    refused: registry.refused,
    leadership: createLeadership(redis, "webhooks", machine, log),
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
        help: "How long after it was stored the newest event was received here",
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
