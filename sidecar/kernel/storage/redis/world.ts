import type { Clock, SharedTime } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { PresenceLog } from "../ports/feed.ts";
import type { WebChatStore } from "../ports/game.ts";
import type { SharedWorld } from "../ports/shared.ts";
import { createRedisBus } from "./bus.ts";
import { type Connection, scoped } from "./connection.ts";
import { createRedisHistory } from "./history.ts";
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
  presence: PresenceLog;
}): { world: SharedWorld; webChat: WebChatStore; stream: Stream } {
  const { machine, log, presence } = deps;
  const redis = scoped(deps.redis, deps.scope);
  const { bus, onWake, stream } = createRedisBus(redis, machine, log);
  return {
    world: {
      outbox: createRedisOutbox({ ...deps, redis, onWake }),
      bus,
      presence,
      history: createRedisHistory(redis),
    },
    webChat: bus,
    stream,
  };
}
