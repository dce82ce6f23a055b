import { type Infer, object } from "../../../shared/guard.ts";
import { isUuid } from "../../../shared/public/declare.ts";
import type { alreadyPending, SessionData } from "../../../shared/public/linking.ts";
import { sendJson } from "../../kernel/http/answer.ts";
import { anything, maybeText } from "../../kernel/http/body.ts";
import { addressKey } from "../../kernel/http/client-address.ts";
import { type PublicDeps, type Route, sendUnavailable } from "../../kernel/http/deps.ts";
import { sendError, sendFieldError, sendUnexpected } from "../../kernel/http/errors.ts";
import { retryAfter } from "../../kernel/http/headers.ts";
import { perMinute, secondsToNext } from "../../platform/rate.ts";
import type { World } from "../servers/world.ts";
import { whereIs } from "./link-worlds.ts";
import type { ForSite, Link } from "./rules/links.ts";

export const linkRequest = object({ username: maybeText, server: anything });

type Pending = Infer<typeof alreadyPending>;

/** `POST /link-player`; `signIn`: for which site, where it is asked for one. */
export function linkPlayerRoute({ api, links, log, rates, refusals, worlds }: PublicDeps) {
  const { linkRequestsPerMinute, linkRequestsPerMinutePerAddress } = api.limits;
  const bySession = { name: "link-session", ...perMinute(linkRequestsPerMinute) } as const;
  const byAddress = { name: "link-address", ...perMinute(linkRequestsPerMinutePerAddress) } as const;

  /** The game servers that may be asked for a player; undefined: there is none of this name. */
  function named(server: unknown): readonly World[] | undefined {
    if (server === undefined || server === null) return worlds.all;
    const world = typeof server === "string" ? worlds.of(server) : undefined;
    return world && [world];
  }

  return (
    session: string,
    { username, server }: Infer<typeof linkRequest>,
    signIn?: ForSite,
  ): Route<"linkPlayer", Pending> =>
    async (req, res) => {
      if (!username?.trim()) return sendError(res, "missing_username");
      const asked = named(server);
      if (asked === undefined) return sendFieldError(res, "unknown_server");
      const there = asked.filter(({ snapshots }) => snapshots.fresh());
      if (there.length === 0) return sendUnavailable(res, api);

      const address = addressKey(req.ip ?? "");
      const taken = rates.take({ key: address, rate: byAddress }, { key: session, rate: bySession });
      const over = [byAddress, bySession][typeof taken === "number" ? taken : await taken];
      if (over) {
        refusals.noted(over.name, address);
        return sendError(res, "rate_limited", retryAfter(secondsToNext(over)));
      }

      const ended = await links.linkPlayer(session, username, address, there, signIn);
      switch (ended.answer) {
        case "verification_sent":
          return sendJson(res, { status: "verification_sent" }, 202);
        case "already_pending":
          return sendJson(res, { status: "already_pending" }, 409);
        case "player_offline":
          return sendError(res, "player_offline");
        case "unstored":
          return sendUnavailable(res, api);
        case "held":
          refusals.noted(`link-${ended.by}`, address);
          return sendError(res, "rate_limited", retryAfter(Math.max(1, Math.ceil(ended.waitMs / 1000))));
        case "busy":
          refusals.noted("link-waiting", address);
          return sendError(res, "rate_limited", retryAfter(secondsToNext(bySession)));
        case "unexpected":
          return sendUnexpected(res, log, { why: ended.why });
        default:
          return ended satisfies never;
      }
    };
}

/** `GET /linked-player`. */
export const linkedPlayerRoute =
  ({ links, worlds }: PublicDeps) =>
  (session: string): Route<"linkedPlayer"> =>
  async (_req, res) => {
    const link = await links.link(session);
    const playerData = link.status === "accepted" ? whereIs(link.player.uuid, worlds.all)?.player : undefined;
    sendJson(res, playerData ? { status: link.status, playerData } : { status: link.status });
  };

/** `GET /session`: the session of the browser, and the player that it is linked to, online or not. */
export const sessionRoute =
  ({ links }: PublicDeps) =>
  (session: string): Route<"session"> =>
  async (_req, res) => {
    sendJson(res, sessionData(session, await links.link(session)));
  };

/** `GET /session/label`: what the feed calls the browser. */
export const labelRoute =
  ({ labelOf }: PublicDeps) =>
  (session: string): Route<"label"> =>
  (_req, res) =>
    sendJson(res, { label: labelOf(session) });

/** `GET /sessions/<id>`: the same of any session that has asked for a link. Stands behind a key. */
export const sessionsRoute =
  ({ links }: PublicDeps): Route<"sessionOf"> =>
  async (req, res) => {
    const session = `${req.params.id}`.toLowerCase();
    const link = isUuid(session) ? await links.known(session) : undefined;
    if (link === undefined) return sendError(res, "unknown_session");
    sendJson(res, sessionData(session, link));
  };

function sessionData(userId: string, link: Link): SessionData {
  if (link.status !== "accepted") {
    const isAlike = link.status === "declined" && link.alike !== undefined;
    const reason = isAlike ? { reason: "same_characters" as const } : {};
    return { userId, status: link.status, player: null, linkedAt: null, ...reason };
  }
  const { name, uuid } = link.player;
  return { userId, status: link.status, player: { name, uuid }, linkedAt: link.at ?? null };
}

/** `POST /unlink-player`. */
export const unlinkPlayerRoute =
  ({ links }: PublicDeps) =>
  (session: string): Route<"unlinkPlayer"> =>
  async (_req, res) => {
    const ended = await links.unlink(session);
    if (ended) sendJson(res, { status: "unlinked" });
    else sendError(res, "not_linked");
  };
