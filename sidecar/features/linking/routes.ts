import { randomUUID } from "node:crypto";
import type { Request } from "express";
import { anything, type Infer, object } from "../../../shared/guard.ts";
import { MAX_FORMS_PER_PLAYER } from "../../../shared/limits.ts";
import type { SessionData } from "../../../shared/public/linking.ts";
import { isUuid } from "../../../shared/public/schema-guards.ts";
import { json, retryAfter } from "../../kernel/http/answer.ts";
import { maybeText } from "../../kernel/http/body.ts";
import { addressKey, type Trust } from "../../kernel/http/client-address.ts";
import { type ApiSettings, pathParameter, time, WITHOUT_GAME } from "../../kernel/http/description.ts";
import {
  errorAnswer,
  errorWith,
  fieldErrorAnswer,
  unavailable,
  unexpected,
} from "../../kernel/http/errors.ts";
import { withKey } from "../../kernel/http/keys.ts";
import type { Refusals } from "../../kernel/http/refusals.ts";
import { route, routes } from "../../kernel/http/route.ts";
import { createSetSession, maybeSession, readSession, session } from "../../kernel/http/session.ts";
import type { Rates } from "../../kernel/storage/ports.ts";
import type { Log } from "../../platform/log.ts";
import { perMinute, secondsToNext } from "../../platform/rate.ts";
import type { LabelOf } from "../chat/chat.ts";
import type { GameServer, GameServers } from "../servers/game-server.ts";
import { whereIs } from "./link-servers.ts";
import type { Links } from "./links.ts";
import { type DeclineReason, declineReason, type Link, type SiteSignIn } from "./rules/links.ts";
import { MAX_FORMS_OF_ADDRESS } from "./rules/player-requests.ts";

export interface AskPlayerDeps {
  api: ApiSettings;
  links: Links;
  log: Log;
  rates: Rates;
  refusals: Refusals;
  servers: GameServers;
}

export const linkRequest = object({ username: maybeText, server: anything });

/** What asking a player may come to, for every route that does. */
export const ASK_ANSWERS = {
  answers: {
    202: { description: "The player is being asked.", body: "VerificationSent" },
    409: {
      description: "A request of this session is open already. It has `status` and no `error`.",
      body: "AlreadyPending",
    },
  },
  fieldErrors: ["unknown_server"],
} as const;

/** The message where a player gets no request for now. The reason is the player's own. */
const HELD = "This player gets no link request for now. Try again after the seconds in `Retry-After`.";

/** Makes what asks a player to be linked to a session; `signIn`: for which site, where it is asked for one. */
export function createAskPlayer({ api, links, log, rates, refusals, servers }: AskPlayerDeps) {
  const { linkRequestsPerMinute, linkRequestsPerMinutePerAddress } = api.limits;
  const bySession = { name: "link-session", ...perMinute(linkRequestsPerMinute) } as const;
  const byAddress = { name: "link-address", ...perMinute(linkRequestsPerMinutePerAddress) } as const;

  /** The game servers that may be asked for a player; undefined: there is none of this name. */
  function named(server: unknown): readonly GameServer[] | undefined {
    if (server === undefined || server === null) return servers.all;
    const gameServer = typeof server === "string" ? servers.of(server) : undefined;
    return gameServer && [gameServer];
  }

  return async (
    req: Request,
    session: string,
    { username, server }: Infer<typeof linkRequest>,
    signIn?: SiteSignIn,
  ) => {
    if (!username?.trim()) return errorWith("missing_username", { field: "username" });
    const asked = named(server);
    if (asked === undefined) return fieldErrorAnswer("unknown_server", { field: "server" });
    const there = asked.filter(({ snapshots }) => snapshots.fresh());
    if (there.length === 0) return unavailable(api);

    const address = addressKey(req.ip ?? "");
    const taken = rates.take({ key: address, rate: byAddress }, { key: session, rate: bySession });
    const over = [byAddress, bySession][typeof taken === "number" ? taken : await taken];
    if (over) {
      refusals.count(over.name, address);
      return errorAnswer("rate_limited", retryAfter(secondsToNext(over)));
    }

    const ended = await links.linkPlayer(session, username, address, there, signIn);
    switch (ended.answer) {
      case "verification_sent":
        return json({ status: "verification_sent" }, 202);
      case "already_pending":
        return json({ status: "already_pending" }, 409);
      case "player_offline":
        return errorWith("player_offline", { field: "username" });
      case "unstored":
        return unavailable(api);
      case "held":
        refusals.count(`link-${ended.by}`, address);
        return errorWith(
          "rate_limited",
          { field: "username", message: HELD },
          retryAfter(Math.max(1, Math.ceil(ended.waitMs / 1000))),
        );
      case "busy":
        refusals.count("link-waiting", address);
        return errorAnswer("rate_limited", retryAfter(secondsToNext(bySession)));
      case "unexpected":
        return unexpected(log, { why: ended.why });
      default:
        return ended satisfies never;
    }
  };
}

