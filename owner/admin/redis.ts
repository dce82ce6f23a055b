import { within } from "../../cli/within.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import type { RedisConnection } from "../../sidecar/kernel/storage/redis/connection.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";

/** How long connecting may take, in milliseconds. */
const REDIS_MS = 5_000;

/**
 * A connection to the Redis of a configuration. Its code is loaded when it is needed.
 * @throws if that fails; the message is one line
 */
export async function connected(settings: Config["storage"]): Promise<RedisConnection> {
  const { createConnection } = await import("../../sidecar/kernel/storage/redis/connection.ts");
  let why = "Redis cannot be reached";
  const redis = createConnection({
    settings,
    clock: systemClock,
    log: {
      info: () => undefined,
      error(_fields, message) {
        why = message;
      },
    },
  });
  const started = redis.start().then(() => true);
  try {
    if (!(await within(started, REDIS_MS))) throw new Error(why.replace(/; trying again$/, ""));
  } catch (error) {
    redis.close();
    throw error;
  }
  redis.started();
  return redis;
}
