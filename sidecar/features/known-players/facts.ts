import { type FactHandlers, mayBeOf } from "../../kernel/bridge/facts.ts";
import type { Bus } from "../../kernel/storage/ports/game.ts";
import type { ServerPlayersElsewhere } from "../servers/elsewhere.ts";
import type { KnownHere } from "./known-players.ts";

/** Remembers the players whom a game server reports. */
export const knownFacts = (
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
