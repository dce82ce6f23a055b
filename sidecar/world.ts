import { createFacts } from "./app/facts.ts";
import type { Feed } from "./app/feed.ts";
import { createGame } from "./app/game.ts";
import { createGameServers } from "./app/game-servers.ts";
import { createHistory } from "./app/history.ts";
import type { Links } from "./app/links.ts";
import { createPackSession } from "./app/pack-session.ts";
import { createPresence } from "./app/presence.ts";
import { createServerInfo } from "./app/server-info.ts";
import { createSnapshots } from "./app/snapshots.ts";
import { createStatus } from "./app/status.ts";
import type { WebChat } from "./app/web-chat.ts";
import { createWhitelist } from "./app/whitelist.ts";
import type { Config } from "./config/settings.ts";
import { freshForMs } from "./domain/snapshot.ts";
import type { AskGame, ProcessProbe } from "./ports/game.ts";
import type { SharedWorld } from "./ports/shared.ts";
import type { Audit, Clock, Log, Reach } from "./ports.ts";

export type World = Awaited<ReturnType<typeof createWorld>>;

/** What its pack is answered on behalf of. */
interface Service extends Pick<Parameters<typeof createPackSession>[0], "greeting" | "refusals"> {
  links: Links;
  feed: Feed;
  webChat: WebChat;
}

/**
 * One game server, and all that is known of it and asked of it: nothing of a world is reached but through this. Links, feed and
 * chat are of the service, and meet it in `session`.
 */
export async function createWorld(
  name: string,
  deps: {
    clock: Clock;
    log: Log;
    shared: SharedWorld;
    reach: Reach;
    bridgeId: string;
    server: Config["server"];
    api: Pick<Config["modules"]["api"], "metricsRefreshInterval" | "whitelistNames">;
    probe: ProcessProbe;
    askGame: AskGame | undefined;
    audit: Audit;
    settings: Parameters<typeof createStatus>[0]["settings"];
  },
) {
  const { clock, log, shared, reach, bridgeId, api, probe, audit, settings } = deps;
  const { outbox, bus, parts } = shared;
  const { info } = deps.server;
  const refreshMs = api.metricsRefreshInterval;
  const silentMs = freshForMs(refreshMs);
  const game = createGame({ clock, outbox, bus, reach });
  const snapshots = await createSnapshots({ clock, bus, log, probe, refreshMs, bridgeId });
  const history = await createHistory({ clock, snapshots, store: shared.history, refreshMs });
  const presence = await createPresence({ clock, log: shared.presence, bus, reach, bridgeId, silentMs });
  const gameServers = createGameServers({ clock, log, store: shared.gameServer });

  return {
    name,
    /** what its owner, or setup, says of it */
    info,
    /** what is told of it by `GET /server` */
    serverInfo: createServerInfo({ clock, written: info, askGame: deps.askGame }),
    game,
    snapshots,
    history,
    whitelist: createWhitelist({ game, audit, clock, names: api.whitelistNames }),
    status: createStatus({ clock, settings, gameServers, snapshots }),
    /** What its pack is answered; the rest is of the service. */
    session(service: Service) {
      const facts = createFacts({ clock, bus, parts, presence, game, ...service });
      return createPackSession({ log, outbox, gameServers, refreshMs, facts, ...service });
    },
    /** Has figures of it shown to operators. */
    measure(gauge: (name: string, help: string, read: () => number | Promise<number>) => void): void {
      const { fresh } = snapshots;
      gauge("outbox_actions", "Actions waiting for the game, -1 when unknown", () =>
        outbox.size().catch(() => -1),
      );
      gauge("game_connected", "1 when a game server has reported lately", () => (fresh() ? 1 : 0));
      const tps = "Ticks per second of the last minute, -1 when unknown";
      gauge("game_tps", tps, () => fresh()?.status.tps ?? -1);
      gauge("game_players", "Players online, -1 when unknown", () => fresh()?.everybody.length ?? -1);
    },
    /**
     * Asks the game for nothing more, which has `graceMs` milliseconds for what it was asked; it goes on telling what comes of
     * it.
     */
    async stop(graceMs: number): Promise<void> {
      snapshots.stop();
      history.stop();
      await game.stop(graceMs);
      await outbox.close();
    },
    /** To be called when nothing more is told. */
    async close(): Promise<void> {
      await bus.close();
      presence.stop();
    },
  };
}
