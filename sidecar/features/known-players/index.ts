import { mayBeOf } from "../../kernel/bridge/actions.ts";
import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import type { Bus } from "../../kernel/bridge/ports.ts";
import type { ServedFeature } from "../../kernel/feature.ts";
import type { ListenerTools } from "../../kernel/http/public.ts";
import { bound } from "../../kernel/http/route.ts";
import { createRetryQueue } from "../../kernel/storage/retry-queue.ts";
import type { ServiceContext } from "../context.ts";
import type { PlayersElsewhere, ServerPlayersElsewhere } from "../servers/elsewhere.ts";
import type { GameServer, ServiceFeature } from "../servers/game-server.ts";
import { createKnownList, type KnownList } from "./known-list.ts";
import type { ServerKnownPlayers } from "./known-players.ts";
import { createKnownPlayers, type KnownPlayers } from "./known-players.ts";
import type { KnownStore } from "./records.ts";
import { knownPlayersRoutes } from "./routes.ts";

/** Records the players reported by a game server. */
const knownFacts = (
  known: ServerKnownPlayers,
  { bus, elsewhere }: { bus: Pick<Bus, "lastSnapshot">; elsewhere: Pick<ServerPlayersElsewhere, "has"> },
): FactHandlers => ({
  joined: ({ row }, { lease }) => known.joined(row, lease),
  async left({ id, row }, { lease }) {
    // An old pack does not report the last row.
    const last = row ?? (await bus.lastSnapshot())?.rows.find(({ player }) => player.id === id);
    if (last && !elsewhere.has(last.player)) await known.left(last, lease);
  },
  chose: (fact, { lease }) => known.chose(fact, lease),
  forgot: (fact, { lease }) => known.forgot(fact, lease),
  listed: ({ at, rows }, { lease }) => known.listed({ at, rows: [...rows] }, lease),
  outcome: async (outcome, { lease }) => {
    if (mayBeOf(outcome, "forget")) await known.onOutcome(outcome, lease);
  },
});

/** `known` and `knownList` are undefined if known players are off. */
interface KnownPlayersFeature extends ServiceFeature {
  known: KnownPlayers | undefined;
  knownList: KnownList | undefined;
}

/** If known players are off, earlier records are erased. */
export async function createKnownPlayersFeature(
  { api, clock, log, servers }: ServiceContext,
  { store, elsewhere }: { store: KnownStore; elsewhere: PlayersElsewhere },
): Promise<KnownPlayersFeature> {
  const serveList =
    (knownList?: KnownList) =>
    (http: ListenerTools): ServedFeature<GameServer> => ({
      routes: bound(knownPlayersRoutes, { ...http, api, log, knownList }),
    });
  const { show, keepFor: keepForMs, staysFor: visitsForMs } = api.knownPlayers;
  if (show === "off") {
    await store.clear();
    return { known: undefined, knownList: undefined, serve: serveList() };
  }

  // Links have a separate queue and file: if one fails, the other still works.
  const erasing = createRetryQueue({ clock, log, what: "player records to erase" });
  const limits = { most: api.limits.knownPlayers, keepForMs, visitsForMs };
  const known = createKnownPlayers({ clock, log, store, runOrRetry: erasing.runOrRetry, servers, limits });
  const knownList = createKnownList({ store, servers });
  return {
    known,
    knownList,
    serve: serveList(knownList),
    facts: server => knownFacts(known.of(server), { bus: server.bus, elsewhere: elsewhere.of(server) }),
    gauges: [
      {
        name: "known_players",
        help: "Known players who may be listed, -1 when unknown",
        read: () => ({ value: knownList.total().catch(() => -1) }),
      },
    ],
    stop: erasing.stop,
    close: known.stop,
  };
}
