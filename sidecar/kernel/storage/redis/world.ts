import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { SharedWorld } from "../ports/shared.ts";
import { createRedisBus } from "./bus.ts";
import { type Connection, scoped } from "./connection.ts";
import { createRedisOutbox } from "./outbox.ts";
import type { Stream } from "./reader.ts";

/**
 * What the sidecars share of a world, in keys that `scope` stands ahead of, and the stream that has to be read for it. The
 * blank scope is that of the first world, and of the service.
 */
export function createRedisWorld(deps: {
  redis: Connection;
  scope: string;
  clock: Clock;
  machine: Clock;
  now: SharedTime;
  log: Log;
}): { world: SharedWorld; stream: Stream } {
  const { machine, log } = deps;
  const redis = scoped(deps.redis, deps.scope);
  const { bus, onWake, stream } = createRedisBus(redis, machine, log);
  return {
    world: { outbox: createRedisOutbox({ ...deps, redis, onWake }), bus },
    stream,
  };
}
