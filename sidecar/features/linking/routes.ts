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

export interface LinkRequestDeps {
  api: ApiSettings;
  links: Links;
  log: Log;
  rates: Rates;
  refusals: Refusals;
  servers: GameServers;
}

export const linkRequest = object({ username: maybeText, server: anything });

/** Responses of every route that sends a link request. */
export const LINK_REQUEST_ANSWERS = {
  answers: {
    202: { description: "The request is sent.", body: "VerificationSent" },
    409: {
      description: "This session already has a pending request. The body has `status` and no `error`.",
      body: "AlreadyPending",
    },
  },
  fieldErrors: ["unknown_server"],
} as const;

/** The message where a player gets no request for now. The reason is the player's own. */
const LIMITED =
  "This player can't get a link request right now. Try again after the seconds in `Retry-After`.";

/** Makes the handler of routes that send a link request; `signIn`: the sign-in that the request is for, if any. */
export function createLinkRequestHandler({ api, links, log, rates, refusals, servers }: LinkRequestDeps) {
  const { linkRequestsPerMinute, linkRequestsPerMinutePerAddress } = api.limits;
  const bySession = { name: "link-session", ...perMinute(linkRequestsPerMinute) } as const;
  const byAddress = { name: "link-address", ...perMinute(linkRequestsPerMinutePerAddress) } as const;

  /** The game servers to look for the player on; undefined: there is no game server of this name. */
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
    const wanted = named(server);
    if (wanted === undefined) return fieldErrorAnswer("unknown_server", { field: "server" });
    const online = wanted.filter(({ snapshots }) => snapshots.fresh());
    if (online.length === 0) return unavailable(api);

    const address = addressKey(req.ip ?? "");
    const taken = rates.take({ key: address, rate: byAddress }, { key: session, rate: bySession });
    const over = [byAddress, bySession][typeof taken === "number" ? taken : await taken];
    if (over) {
      refusals.count(over.name, address);
      return errorAnswer("rate_limited", retryAfter(secondsToNext(over)));
    }

    const ended = await links.linkPlayer(session, username, address, online, signIn);
    switch (ended.answer) {
      case "verification_sent":
        return json({ status: "verification_sent" }, 202);
      case "already_pending":
        return json({ status: "already_pending" }, 409);
      case "player_offline":
        return errorWith("player_offline", { field: "username" });
      case "unstored":
        return unavailable(api);
      case "limited":
        refusals.count(`link-${ended.by}`, address);
        return errorWith(
          "rate_limited",
          { field: "username", message: LIMITED },
          retryAfter(Math.max(1, Math.ceil(ended.waitMs / 1000))),
        );
      case "busy":
        refusals.count("link-waiting", address);
        return errorAnswer("rate_limited", retryAfter(secondsToNext(bySession)));
      case "unexpected":
        return unexpected(log, req, { why: ended.why });
      default:
        return ended satisfies never;
    }
  };
}

export interface LinkingRoutesDeps extends LinkRequestDeps {
  labelOf: LabelOf;
  trust: Trust;
  /** what the player of a link may do without a key; undefined: nothing */
  moderatorOf(link: Link): Promise<{ scopes: readonly string[] } | undefined>;
}

function rateOfRequests({ limits }: ApiSettings): string {
  const coolDown =
    limits.linkCoolDown > 0
      ? ` After three requests of an address or session for one player were declined, cancelled or timed out within ten minutes, the next has to wait ${time(limits.linkCoolDown)}, and twice as long after each further one.`
      : "";
  return `a player can have ${MAX_FORMS_PER_PLAYER} pending requests, ${MAX_FORMS_OF_ADDRESS} of them from one address, and gets at most ${limits.linkRequestsPerMinutePerPlayer} a minute. A session can send ${limits.linkRequestsPerMinute} requests a minute, and an address ${limits.linkRequestsPerMinutePerAddress}. All visitors together can send ${limits.linkRequestsPerSecond} requests a second to online players, with bursts of ${limits.linkRequestsBurst}, and the same again to other names.${coolDown} Over a limit the response is 429, and nothing changes for the session.`;
}

/** Why a request was declined, where that is known. */
function reasonOf(link: Link): { reason?: DeclineReason } {
  const reason = link.status === "declined" ? declineReason(link) : undefined;
  return reason === undefined ? {} : { reason };
}

async function sessionData(
  { moderatorOf }: Pick<LinkingRoutesDeps, "moderatorOf">,
  userId: string,
  link: Link,
): Promise<SessionData> {
  if (link.status === "accepted") {
    const { name, uuid } = link.player;
    const scopes = [...((await moderatorOf(link))?.scopes ?? [])];
    return { userId, status: link.status, player: { name, uuid }, linkedAt: link.at ?? null, scopes };
  }
  const unlinked = { userId, player: null, linkedAt: null, scopes: [] };
  if (link.status !== "declined") return { status: link.status, ...unlinked };
  return { status: link.status, ...unlinked, ...reasonOf(link) };
}

