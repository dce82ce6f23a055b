import type { NEGOTIATED_ACTIONS } from "../../../shared/actions.ts";
import type { ServiceSettings } from "../../../shared/public/service.ts";
import type { Hello } from "../../../shared/requests.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { ConnectionStore } from "./records.ts";
import { gameChatOf, isAnotherWorld, type LastConnection, worldName } from "./rules/last-connection.ts";

/** How often `gameChat` reads the connection again, in milliseconds: a shared storage is not read for every page. */
const READ_EVERY_MS = 5_000;

/** The current or last connection of a configured game server, which has one session at a time. Never rejects. */
export interface Connections {
  /** The last connection. */
  last(): Promise<LastConnection | undefined>;
  /** Display name of its world; undefined if unknown. */
  lastWorld(): Promise<string | undefined>;
  /** Whether its pack supports a negotiated action. */
  knows(action: (typeof NEGOTIATED_ACTIONS)[number]): Promise<boolean>;
  /**
   * How its chat reaches the website; null: no pack has connected yet. Another process's connection takes `READ_EVERY_MS` to be known.
   */
  gameChat(): ServiceSettings["gameChat"];
  /** A game server has begun or resumed its session. */
  connected(hello: Hello): Promise<void>;
  /** Wall time of the last rejected game server; undefined: none since this process started. */
  refusedAt(): number | undefined;
  /** A game server was rejected because another one has the session. */
  refused(hello: Hello): Promise<void>;
}

export function createConnections(deps: {
  clock: Clock;
  log: Pick<Log, "info" | "warn">;
  store: ConnectionStore;
  /** name of the other configured game server that last had the world with this id */
  lastServerOf(world: string): Promise<string | undefined>;
}): Connections {
  const { clock, log, store, lastServerOf } = deps;
  /** the last one read; fallback while the storage cannot be read */
  let known: LastConnection | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let refusedAt: number | undefined;

  async function last(): Promise<LastConnection | undefined> {
    readAt = clock.monotonic();
    try {
      known = (await store.last()) ?? known;
    } catch {
      // The storage logs it.
    }
    return known;
  }

  /** Log fields for a world that may use the token of another game server. */
  async function named(world: LastConnection["world"]): Promise<object> {
    const worldOf = world && (await lastServerOf(world.id).catch(() => undefined));
    return { world, ...(worldOf !== undefined && { worldOf }) };
  }

  return {
    last,
    lastWorld: async () => worldName(await last()),
    knows: async action => (await last())?.knows?.includes(action) ?? false,
    gameChat() {
      if (clock.monotonic() - readAt >= READ_EVERY_MS) void last();
      return gameChatOf(known);
    },
    async connected({ run, world, knows, gameChat, product, wire }) {
      const before = await last();
      const since = before?.run === run ? before.since : clock.now();
      const now: LastConnection = {
        run,
        since,
        ...(world && { world }),
        ...(knows && { knows }),
        ...(gameChat && { gameChat }),
      };
      log.info({ pack: product, wire, world: worldName(now) }, "Game server connected");
      if (isAnotherWorld(before, now))
        log.warn(
          { ...(await named(now.world)), before: before?.world },
          "A different world has connected. If you run two servers, give each its own name: setup --as <name>",
        );
      const isNews = JSON.stringify(before) !== JSON.stringify(now);
      // The storage logs the failure; the game works without this record.
      if (isNews) await store.setLast(now).catch(() => undefined);
      // A read that began before the change may have ended meanwhile.
      known = now;
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
