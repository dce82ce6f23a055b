import type { NEGOTIATED_ACTIONS } from "../../../shared/actions.ts";
import type { Hello } from "../../../shared/requests.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { ConnectionStore } from "./records.ts";
import { isAnotherWorld, type LastConnection, worldName } from "./rules/last-connection.ts";

/** Which game server is connected, and was last: one session at a time for each game server of the configuration. Never rejects. */
export interface Connections {
  /** The one that was connected last. */
  last(): Promise<LastConnection | undefined>;
  /** The name of its world, for people; undefined where nothing is known of it. */
  lastWorld(): Promise<string | undefined>;
  /** Whether its pack knows an action that not every one does. */
  knows(action: (typeof NEGOTIATED_ACTIONS)[number]): Promise<boolean>;
  /** A game server has its session. */
  connected(hello: Hello): Promise<void>;
  /** When a game server was refused last, in wall time; undefined: never since this process has started. */
  refusedAt(): number | undefined;
  /** A game server asks for the session that another one has. */
  refused(hello: Hello): Promise<void>;
}

export function createConnections(deps: {
  clock: Clock;
  log: Pick<Log, "info" | "warn">;
  store: ConnectionStore;
  /** name of the other game server of the configuration that had the world of this id last */
  lastServerOf(world: string): Promise<string | undefined>;
}): Connections {
  const { clock, log, store, lastServerOf } = deps;
  /** for when the storage cannot be read */
  let known: LastConnection | undefined;
  let refusedAt: number | undefined;

  async function last(): Promise<LastConnection | undefined> {
    try {
      known = (await store.last()) ?? known;
    } catch {
      // The storage logs that itself.
    }
    return known;
  }

  /** Fields for a warning about a world that may use the token of another game server. */
  async function named(world: LastConnection["world"]): Promise<object> {
    const worldOf = world && (await lastServerOf(world.id).catch(() => undefined));
    return { world, ...(worldOf !== undefined && { worldOf }) };
  }

  return {
    last,
    lastWorld: async () => worldName(await last()),
    knows: async action => (await last())?.knows?.includes(action) ?? false,
    async connected({ run, world, knows, product, wire }) {
      const before = await last();
      const since = before?.run === run ? before.since : clock.now();
      const now: LastConnection = { run, since, ...(world && { world }), ...(knows && { knows }) };
      log.info({ pack: product, wire, world: worldName(now) }, "Game server connected");
      if (isAnotherWorld(before, now))
        log.warn(
          { ...(await named(now.world)), before: before?.world },
          "A different world has connected. If you run two servers, give each its own name: setup --as <name>",
        );
      known = now;
      const isNews = JSON.stringify(before) !== JSON.stringify(now);
      // The storage logs that it fails, and the game goes on without this.
      if (isNews) await store.setLast(now).catch(() => undefined);
    },
    refusedAt: () => refusedAt,
    async refused({ world }) {
      refusedAt = clock.now();
      log.warn(
        { ...(await named(world)), connected: (await last())?.world },
        "Two game servers use the same token, and one of them was rejected. Give each its own name: setup --as <name>",
      );
    },
  };
}