export interface LinkingRoutesDeps extends AskPlayerDeps {
  labelOf: LabelOf;
  trust: Trust;
}

function rateOfRequests({ limits }: ApiSettings): string {
  const coolDown =
    limits.linkCoolDown > 0
      ? ` An address or session that one player refused three times within ten minutes waits ${time(limits.linkCoolDown)}, and twice as long after each further refusal.`
      : "";
  return `at most ${MAX_FORMS_PER_PLAYER} requests wait for one player, ${MAX_FORMS_OF_ADDRESS} of them of one address, a session may ask ${limits.linkRequestsPerMinute} times a minute and an address ${limits.linkRequestsPerMinutePerAddress} times, and ${limits.linkRequestsPerMinutePerPlayer} requests within a minute reach one player. All together may ask for players online ${limits.linkRequestsBurst} times at once and ${limits.linkRequestsPerSecond} times a second lasting, and as often for other names.${coolDown} Beyond each, 429 is answered, and nothing changes for the session.`;
}

/** Why a request was declined, where that is known. */
function reasonOf(link: Link): { reason?: DeclineReason } {
  const reason = link.status === "declined" ? declineReason(link) : undefined;
  return reason === undefined ? {} : { reason };
}

function sessionData(userId: string, link: Link): SessionData {
  if (link.status !== "accepted")
    return { userId, status: link.status, player: null, linkedAt: null, ...reasonOf(link) };
  const { name, uuid } = link.player;
  return { userId, status: link.status, player: { name, uuid }, linkedAt: link.at ?? null };
}

