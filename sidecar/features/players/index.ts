import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import type { ServiceFeature } from "../servers/world.ts";
import type { WhoIsThere } from "./presence.ts";

/** Tells the feed who comes and goes. */
const presenceFacts = (presence: WhoIsThere): FactHandlers => ({
  began: (_, { run, turn }) => presence.began(run, turn),
  joined: ({ row }, { run, turn, key }) => presence.joined(run, row, { turn, key }),
  left: ({ id }, { run, turn, key }) => presence.left(run, id, { turn, key }),
  listed: ({ rows }, { run, turn }) => presence.listed(run, rows, turn),
});

/** Who comes and goes, as the feed tells it. */
export const playersFeature: ServiceFeature = { facts: ({ presence }) => presenceFacts(presence) };
