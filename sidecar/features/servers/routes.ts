import { isDeepStrictEqual } from "node:util";
import type { ListedServer } from "../../../shared/public/game.ts";
import type { PublicDeps, Route } from "../../kernel/http/deps.ts";
import { prepareChanging, sendPrepared } from "../../kernel/http/prepared.ts";

/** `GET /servers`: the game servers behind this service, and how they do. */
export function serversRoute({ api, worlds }: PublicDeps): Route<"servers"> {
  const answer = prepareChanging(api.metricsRefreshInterval);
  let last: ListedServer[] = [];
  return async (req, res) => {
    const now = await Promise.all(worlds.all.map(world => world.listed()));
    if (!isDeepStrictEqual(now, last)) last = now;
    sendPrepared(answer(last), req, res);
  };
}
