import { type FactHandlers, mayBeOf } from "../../kernel/bridge/facts.ts";
import type { ServedFeature } from "../../kernel/feature.ts";
import type { ApiSettings } from "../../kernel/http/description.ts";
import type { ListenerTools } from "../../kernel/http/public.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Bus } from "../../kernel/storage/ports/game.ts";
import { createWaiting } from "../../kernel/storage/waiting.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { PlayersElsewhere, ServerPlayersElsewhere } from "../servers/elsewhere.ts";
import type { ServiceFeature, World, Worlds } from "../servers/world.ts";
import { createKnownList, type KnownList } from "./known-list.ts";
import type { KnownHere } from "./known-players.ts";
import { createKnownPlayers, type KnownPlayers } from "./known-players.ts";
import type { KnownStore } from "./records.ts";
import { knownPlayersRoutes } from "./routes.ts";

/** Remembers the players whom a game server reports. */
const knownFacts = (
  known: KnownHere,
  { bus, elsewhere }: { bus: Pick<Bus, "lastSnapshot">; elsewhere: Pick<ServerPlayersElsewhere, "has"> },
): FactHandlers => ({
  joined: ({ row }, { turn }) => known.joined(row, turn),
  async left({ id, row }, { turn }) {
    // An old pack does not report the last row.
    const last = row ?? (await bus.lastSnapshot())?.rows.find(({ player }) => player.id === id);
    if (last && !elsewhere.has(last.player)) await known.left(last, turn);
  },
  chose: (fact, { turn }) => known.chose(fact, turn),
  forgot: (fact, { turn }) => known.forgot(fact, turn),
  listed: ({ at, rows }, { turn }) => known.listed({ at, rows: [...rows] }, turn),
  outcome: async (outcome, { turn }) => {
    if (mayBeOf(outcome, "forget")) await known.told(outcome, turn);
  },
});

/** `known` and `knownList` are undefined where nobody is remembered. */
export interface KnownPlayersFeature extends ServiceFeature {
  known: KnownPlayers | undefined;
  knownList: KnownList | undefined;
}

/** Where nobody is to be remembered, earlier records are erased. */
export async function createKnownPlayersFeature(deps: {
  api: ApiSettings;
  clock: Clock;
  log: Log;
  store: KnownStore;
  worlds: Worlds;
  elsewhere: PlayersElsewhere;
}): Promise<KnownPlayersFeature> {
  const { api, clock, log, store, worlds, elsewhere } = deps;
  const serveList =
    (knownList?: KnownList) =>
    (http: ListenerTools): ServedFeature<World> => ({
      routes: bound(knownPlayersRoutes, { ...http, api, log, knownList }),
    });
  const { show, keepFor: keepForMs, staysFor: staysForMs } = api.knownPlayers;
  if (show === "off") {
    await store.clear();
    return { known: undefined, knownList: undefined, serve: serveList() };
  }

  // Links have a queue and a file of their own: where one fails, the other goes on.
  const erasing = createWaiting({ clock, log, what: "player records to erase" });
  const limits = { most: api.limits.knownPlayers, keepForMs, staysForMs };
  const known = createKnownPlayers({ clock, log, store, keep: erasing.keep, worlds, limits });
  const knownList = createKnownList({ store, worlds });
  return {
    ...{ known, knownList, serve: serveList(knownList) },
    facts: ({ name, bus }) => knownFacts(known.of(name), { bus, elsewhere: elsewhere.of(name) }),
    gauges: [
      {
        name: "known_players",
        help: "Players who have been here and may be listed, -1 when unknown",
        read: () => ({ value: knownList.total().catch(() => -1) }),
      },
    ],
    stop: erasing.stop,
    close: known.stop,
  };
}
