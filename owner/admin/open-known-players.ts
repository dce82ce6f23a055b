import { closeSync, existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "../../cli/errno.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import type { KnownStore } from "../../sidecar/features/known-players/records.ts";
import type { Log } from "../../sidecar/platform/log.ts";
import { connected } from "./redis.ts";

/** The stored players; undefined: none are. */
export interface OpenKnownPlayers {
  store: KnownStore | undefined;
  close(): Promise<void>;
}

/**
 * Opens the stored players, whether the sidecar runs or not. Files that SQLite makes for root belong to the owner of the
 * database.
 * @throws if that fails; the message is one line
 */
export const openKnown = ({ storage }: Config, log: Pick<Log, "warn">): Promise<OpenKnownPlayers> =>
  storage.kind === "redis" ? inRedis(storage, log) : inFile(storage.folder, log);

async function inFile(folder: string, log: Pick<Log, "warn">): Promise<OpenKnownPlayers> {
  const { openKnownPlayers, PLAYERS_FILE } = await import("../../sidecar/files.ts");
  const file = join(folder, PLAYERS_FILE);
  if (!existsSync(file)) return { store: undefined, close: async () => undefined };
  try {
    closeSync(openSync(file, "r+"));
  } catch (error) {
    throw new Error(
      `${file}: cannot be read and changed: ${reasonOf(error)}: run this as the user that the sidecar runs as, or as root`,
    );
  }
  const store = openKnownPlayers(folder, log);
  return { store, close: store.close };
}

async function inRedis(settings: Config["storage"], log: Pick<Log, "warn">): Promise<OpenKnownPlayers> {
  const { createKnownStore } = await import("../../sidecar/features/known-players/records.ts");
  const { createRedisRecords } = await import("../../sidecar/kernel/storage/redis/records.ts");
  const { FORMAT } = await import("../../sidecar/kernel/storage/redis/registry.ts");
  const { maybeText } = await import("../../sidecar/kernel/storage/redis/script.ts");
  const redis = await connected(settings);
  const format = maybeText(await redis.ask("HGET", redis.key("meta"), "format"));
  if (format !== undefined && format !== FORMAT) {
    redis.close();
    throw new Error(
      `storage.prefix: ${settings.prefix}: the data there is from another version of this product (format ${format}, expected ${FORMAT}): start the sidecar of this version first, which converts it`,
    );
  }
  const records = createRedisRecords(redis, of => log.warn({}, of.damaged));
  return { store: createKnownStore(records), close: async () => redis.close() };
}
