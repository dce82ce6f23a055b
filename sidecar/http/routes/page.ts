import type { RequestHandler } from "express";
import { ownAddress } from "../origin.ts";
import { createPage, type Owner } from "../page.ts";
import { pagePolicy } from "../page-policy.ts";
import { sendPrepared } from "../prepared.ts";
import type { ListenerDeps } from "./deps.ts";

/**
 * `GET /`: the page of the console, with the state of the game server in its head. Whoever keeps it has to ask each time whether
 * it is still the same.
 */
export function pageRoute(
  { trust, web, worlds: { first: world } }: ListenerDeps,
  built: Buffer,
  owner: Owner,
): RequestHandler {
  const pageOf = createPage(built.toString(), owner, address =>
    // Older browsers do not count WebSockets of the same host as `'self'`.
    pagePolicy(web.frameOrigins, [
      "manifest-src 'self'",
      `connect-src 'self'${address.replace(/^http(s?:\/\/[^/]*).*$/, " ws$1")}`,
    ]),
  );
  return (req, res) =>
    sendPrepared(pageOf(world.snapshots.fresh()?.status.onlinePlayerCount, ownAddress(req, trust)), req, res);
}
