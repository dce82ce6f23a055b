import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "@jest/globals";
import {
  findRedisServer,
  type RedisOptions,
  type RedisServer,
  startRedisServer,
} from "../../lab/scale/redis-server.ts";
import { createSecretStore, createSignInStore } from "../../sidecar/features/sign-in/records.ts";
import type { SharedState } from "../../sidecar/kernel/shared.ts";
import { openRedis } from "../../sidecar/kernel/storage/redis/open.ts";
import type { OpenedStream } from "../../sidecar/kernel/storage/redis/streams.ts";
import { migrateRedis } from "../../sidecar/migrations/redis.ts";
import type { Clock } from "../../sidecar/platform/clock.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";
import { createStores, type Stores, streamsOf } from "../../sidecar/stores.ts";
import type { ManualClock } from "./clock.ts";
import { RecordingLog } from "./log.ts";
import { type OwnStore, storeIn } from "./memory-store.ts";
import { TOKEN } from "./sidecar.ts";

export const hasRedis = findRedisServer() !== undefined;

/** For tests that are not about the timeouts of Redis: ten times as long, since a busy machine may be slow. */
export const slowRetryClock: Clock = {
  ...systemClock,
  every: (ms, callback) => systemClock.every(10 * ms, callback),
};

/** The shared state of a sidecar, and the stores of its features. */
export type RedisSide = SharedState & Stores;

interface RedisOfTest {
  /** without one, the clocks of this machine and of Redis are used */
  clock?: ManualClock;
  prefix?: string;
  name?: string;
  token?: string;
  entries?: number;
  forMs?: number;
  log?: RecordingLog;
  /** reports its presence only once */
  isStill?: boolean;
  /** the clock of timeouts, if it is not the system's */
  machine?: Clock;
  /** names of the other game servers */
  servers?: readonly string[];
  /** stores beside those of features */
  streams?: readonly OpenedStream[];
  settings?: { url?: string; sentinel?: string; ca?: string };
}

/** In-memory stores of one process, on the shared state of these sidecars. */
export const ownStore = (shared: SharedState): OwnStore =>
  storeIn(shared.records.links, {
    signIn: now => ({
      ...createSignInStore(shared.records.links, now),
      ...createSecretStore(shared.records.links),
    }),
    bridgeId: shared.bridgeId,
    close: async () => undefined,
  });

/** A real Redis for the tests of a file. */
export function redisForTests(options: RedisOptions = {}) {
  const opened: SharedState[] = [];
  let server: RedisServer | undefined;
  beforeAll(async () => {
    server = await startRedisServer(options);
  });
  afterAll(async () => {
    await Promise.all(opened.map(shared => shared.close()));
    await server?.stop();
  });
  const running = (): RedisServer => {
    if (!server) throw new Error("there is no Redis yet");
    return server;
  };

  return {
    server: running,
    /** The connection of a sidecar, with a unique prefix unless one is given. */
    async open(of: RedisOfTest = {}): Promise<RedisSide> {
      const { clock, prefix = randomUUID(), name = randomUUID(), token = TOKEN } = of;
      const { entries = 10_000, forMs = Number.MAX_SAFE_INTEGER } = of;
      const shared = await openRedis({
        settings: { url: running().url, sentinel: "", ca: "", ...of.settings, prefix },
        machine: of.isStill ? { ...systemClock, every: () => () => undefined } : (of.machine ?? systemClock),
        log: of.log ?? new RecordingLog(),
        streams: [...streamsOf({ entries, forMs }), ...(of.streams ?? [])],
        token,
        self: { name, version: "1", settings: "" },
        servers: of.servers ?? [],
        migrate: migrateRedis(of.servers ?? []),
        manual: clock && { clock, time: clock.monotonic },
      });
      opened.push(shared);
      shared.started();
      return { ...shared, ...createStores(shared, { bounds: { entries, forMs } }) };
    },
  };
}
