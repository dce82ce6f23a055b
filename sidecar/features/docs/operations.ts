import { MAX_FORMS_PER_PLAYER } from "../../../shared/limits.ts";
import { HISTORY_SPANS } from "../../../shared/public/words.ts";
import type { Config } from "../../config/settings.ts";
import { MAX_FORMS_OF_ADDRESS } from "../linking/rules/player-requests.ts";
import { LABEL_CHARACTERS } from "../status/badge.ts";
import { time } from "./amounts.ts";
import { type Call, type Calls, WITHOUT_GAME } from "./call.ts";
import { aboutEvents, EVENT_PARAMETERS, type Parameter, parameter, STREAM_EVENTS } from "./events.ts";
import { BADGE, DOCS } from "./examples.ts";
import { callsOfKnown } from "./known.ts";
import { MODERATION } from "./moderation.ts";
import { SIGN_IN_CALLS } from "./sign-in.ts";

const LABEL = parameter(
  "label",
  "What stands on the left, in one line. Without it: the title of the web console.",
  { type: "string", minLength: 1, maxLength: LABEL_CHARACTERS },
  "now playing",
);
const FOR = parameter(
  "for",
  "How far back. Without it: the last hour. `1d`, `7d`, `30d` and `365d` have means of 5 minutes, half an hour, 2 hours and a day.",
  { type: "string", enum: HISTORY_SPANS, default: "1h" },
  "7d",
);

/** Paths of a game server, each of which is there for every game server besides. */
const OF_A_SERVER = "/status /players /history /server /whitelist /kick /announce /bans".split(" ");

const SERVER = {
  name: "server",
  in: "path",
  required: true,
  description: "Name of a game server, as `GET /servers` tells it; the first one's, too.",
  schema: { type: "string" },
  example: "lobby",
} satisfies Parameter;

/** Every call of the public service, by method and path, for a configuration. */
export function calls(api: Config["modules"]["api"]): Calls {
  const all = callsOfAll(api);
  const ofEach = Object.entries(all).flatMap(([at, call]) => {
    const [method = "", path = ""] = at.split(" ");
    if (!OF_A_SERVER.includes(path)) return [];
    const { description: _description, summary, parameters = [], errors = [], ...same } = call;
    const one: Call = {
      ...same,
      id: `${call.id}Of`,
      summary: `${summary}, of one of several`,
      description: `As \`${method.toUpperCase()} ${path}\`, which is about ${path === "/bans" ? "all of them" : "the first game server"}.`,
      parameters: [SERVER, ...parameters],
      errors: ["unknown_server", ...errors],
    };
    return [[`${method} /servers/{server}${path}`, one]];
  });
  return { ...all, ...Object.fromEntries(ofEach) };
}

