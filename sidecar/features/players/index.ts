import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import type { ServiceFeature } from "../servers/world.ts";
import type { WhoIsThere } from "./presence.ts";

const presenceFacts = (presence: WhoIsThere): FactHandlers => ({
  began: (_, { run, turn }) => presence.began(run, turn),
  joined: ({ row }, { run, turn, key }) => presence.joined(run, row, { turn, key }),
  left: ({ id }, { run, turn, key }) => presence.left(run, id, { turn, key }),
  listed: ({ rows }, { run, turn }) => presence.listed(run, rows, turn),
});

/** Joins and leaves for the feed. */
export const playersFeature: ServiceFeature = { facts: ({ presence }) => presenceFacts(presence) };
