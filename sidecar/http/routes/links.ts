import type { RequestHandler } from "express";
import type { Acknowledged, PlayerData } from "../../../client/types.ts";
import { jsonObject } from "../body.ts";
import { addressKey } from "../client.ts";
import { sendError, sendUnavailable, sendUnexpected } from "../errors.ts";
import { createRateLimiter, perMinute } from "../rate-limit.ts";
import { sessionOf } from "../session.ts";
import { type PublicDeps, type Route, retryAfterSeconds } from "./deps.ts";

/** Refuses a request without a session, before its body is read. */
export function needSession({ api }: PublicDeps): RequestHandler {
  return (req, res, next) => {
    if (sessionOf(req, api.sessionCookie.name) === undefined) sendError(res, "missing_session");
    else next();
  };
}

/** `POST /link-player`. Stands behind `needSession` and the body reader. */
export function linkPlayerRoute(deps: PublicDeps): Route<"linkPlayer", Acknowledged<"already_pending">> {
  const { api, clock, links, log, snapshots } = deps;
  const { linkRequestsPerMinute, linkRequestsPerMinutePerAddress } = api.limits;
  const bySession = createRateLimiter(perMinute(linkRequestsPerMinute));
  const byAddress = createRateLimiter(perMinute(linkRequestsPerMinutePerAddress));

  return async (req, res) => {
    const session = sessionOf(req, api.sessionCookie.name) ?? "";
    const body = jsonObject(req.headers["content-type"], req.body);
    const username = body?.username ?? null;
    if (!body || (username !== null && typeof username !== "string")) return sendError(res, "invalid_body");
    if (username === null || username.trim() === "") return sendError(res, "missing_username");
    if (!snapshots.fresh()) return sendUnavailable(res, retryAfterSeconds(api));

    const now = clock.now();
    for (const [buckets, key] of [
      [byAddress, addressKey(req.ip ?? "")],
      [bySession, session],
    ] as const) {
      if (buckets.take(key, now)) continue;
      res.set("Retry-After", String(buckets.retryAfterSeconds));
      return sendError(res, "rate_limited");
    }

    const asked = await links.linkPlayer(session, username);
    switch (asked.answer) {
      case "verification_sent":
        res.status(202).json({ status: "verification_sent" });
        return;
      case "already_pending":
        res.status(409).json({ status: "already_pending" });
        return;
      case "player_offline":
        return sendError(res, "player_offline");
      case "busy":
        res.set("Retry-After", String(bySession.retryAfterSeconds));
        return sendError(res, "rate_limited");
      case "unexpected":
        return sendUnexpected(res, log, { why: asked.why });
      default:
        return asked satisfies never;
    }
  };
}

/** `GET /linked-player`. */
export function linkedPlayerRoute({ api, links, snapshots }: PublicDeps): Route<"linkedPlayer"> {
  return async (req, res) => {
    const link = await links.link(sessionOf(req, api.sessionCookie.name) ?? "");
    const playerData: PlayerData | undefined =
      link.status === "accepted"
        ? snapshots.fresh()?.players.find(player => player.uuid === link.player.uuid)
        : undefined;
    res.json(playerData ? { status: link.status, playerData } : { status: link.status });
  };
}

/** `POST /unlink-player`. */
export function unlinkPlayerRoute({ api, links }: PublicDeps): Route<"unlinkPlayer"> {
  return async (req, res) => {
    const ended = await links.unlink(sessionOf(req, api.sessionCookie.name) ?? "");
    if (ended) res.json({ status: "unlinked" });
    else sendError(res, "not_linked");
  };
}