export const linkingRoutes = routes("Linking", {
  /** A linked session gets its cookie again, so that it does not expire while the browser keeps coming back. */
  initialize: route(
    "GET /initialize",
    {
      summary: "The browser session",
      description: api =>
        `Returns the session of the cookie. Without a cookie, or if its value is not a UUID, creates a session and sets the cookie for ${time(api.sessionCookie.maxAge)}. A session with an accepted link gets its cookie again for that time, unless links cannot be read at the moment. A request from another site (\`Sec-Fetch-Site: cross-site\`) sets no cookie, since browsers leave an existing one out of it. Cookies that name different sessions get 401. ${WITHOUT_GAME}`,
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
        // In a request from another site the browser leaves its cookie out (`SameSite=Strict`): a new one would replace its
        // session.
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
      ...LINK_REQUEST_ANSWERS,
      summary: "Send a link request to a player",
      description: api =>
        `A form opens for the player in the game and shows the first eight characters of the session. With several game servers, the request goes to the first one that lists a player of this name, or to \`server\` alone; the link counts on all of them. After ${time(api.verificationTimeout)} without an answer the request is \`declined\`. While it is \`declined\` or \`accepted\`, a new request can be sent; an earlier link ends once the new player is found online. If another session with the same first eight characters has a pending request for this player, both end: that one is \`declined\` and its form closes, this one gets 429, and \`GET /linked-player\` has the \`reason\` for both. Requests with these characters then have to wait as long as a request lasts, and twice as long each further time. Players can block all requests.`,
      rate: rateOfRequests,
      auth: session,
      body: ["LinkRequest", linkRequest],
      errors: ["missing_username", "player_offline", "unexpected_result", "server_unavailable"],
    },
    (deps: LinkingRoutesDeps) => {
      const send = createLinkRequestHandler(deps);
      return ({ req, session, body }) => send(req, session, body);
    },
  ),
  getLinkedPlayer: route(
    "GET /linked-player",
    {
      summary: "The link of this browser",
      description: `${WITHOUT_GAME} Repeat the request every few seconds while \`status\` is \`pending\`.`,
      auth: session,
      answers: { 200: { description: "The link, in any status.", body: "LinkedPlayerResponse" } },
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
      description: `The form in the game closes, and the session is \`not_linked\`: an earlier link ended when the request began. Only a sign-in request to the linked player leaves the link as it is. A cancelled request counts like a declined one in the limits of \`POST /link-player\`. A body is not read. ${WITHOUT_GAME}`,
      auth: session,
      answers: { 200: { description: "The request is cancelled.", body: "LinkRequestCancelled" } },
      errors: ["no_request", "unexpected_result", "server_unavailable"],
    },
    ({ links }: LinkingRoutesDeps) =>
      async ({ session }) =>
        (await links.cancelRequest(session)) ? json({ status: "cancelled" }) : errorAnswer("no_request"),
  ),
  unlinkPlayer: route(
    "POST /unlink-player",
    {
      summary: "End the link of this browser",
      description: `Only an accepted link can be ended. The player gets a message in the game when online. A body is not read. ${WITHOUT_GAME}`,
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
      description: `Includes players who are offline. ${WITHOUT_GAME}`,
      auth: session,
      answers: { 200: { description: "The session, in any status.", body: "SessionData" } },
      errors: ["unexpected_result", "server_unavailable"],
    },
    (deps: LinkingRoutesDeps) =>
      async ({ session }) =>
        json(await sessionData(deps, session, await deps.links.link(session))),
  ),
  getSessionLabel: route(
    "GET /session/label",
    {
      summary: "The label of this browser's chat messages in events",
      description: `With it a page recognises its own messages in \`GET /events\`. It reveals nothing of the session. ${WITHOUT_GAME}`,
      auth: session,
      answers: { 200: { description: "The label.", body: "SessionLabel" } },
    },
    ({ labelOf }: LinkingRoutesDeps) =>
      ({ session }) =>
        json({ label: labelOf(session) }),
  ),
});

export const sessionRoutes = routes("Linking", {
  /** Any session that has sent a link request, for servers of websites. */
  getSessionOf: route(
    "GET /sessions/{id}",
    {
      summary: "The player linked to a session, for servers of websites",
      description: api =>
        `Like \`GET /session\`, for any session. Unknown sessions return 404: those that never sent a link request to an online player, or ended more than ${time(api.sessionCookie.maxAge)} ago (the request was declined or cancelled, or the link removed). ${WITHOUT_GAME}`,
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
    (deps: LinkingRoutesDeps) =>
      async ({ req }) => {
        const session = `${req.params.id}`.toLowerCase();
        const link = isUuid(session) ? await deps.links.known(session) : undefined;
        return link === undefined
          ? errorWith("unknown_session", { field: "id" })
          : json(await sessionData(deps, session, link));
      },
  ),
});
