import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import type { PresenceTracker } from "./presence.ts";

const presenceFacts = (presence: PresenceTracker): FactHandlers => ({
  began: (_, { run, lease }) => presence.began(run, lease),
  joined: ({ row }, { run, lease, key }) => presence.joined(run, row, { lease, key }),
  left: ({ id }, { run, lease, key }) => presence.left(run, id, { lease, key }),
  listed: ({ rows }, { run, lease }) => presence.listed(run, rows, lease),
});

/** Reports joins and leaves in the feed. */
export const playersFeature: ServiceFeature = { facts: ({ presence }) => presenceFacts(presence) };
