import type { RequestHandler } from "express";
import type { Config } from "../../config/settings.ts";
import { sendAnswer } from "../../kernel/http/answer.ts";
import type { Trust } from "../../kernel/http/client-address.ts";
import { ownAddress } from "../../kernel/http/origin.ts";
import { pagePolicy } from "../../kernel/http/page-policy.ts";
import { preparedAnswer } from "../../kernel/http/prepared.ts";
import type { GameServer, GameServers } from "../servers/game-server.ts";
import { createPage, type Owner } from "./page.ts";

export interface PageDeps {
  trust: Trust;
  web: Config["modules"]["web"];
  servers: GameServers;
}

/** Requests that the page preloads, as the build has written them for the first game server. */
const AHEAD = /(<link rel="preload"[^>]* href=")(?=(?:status|players|history)")/g;

/**
 * `GET /`: the page of the console, with the state of a game server in its head: the one in the query, such as `/?server=lobby`, or
 * else the first one. Caches have to revalidate it each time.
 */
export function pageRoute(
  { trust, web, servers }: PageDeps,
  built: Buffer,
  ownerOf: (server: GameServer) => Owner,
): RequestHandler {
  const { first, all } = servers;
  const html = built.toString();
  const pages = new Map(
    all.map(server => {
      const own = server === first ? html : html.replace(AHEAD, `$1servers/${server.name}/`);
      // Older browsers do not count WebSockets of the same host as `'self'`.
      const headersOf = (address: string) =>
        pagePolicy(web.frameOrigins, [
          "manifest-src 'self'",
          `connect-src 'self'${address.replace(/^http(s?:\/\/[^/]*).*$/, " ws$1")}`,
        ]);
      return [server, createPage(own, ownerOf(server), headersOf)];
    }),
  );
  return (req, res) => {
    const at = req.url.indexOf("?");
    const name = at === -1 ? null : new URLSearchParams(req.url.slice(at)).get("server");
    const server = (name !== null && servers.of(name)) || first;
    const players = server.snapshots.fresh()?.status.onlinePlayerCount;
    const page = pages.get(server)?.(players, ownAddress(req, trust));
    if (page) sendAnswer(res, preparedAnswer(page, req));
  };
}
