import { isDeepStrictEqual } from "node:util";
import type { ListedServer } from "../../../shared/public/game-server.ts";
import { prepareChanging, preparedAnswer } from "../../kernel/http/answer.ts";
import { type ApiSettings, WITHOUT_GAME } from "../../kernel/http/description.ts";
import { anybody, route, routes } from "../../kernel/http/route.ts";
import { cacheText } from "../status/routes.ts";
import type { GameServers } from "./game-server.ts";

export interface ServersRoutesDeps {
  api: ApiSettings;
  servers: GameServers;
}

export const serversRoutes = routes("Game server", {
  getServers: route(
    "GET /servers",
    {
      summary: "The game servers of this service",
      description: api =>
        `The first game server comes first; paths without a name apply to it. There may be only one. ${cacheText(api)} ${WITHOUT_GAME}`,
      auth: anybody,
      answers: { 200: { description: "The game servers.", body: "Servers" } },
      cached: true,
    },
    ({ api, servers }: ServersRoutesDeps) => {
      const prepare = prepareChanging<ListedServer[]>(api.metricsRefreshInterval);
      let last: ListedServer[] = [];
      return async ({ req }) => {
        const now = await Promise.all(servers.all.map(server => server.listing()));
        if (!isDeepStrictEqual(now, last)) last = now;
        return preparedAnswer(prepare(last), req);
      };
    },
  ),
});
