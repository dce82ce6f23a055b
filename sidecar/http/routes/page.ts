import type { RequestHandler } from "express";
import { ownAddress } from "../origin.ts";
import { createPage, type Owner } from "../page.ts";
import { sendPrepared } from "../prepared.ts";
import type { ListenerDeps } from "./deps.ts";

/**
 * `GET /`: the page of the console, with the state of the game server in its head. Whoever keeps it has to ask each time whether
 * it is still the same.
 */
export function pageRoute(
  { snapshots, trust, web }: ListenerDeps,
  built: Buffer,
  owner: Owner,
): RequestHandler {
  const pageOf = createPage(built.toString(), owner, address => ({
    "Content-Security-Policy": policy(address, web.frameOrigins),
    "Referrer-Policy": "no-referrer",
  }));
  return (req, res) =>
    sendPrepared(pageOf(snapshots.fresh()?.status.onlinePlayerCount, ownAddress(req, trust)), req, res);
}

/** Nothing but the service itself may be loaded or asked, and only pages of the listed origins may frame the page. */
const policy = (address: string, frameOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "manifest-src 'self'",
    // Older browsers do not count WebSockets of the same host as `'self'`.
    `connect-src 'self'${address.replace(/^http(s?:\/\/[^/]*).*$/, " ws$1")}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(" ")}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
