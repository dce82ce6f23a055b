import type { Config } from "../../sidecar/config/settings.ts";
import type { Connection } from "../../sidecar/kernel/storage/redis/connection.ts";
import { systemClock } from "../../sidecar/platform/clock.ts";

/** How long Redis may take to answer at all, in milliseconds. */
const REDIS_MS = 5_000;

/**
 * A connection to the Redis of a configuration. Whoever has one sidecar loads none of it.
 * @throws where it does not answer; the message is one line that says why
 */
export async function connected(settings: Config["storage"]): Promise<Connection> {
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
  // Unlike a timer of the clock it keeps the process alive.
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(why.replace(/; trying again$/, ""))), REDIS_MS);
  });
  try {
    await Promise.race([redis.start(), late]);
  } catch (error) {
    redis.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  redis.started();
  return redis;
}
