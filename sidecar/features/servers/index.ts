import type { PlayerRef } from "../../../shared/actions.ts";
import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import { bound } from "../../kernel/http/route.ts";
import type { ServiceContext } from "../context.ts";
import type { PlayersElsewhere, ServerPlayersElsewhere } from "./elsewhere.ts";
import type { GameServer, ServiceFeature } from "./game-server.ts";
import { serversRoutes } from "./routes.ts";

/** Metrics of a game server. */
const FIGURES: readonly { name: string; help: string; read(server: GameServer): number | Promise<number> }[] =
  [
    {
      name: "outbox_actions",
      help: "Actions waiting for the game, -1 when unknown",
      read: ({ outbox }) => outbox.size().catch(() => -1),
    },
    {
      name: "game_connected",
      help: "1 when a game server has reported lately",
      read: ({ snapshots }) => (snapshots.fresh() ? 1 : 0),
    },
    {
      name: "game_tps",
      help: "Ticks per second of the last minute, -1 when unknown",
      read: ({ snapshots }) => snapshots.fresh()?.status.tps ?? -1,
    },
    {
      name: "game_players",
      help: "Players online, -1 when unknown",
      read: ({ snapshots }) => snapshots.fresh()?.allPlayers.length ?? -1,
    },
  ];

/** Drops reports about players who are online on another game server. The next report includes them once they have left there. */
function elsewhereFacts(elsewhere: ServerPlayersElsewhere): FactHandlers {
  const refuse = (what: string) => async (fact: { player: PlayerRef }) =>
    elsewhere.refuses(what, fact.player) ? ("drop" as const) : undefined;
  return {
    joined: async ({ row }) => (elsewhere.has(row.player) ? "drop" : undefined),
    chose: refuse("chose"),
    forgot: refuse("forgot"),
    "unlinked-by-player": refuse("unlinked-by-player"),
    listed: async report => ({ ...report, rows: elsewhere.without(report.rows) }),
  };
}

/** `GET /servers`, metrics of each game server, and the check for players who are online on two. */
export function createServersFeature(
  { api, servers }: ServiceContext,
  elsewhere: PlayersElsewhere,
): ServiceFeature {
  const { all, isOne } = servers;
  return {
    facts: server => elsewhereFacts(elsewhere.of(server)),
    gauges: FIGURES.map(({ name, help, read }) => ({
      name,
      help,
      labelNames: isOne ? [] : ["server"],
      read: () => all.map(server => ({ labels: isOne ? {} : { server: server.name }, value: read(server) })),
    })),
    serve: () => ({ routes: bound(serversRoutes, { api, servers }) }),
  };
}
