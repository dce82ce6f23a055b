import type { RequestHandler } from "express";
import type { Config } from "../../config/settings.ts";
import { sendAnswer } from "../../kernel/http/answer.ts";
import type { Trust } from "../../kernel/http/client-address.ts";
import { ownAddress } from "../../kernel/http/origin.ts";
import { pagePolicy } from "../../kernel/http/page-policy.ts";
import { preparedAnswer } from "../../kernel/http/prepared.ts";
import type { World, Worlds } from "../servers/world.ts";
import { createPage, type Owner } from "./page.ts";

export interface PageDeps {
  trust: Trust;
  web: Config["modules"]["web"];
  worlds: Worlds;
}

/** Requests that the page preloads, as the build has written them for the first game server. */
const AHEAD = /(<link rel="preload"[^>]* href=")(?=(?:status|players|history)")/g;

/**
 * `GET /`: the page of the console, with the state of a game server in its head: the one in the query, such as `/?server=lobby`, or
 * else the first one. Caches have to revalidate it each time.
 */
export function pageRoute(
  { trust, web, worlds }: PageDeps,
  built: Buffer,
  ownerOf: (world: World) => Owner,
): RequestHandler {
  const { first, all } = worlds;
  const html = built.toString();
  const pages = new Map(
    all.map(world => {
      const own = world === first ? html : html.replace(AHEAD, `$1servers/${world.name}/`);
      // Older browsers do not count WebSockets of the same host as `'self'`.
      const headersOf = (address: string) =>
        pagePolicy(web.frameOrigins, [
          "manifest-src 'self'",
          `connect-src 'self'${address.replace(/^http(s?:\/\/[^/]*).*$/, " ws$1")}`,
        ]);
      return [world, createPage(own, ownerOf(world), headersOf)];
    }),
  );
  return (req, res) => {
    const at = req.url.indexOf("?");
    const name = at === -1 ? null : new URLSearchParams(req.url.slice(at)).get("server");
    const world = (name !== null && worlds.of(name)) || first;
    const players = world.snapshots.fresh()?.status.onlinePlayerCount;
    const page = pages.get(world)?.(players, ownAddress(req, trust));
    if (page) sendAnswer(res, preparedAnswer(page, req));
  };
}
