import type { Route, WorldDeps } from "../../kernel/http/deps.ts";
import { prepareChanging, sendPrepared } from "../../kernel/http/prepared.ts";

/** `GET /server`: what is known of the game server. */
export function serverRoute({ api, world }: WorldDeps): Route<"server"> {
  const answer = prepareChanging(api.metricsRefreshInterval);
  return async (req, res) => sendPrepared(answer(await world.serverInfo()), req, res);
}
