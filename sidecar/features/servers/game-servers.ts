import type { ASKED_BY_NAME } from "../../../shared/actions.ts";
import type { Hello } from "../../../shared/requests.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { GameServerStore } from "./records.ts";
import { type GameServer, isAnotherWorld, worldName } from "./rules/game-server.ts";

export type GameServers = ReturnType<typeof createGameServers>;

/** Who is, and was, connected: of each game server of the configuration one session is let in at a time. */
export function createGameServers(deps: {
  clock: Clock;
  log: Pick<Log, "info" | "warn">;
  store: GameServerStore;
  /** name of another game server of the configuration that had the world of this id last */
  hadBy(world: string): Promise<string | undefined>;
}) {
  const { clock, log, store, hadBy } = deps;
  /** what this process knows, where the storage cannot be asked */
  let known: GameServer | undefined;
  let refusedAt: number | undefined;

  async function last(): Promise<GameServer | undefined> {
    try {
      known = (await store.gameServer()) ?? known;
    } catch {
      // Whoever looks for the storage says so.
    }
    return known;
  }

  /** What a warning says of a world that may have the token of another game server than its owner thinks. */
  async function named(world: GameServer["world"]): Promise<object> {
    const worldOf = world && (await hadBy(world.id).catch(() => undefined));
    return { world, ...(worldOf !== undefined && { worldOf }) };
  }

  return {
    /** The one that was connected last. Never rejects. */
    last,
    /** What the world of that one is called, for people; undefined where nothing is known of it. Never rejects. */
    lastWorld: async () => worldName(await last()),
    /** Whether its pack knows an action that not every one does. Never rejects. */
    knows: async (action: (typeof ASKED_BY_NAME)[number]): Promise<boolean> =>
      (await last())?.knows?.includes(action) ?? false,
    /** One has its session. Never rejects. */
    async connected({ run, world, knows, product, wire }: Hello): Promise<void> {
      const before = await last();
      const since = before?.run === run ? before.since : clock.now();
      const now: GameServer = { run, since, ...(world && { world }), ...(knows && { knows }) };
      log.info({ pack: product, wire, world: worldName(now) }, "a game server has connected");
      if (isAnotherWorld(before, now))
        log.warn(
          { ...(await named(now.world)), before: before?.world },
          "another world is connected than before: each game server needs an entry of its own in servers, with its token",
        );
      known = now;
      const isNews = JSON.stringify(before) !== JSON.stringify(now);
      // A storage that fails is spoken of elsewhere, and the game goes on without this.
      if (isNews) await store.setGameServer(now).catch(() => undefined);
    },
    /** When one was refused last, in wall time; undefined: none was since this process has started. */
    refusedAt: () => refusedAt,
    /** One wants the bridge that another one has. Never rejects. */
    async refused({ world }: Hello): Promise<void> {
      refusedAt = clock.now();
      log.warn(
        { ...(await named(world)), connected: (await last())?.world },
        "two game servers want this bridge, and one of them is refused: each needs an entry of its own in servers, with its token",
      );
    },
  };
}