function callsOfAll(api: Config["modules"]["api"]): Calls {
  const interval = time(api.metricsRefreshInterval);
  const kept = `The answer may be kept for one refresh interval, ${interval}.`;
  const { linkCoolDown } = api.limits;
  const coolDown =
    linkCoolDown > 0
      ? ` An address or session that one player refused three times within ten minutes waits ${time(linkCoolDown)}, and twice as long after each further refusal.`
      : "";
  const refreshed = `Refreshed every ${interval}. ${kept}`;
  const free = "not counted while a game server reports.";
  return {
    "get /status": {
      id: "getStatus",
      tag: "Game server",
      summary: "Figures of the game server",
      description: refreshed,
      rate: free,
      answers: { 200: { description: "The figures.", body: "Metrics" } },
      cached: true,
      errors: ["server_unavailable"],
    },
    "get /players": {
      id: "getPlayers",
      tag: "Game server",
      summary: "Online players",
      description: `Without those who have hidden themselves in the game. ${refreshed}`,
      rate: free,
      answers: { 200: { description: "The players.", body: "Players" } },
      cached: true,
      errors: ["server_unavailable"],
    },
    "get /history": {
      id: "getHistory",
      tag: "Game server",
      summary: "Figures of the last hour, and means of up to a year",
      description: `Of the last hour one point for each refresh interval, 720 at most; of more than that means of whole slots of time, 366 at most, the last of which goes on. ${kept} Kept over a restart of the service, but for the last minute where it did not end in order. ${WITHOUT_GAME}`,
      parameters: [FOR],
      answers: { 200: { description: "The points.", body: "History", otherBody: "HistoryMeans" } },
      cached: true,
      errors: ["invalid_query"],
    },
    "get /server": {
      id: "getServer",
      tag: "Game server",
      summary: "Name, address, version and size of the game server",
      description: `What the configuration says, read when the service starts; version and size that it does not say are as the game server tells them, which is asked once a minute at most. ${kept} ${WITHOUT_GAME}`,
      answers: { 200: { description: "What is known.", body: "ServerInfo" } },
      cached: true,
    },
    "get /servers": {
      id: "getServers",
      tag: "Game server",
      summary: "The game servers behind this service",
      description: `The first one first, which the paths without a name are about; there may be no other. ${kept} ${WITHOUT_GAME}`,
      answers: { 200: { description: "The game servers.", body: "Servers" } },
      cached: true,
    },
    ...callsOfKnown(api),
    "get /badge.svg": {
      id: "getBadge",
      tag: "Game server",
      summary: "An image of the state of the game server, for other sites",
      description: `A label on the left, and on the right how many players are online, or \`offline\` while no game server reports. Any page may show it, with \`<img>\` or in Markdown: nothing has to be listed in the configuration, and it is there where the web console is turned off. ${kept} ${WITHOUT_GAME}`,
      parameters: [LABEL],
      answers: {
        200: {
          description: "The image.",
          text: {
            type: "image/svg+xml",
            description: "SVG, 20 pixels high, which loads nothing and runs nothing.",
            example: BADGE,
          },
          headers: ["Cross-Origin-Resource-Policy"],
        },
      },
      cached: true,
      errors: ["invalid_query"],
    },
    "get /events": {
      id: "getEvents",
      tag: "Game server",
      summary: "What happens, and what happened, as a stream",
      description: aboutEvents(api),
      rate: "",
      parameters: EVENT_PARAMETERS,
      answers: { 200: { description: "The events.", body: "Events", stream: STREAM_EVENTS } },
      errors: ["invalid_query", "server_unavailable", "too_many_connections"],
    },
    "get /initialize": {
      id: "initialize",
      tag: "Linking",
      summary: "The browser session",
      description: `Tells the session that the cookie names. When there is none, or its value is no UUID, makes one and sets the cookie for ${time(api.sessionCookie.maxAge)}. A session with an accepted link gets the same cookie again, for as long, where the link can be looked up at the moment. No cookie is set for a browser that another site has sent here (\`Sec-Fetch-Site: cross-site\`): the one that it has stays behind then. Cookies that name different sessions are answered with 401. ${WITHOUT_GAME}`,
      security: "maybeSession",
      answers: {
        200: { description: "The session.", body: "InitializationData", headers: ["Set-Cookie"] },
      },
      errors: ["missing_session"],
    },
    "post /link-player": {
      id: "linkPlayer",
      tag: "Linking",
      summary: "Ask a player to be linked to this browser",
      description: `A form opens for the player inside the game, with the first eight characters of the session. Of several game servers the first is asked that lists a player of this name, and no other than \`server\` where that is sent; a link holds for the player on all of them. Unanswered it is declined after ${time(api.verificationTimeout)}. From \`declined\` and \`accepted\` a new request begins; an earlier link ends once the new player is found online. A request that shows a player the same characters as one of another session ends with it: that one is \`declined\` and its form goes, this one is answered 429, and \`GET /session\` has the \`reason\` for both; requests with these characters then wait as long as a request lasts, and twice as long each further time. A player may block all requests. The session is checked before the body.`,
      rate: `at most ${MAX_FORMS_PER_PLAYER} requests wait for one player, ${MAX_FORMS_OF_ADDRESS} of them of one address, a session may ask ${api.limits.linkRequestsPerMinute} times a minute and an address ${api.limits.linkRequestsPerMinutePerAddress} times, and ${api.limits.linkRequestsPerMinutePerPlayer} requests within a minute reach one player. All together may ask for players online ${api.limits.linkRequestsBurst} times at once and ${api.limits.linkRequestsPerSecond} times a second lasting, and as often for other names.${coolDown} Beyond each, 429 is answered, and nothing changes for the session.`,
      security: "session",
      request: "LinkRequest",
      answers: {
        202: { description: "The player is being asked.", body: "VerificationSent" },
        409: {
          description: "A request of this session is open already. It has `status` and no `error`.",
          body: "AlreadyPending",
        },
      },
      errors: ["missing_username", "player_offline", "unexpected_result", "server_unavailable"],
      fieldErrors: ["unknown_server"],
    },
    "get /linked-player": {
      id: "getLinkedPlayer",
      tag: "Linking",
      summary: "The link of this browser",
      description: `${WITHOUT_GAME} Ask again every few seconds while it is \`pending\`.`,
      security: "session",
      answers: { 200: { description: "The link, whatever its status.", body: "LinkedPlayerResponse" } },
      errors: ["unexpected_result", "server_unavailable"],
    },
    "post /unlink-player": {
      id: "unlinkPlayer",
      tag: "Linking",
      summary: "End the link of this browser",
      description: `Only an accepted link can be ended. The player is told in the game when online. A body is not read. ${WITHOUT_GAME}`,
      security: "session",
      answers: { 200: { description: "The link is gone.", body: "Unlinked" } },
      errors: ["not_linked", "unexpected_result", "server_unavailable"],
    },
    "get /session": {
      id: "getSession",
      tag: "Linking",
      summary: "This browser's session and the player linked to it",
      description: `The player is told while offline, too. ${WITHOUT_GAME}`,
      security: "session",
      answers: { 200: { description: "The session, whatever its status.", body: "SessionData" } },
      errors: ["unexpected_result", "server_unavailable"],
    },
    "get /session/label": {
      id: "getSessionLabel",
      tag: "Linking",
      summary: "What this browser's lines are called by in the feed",
      description: `A page knows its own lines in \`GET /events\` by it. Nobody learns a character of the session from it. ${WITHOUT_GAME}`,
      security: "session",
      answers: { 200: { description: "The label.", body: "SessionLabel" } },
    },
    ...SIGN_IN_CALLS,
    "get /sessions/{id}": {
      id: "getSessionOf",
      tag: "Linking",
      summary: "The player linked to a session, for servers of websites",
      description: `The same as \`GET /session\` of any session, for whoever has a key with the scope \`links:read\`. A session is known once it has asked for a link, and for ${time(api.sessionCookie.maxAge)} after it was declined or its link has ended; one whose question reached nobody is not. ${WITHOUT_GAME}`,
      security: "adminKey",
      parameters: [
        {
          name: "id",
          in: "path",
          required: true,
          description: "Id of the session, a UUID: the value of the cookie, `userId` of `GET /initialize`.",
          schema: { type: "string" },
          example: "faa3b7a4-83ac-4f2a-b301-e28f85630885",
        },
      ],
      answers: { 200: { description: "The session.", body: "SessionData" } },
      errors: ["unknown_session", "server_unavailable", "unexpected_result"],
    },
    "get /whitelist": {
      id: "getWhitelist",
      tag: "Whitelist",
      summary: "Names on the game's allowlist",
      description: "Read from the game for each call. The key needs the scope `whitelist:read`.",
      security: "adminKey",
      answers: { 200: { description: "The names.", body: "Whitelist" } },
      errors: ["server_unavailable", "unexpected_result"],
    },
    "post /whitelist": {
      id: "addToWhitelist",
      tag: "Whitelist",
      summary: "Put a name on the game's allowlist",
      description:
        "Answered after the list was read back and holds the name. A name that is on it already gets 202 too, and is listed once. The key needs the scope `whitelist:write`, and is checked before the body.",
      security: "adminKey",
      request: "WhitelistRequest",
      answers: { 202: { description: "The list holds the name.", body: "Whitelisted" } },
      errors: ["invalid_name", "server_unavailable", "unexpected_result"],
    },
    "delete /whitelist": {
      id: "removeFromWhitelist",
      tag: "Whitelist",
      summary: "Take a name off the game's allowlist",
      description:
        "Every entry of exactly this name, whatever is in it. Answered after the list was read back without it. A player who is online is not kicked. The key needs the scope `whitelist:write`, and is checked before the body.",
      security: "adminKey",
      request: "WhitelistRemoval",
      answers: {
        200: { description: "The list does not hold the name any more.", body: "Removed" },
      },
      errors: ["invalid_name", "not_whitelisted", "server_unavailable", "unexpected_result"],
    },
    ...MODERATION,
    "get /chat": {
      id: "openChat",
      tag: "Chat",
      summary: "The chat, a WebSocket",
      description: `A WebSocket handshake (RFC 6455, version 13) without a subprotocol. The messages are described in \`/asyncapi.json\`. With the cookie of a linked session, the game may show the name of its player. It works without a game server too. While an operator or the configuration has the chat of the web off, a handshake is answered 404. With \`server\` the socket hears and speaks to one game server alone.`,
      parameters: [
        parameter(
          "server",
          "Name of the one game server that is heard and spoken to, where there are several. Without it: all of them.",
          { type: "string" },
          "main",
        ),
      ],
      rate: "a handshake counts as a request. Messages have rates of their own, which are told with them.",
      security: "maybeSession",
      answers: { 101: { description: "The WebSocket is open.", headers: ["Upgrade"], bare: true } },
      errors: ["not_found", "unknown_server", "upgrade_required", "too_many_connections"],
    },
    "get /console.json": {
      id: "getSettings",
      tag: "Service",
      summary: "What a page has to know before it shows anything",
      description:
        "Limits, and who may write into the chat from the web at the moment: operators change that in the game, so ask now and then, and after an `EXCEPTION` `not allowed`.",
      answers: { 200: { description: "The settings.", body: "ServiceSettings" } },
      cached: true,
    },
    "get /healthz": {
      id: "getHealth",
      tag: "Service",
      summary: "Whether the process is up",
      description: "Answered as long as the process runs.",
      never: "host_not_allowed",
      answers: { 200: { description: "It is.", body: "Health" } },
    },
    "get /readyz": {
      id: "getReadiness",
      tag: "Service",
      summary: "Whether a game server is connected and reports",
      description:
        "For load balancers and alarms. It is 503 with the reason `storage full` or `storage failed` while links cannot be stored: all else goes on, and what players answer waits.",
      never: "host_not_allowed",
      answers: {
        200: { description: "It does.", body: "Ready" },
        503: { description: "It does not.", body: "NotReady", headers: ["Retry-After"] },
      },
    },
    "get /docs": {
      id: "getDocs",
      tag: "Service",
      summary: "The description for people",
      description:
        "A page with all that both documents say, and with a call to copy for each operation. It belongs to the web console: where that is turned off, 404 is answered.",
      answers: {
        200: {
          description: "The page.",
          text: {
            type: "text/html",
            description: "HTML in UTF-8, which loads nothing of other hosts.",
            example: DOCS,
          },
        },
      },
      cached: true,
      errors: ["not_found"],
    },
    "get /openapi.json": {
      id: "getOpenApi",
      tag: "Service",
      summary: "The description of the calls",
      description: "OpenAPI 3.1, with the names and limits that this service is configured with.",
      answers: { 200: { description: "This document.", body: "OpenApi" } },
      cached: true,
    },
    "get /asyncapi.json": {
      id: "getAsyncApi",
      tag: "Service",
      summary: "The description of the chat",
      description: "AsyncAPI 3, with the limits that this service is configured with.",
      answers: { 200: { description: "The document.", body: "AsyncApi" } },
      cached: true,
    },
  };
}
