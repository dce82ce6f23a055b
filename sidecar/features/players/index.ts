import type { ServiceFeature } from "../servers/world.ts";
import { presenceFacts } from "./facts.ts";

/** Who comes and goes, as the feed tells it. */
export const playersFeature: ServiceFeature = { facts: ({ presence }) => presenceFacts(presence) };