export const linkingRoutes = routes("Linking", {
  /** A session with a link gets its cookie again, so that the cookie does not expire while the browser keeps coming back. */
  initialize: route(
    "GET /initialize",
    {
      summary: "The browser session",
      description: api =>
        `Tells the session that the cookie names. When there is none, or its value is no UUID, makes one and sets the cookie for ${time(api.sessionCookie.maxAge)}. A session with an accepted link gets the same cookie again, for as long, where the link can be looked up at the moment. No cookie is set for a browser that another site has sent here (\`Sec-Fetch-Site: cross-site\`): the one that it has stays behind then. Cookies that name different sessions are answered with 401. ${WITHOUT_GAME}`,
      auth: maybeSession,
      answers: { 200: { description: "The session.", body: "InitializationData", headers: ["Set-Cookie"] } },
      errors: ["missing_session"],
    },
    ({ api, links, trust }: LinkingRoutesDeps) => {
      const { name } = api.sessionCookie;
      const setSession = createSetSession(api.sessionCookie, trust);
      const isLinked = (session: string): Promise<boolean> =>
        links.link(session).then(
          ({ status }) => status === "accepted",
          () => false,
        );

      return async ({ req, res }) => {
        // Where another site has sent the browser here, its cookie has stayed behind (`SameSite=Strict`): a new one would take
        // the place of the session that it has.
        const mayHave = req.get("Sec-Fetch-Site") !== "cross-site";
        const known = readSession(req, name);
        if ("value" in known) {
          if (mayHave && (await isLinked(known.value))) setSession(req, res, known.value);
          return json({ status: "existing", userId: known.value });
        }
        if (known.fault === "ambiguous") return errorAnswer("missing_session");
        const userId = randomUUID();
        if (mayHave) setSession(req, res, userId);
        return json({ status: "new", userId });
      };
    },
  ),
  linkPlayer: route(
    "POST /link-player",
    {
      ...ASK_ANSWERS,
      summary: "Ask a player to be linked to this browser",
      description: api =>
        `A form opens for the player inside the game, with the first eight characters of the session. Of several game servers the first is asked that lists a player of this name, and no other than \`server\` where that is sent; a link holds for the player on all of them. Unanswered it is declined after ${time(api.verificationTimeout)}. From \`declined\` and \`accepted\` a new request begins; an earlier link ends once the new player is found online. A request that shows a player the same characters as one of another session ends with it: that one is \`declined\` and its form goes, this one is answered 429, and \`GET /session\` has the \`reason\` for both; requests with these characters then wait as long as a request lasts, and twice as long each further time. A player may block all requests. The session is checked before the body.`,
      rate: rateOfRequests,
      auth: session,
      body: ["LinkRequest", linkRequest],
      errors: ["missing_username", "player_offline", "unexpected_result", "server_unavailable"],
    },
    (deps: LinkingRoutesDeps) => {
      const ask = createAskPlayer(deps);
      return ({ req, session, body }) => ask(req, session, body);
    },
  ),
  getLinkedPlayer: route(
    "GET /linked-player",
    {
      summary: "The link of this browser",
      description: `${WITHOUT_GAME} Ask again every few seconds while it is \`pending\`.`,
      auth: session,
      answers: { 200: { description: "The link, whatever its status.", body: "LinkedPlayerResponse" } },
      errors: ["unexpected_result", "server_unavailable"],
    },
    ({ links, servers }: LinkingRoutesDeps) =>
      async ({ session }) => {
        const link = await links.link(session);
        const playerData =
          link.status === "accepted" ? whereIs(link.player.uuid, servers.all)?.player : undefined;
        return json({ status: link.status, ...reasonOf(link), ...(playerData && { playerData }) });
      },
  ),
  cancelLinkRequest: route(
    "DELETE /link-request",
    {
      summary: "Cancel the pending request of this browser",
      description: `The form in the game closes, and the session is \`not_linked\`: an earlier link ended when the request began. A cancelled request counts as a declined one for the waits of \`POST /link-player\`. A body is not read. ${WITHOUT_GAME}`,
      auth: session,
      answers: { 200: { description: "The request is cancelled.", body: "LinkRequestCancelled" } },
      errors: ["no_request", "unexpected_result", "server_unavailable"],
    },
    ({ links }: LinkingRoutesDeps) =>
      async ({ session }) =>
        (await links.withdraw(session)) ? json({ status: "cancelled" }) : errorAnswer("no_request"),
  ),
  unlinkPlayer: route(
    "POST /unlink-player",
    {
      summary: "End the link of this browser",
      description: `Only an accepted link can be ended. The player is told in the game when online. A body is not read. ${WITHOUT_GAME}`,
      auth: session,
      answers: { 200: { description: "The link is gone.", body: "Unlinked" } },
      errors: ["not_linked", "unexpected_result", "server_unavailable"],
    },
    ({ links }: LinkingRoutesDeps) =>
      async ({ session }) =>
        (await links.unlink(session)) ? json({ status: "unlinked" }) : errorAnswer("not_linked"),
  ),
  getSession: route(
    "GET /session",
    {
      summary: "This browser's session and the player linked to it",
      description: `The player is told while offline, too. ${WITHOUT_GAME}`,
      auth: session,
      answers: { 200: { description: "The session, whatever its status.", body: "SessionData" } },
      errors: ["unexpected_result", "server_unavailable"],
    },
    ({ links }: LinkingRoutesDeps) =>
      async ({ session }) =>
        json(sessionData(session, await links.link(session))),
  ),
  getSessionLabel: route(
    "GET /session/label",
    {
      summary: "What this browser's lines are called by in the feed",
      description: `A page knows its own lines in \`GET /events\` by it. Nobody learns a character of the session from it. ${WITHOUT_GAME}`,
      auth: session,
      answers: { 200: { description: "The label.", body: "SessionLabel" } },
    },
    ({ labelOf }: LinkingRoutesDeps) =>
      ({ session }) =>
        json({ label: labelOf(session) }),
  ),
});

export const sessionRoutes = routes("Linking", {
  /** Any session that has asked for a link, for servers of websites. */
  getSessionOf: route(
    "GET /sessions/{id}",
    {
      summary: "The player linked to a session, for servers of websites",
      description: api =>
        `The same as \`GET /session\` of any session, for whoever has a key with the scope \`links:read\`. A session is known once it has asked for a link, and for ${time(api.sessionCookie.maxAge)} after it was declined or its link has ended; one whose question reached nobody is not. ${WITHOUT_GAME}`,
      auth: withKey("links:read"),
      parameters: [
        pathParameter(
          "id",
          "Id of the session, a UUID: the value of the cookie, `userId` of `GET /initialize`.",
          "faa3b7a4-83ac-4f2a-b301-e28f85630885",
        ),
      ],
      answers: { 200: { description: "The session.", body: "SessionData" } },
      errors: ["unknown_session", "server_unavailable", "unexpected_result"],
    },
    ({ links }: LinkingRoutesDeps) =>
      async ({ req }) => {
        const session = `${req.params.id}`.toLowerCase();
        const link = isUuid(session) ? await links.known(session) : undefined;
        return link === undefined
          ? errorWith("unknown_session", { field: "id" })
          : json(sessionData(session, link));
      },
  ),
});
