import type { Request } from "express";
import type { HistoryData, HistoryMeans, ServerInfo } from "../../../shared/public/game-server.ts";
import { HISTORY_SPANS, type HistorySpan } from "../../../shared/public/words.ts";
import type { Result } from "../../../shared/result.ts";
import type { Config } from "../../config/settings.ts";
import { json, type PreparedResponse, prepareChanging, preparedAnswer } from "../../kernel/http/answer.ts";
import { type ApiSettings, queryParameter, time, WITHOUT_GAME } from "../../kernel/http/description.ts";
import { errorWith, retryAfterRefresh, unavailable } from "../../kernel/http/errors.ts";
import { type QueryFault, queryFault, readParameters } from "../../kernel/http/query.ts";
import { anybody, route, routes } from "../../kernel/http/route.ts";
import type { GameServer } from "../servers/game-server.ts";
import { badge, createBadge, LABEL_CHARACTERS } from "./badge.ts";
import { type ReadinessDeps, readiness } from "./readiness.ts";
import type { SnapshotAnswers } from "./snapshot-answers.ts";

export interface StatusRoutesDeps extends ReadinessDeps {
  api: ApiSettings;
  web: Config["modules"]["web"];
  answers: Pick<SnapshotAnswers, "of">;
}

export const cacheText = (api: ApiSettings): string =>
  `The response can be cached for one refresh interval, ${time(api.metricsRefreshInterval)}.`;
const refreshed = (api: ApiSettings): string =>
  `Refreshed every ${time(api.metricsRefreshInterval)}. ${cacheText(api)}`;

/** Answers from the latest snapshot. Most requests are answered earlier, by `createSnapshotAnswers`. */
const answerLatest =
  <B>(api: ApiSettings, latest: () => PreparedResponse<B> | undefined) =>
  ({ req }: { req: Request }) => {
    const prepared = latest();
    return prepared ? preparedAnswer(prepared, req) : unavailable(api);
  };
const FREE = "not counted while a game server is online.";

/** The span in a query, by default the last hour. */
function readSpan(url: string): Result<HistorySpan, QueryFault> {
  const read = readParameters(url, ["for"]);
  if ("fault" in read) return read;
  const value = HISTORY_SPANS.find(each => each === (read.value.get("for") ?? "1h"));
  return value === undefined ? queryFault("for", `one of ${HISTORY_SPANS.join(", ")}`) : { value };
}

/** Characters that XML cannot contain, and line breaks. */
const UNWRITABLE = /[\p{Cc}\p{Cs}\ufffe\uffff]/u;

/** The label in a query; undefined if there is none. */
function readLabel(url: string): Result<string | undefined, QueryFault> {
  const read = readParameters(url, ["label"]);
  if ("fault" in read) return read;
  const value = read.value.get("label")?.trim();
  const isFine =
    value === undefined || (value !== "" && [...value].length <= LABEL_CHARACTERS && !UNWRITABLE.test(value));
  return isFine ? { value } : queryFault("label", `one line of 1 to ${LABEL_CHARACTERS} characters`);
}

export const figureRoutes = routes("Game server", {
  getStatus: route(
    "GET /status",
    {
      perServer: "first",
      summary: "Status of the game server",
      description: refreshed,
      rate: FREE,
      auth: anybody,
      answers: { 200: { description: "The status.", body: "Metrics" } },
      cached: true,
      errors: ["server_unavailable"],
    },
    ({ api, answers }: StatusRoutesDeps, server: GameServer) =>
      answerLatest(api, answers.of(server)["/status"]),
  ),
  getPlayers: route(
    "GET /players",
    {
      perServer: "first",
      summary: "Online players",
      description: (api: ApiSettings) => `Hidden players are not included. ${refreshed(api)}`,
      rate: FREE,
      auth: anybody,
      answers: { 200: { description: "The players.", body: "Players" } },
      cached: true,
      errors: ["server_unavailable"],
    },
    ({ api, answers }: StatusRoutesDeps, server: GameServer) =>
      answerLatest(api, answers.of(server)["/players"]),
  ),
  getHistory: route(
    "GET /history",
    {
      perServer: "first",
      summary: "Figures of the last hour, and averages of up to a year",
      description: api =>
        `The last hour has one point for each refresh interval, at most 720. Longer spans have averages of intervals, at most 366; the last interval is not complete yet. ${cacheText(api)} The history survives restarts of the service; after a crash the last minute may be missing. ${WITHOUT_GAME}`,
      auth: anybody,
      parameters: [
        queryParameter(
          "for",
          "Time span. Default: the last hour. `1d`, `7d`, `30d` and `365d` have averages of 5 minutes, 30 minutes, 2 hours and one day.",
          { type: "string", enum: HISTORY_SPANS, default: "1h" },
          "7d",
        ),
      ],
      answers: { 200: { description: "The points.", body: "History", otherBody: "HistoryMeans" } },
      cached: true,
      errors: ["invalid_query"],
    },
    (_deps: StatusRoutesDeps, { history }: Pick<GameServer, "history">) => {
      const prepare = () => prepareChanging<HistoryData | HistoryMeans>(history.data().intervalMs);
      const answers = {
        "1h": prepare(),
        "1d": prepare(),
        "7d": prepare(),
        "30d": prepare(),
        "365d": prepare(),
      };
      return ({ req }) => {
        const read = readSpan(req.url);
        if ("fault" in read) return errorWith("invalid_query", read.fault);
        const span = read.value;
        return preparedAnswer(answers[span](span === "1h" ? history.data() : history.rollups(span)), req);
      };
    },
  ),
  getServer: route(
    "GET /server",
    {
      perServer: "first",
      summary: "Name, address, version and size of the game server",
      description: api =>
        `Values of the configuration at the start of the service. Version and player limit, if not configured, come from the game server, which is queried at most once a minute. ${cacheText(api)} ${WITHOUT_GAME}`,
      auth: anybody,
      answers: { 200: { description: "The known values.", body: "ServerInfo" } },
      cached: true,
    },
    ({ api }: StatusRoutesDeps, { serverInfo }: Pick<GameServer, "serverInfo">) => {
      const prepare = prepareChanging<ServerInfo>(api.metricsRefreshInterval);
      return async ({ req }) => preparedAnswer(prepare(await serverInfo()), req);
    },
  ),
});

export const badgeRoutes = routes("Game server", {
  getBadge: route(
    "GET /badge.svg",
    {
      summary: "A badge with the state of the game server, for other sites",
      description: api =>
        `A label on the left, and on the right the number of online players, or \`offline\`. Any page can show it, with \`<img>\` or in Markdown, without configuration, also while the web console is off. ${cacheText(api)} ${WITHOUT_GAME}`,
      auth: anybody,
      parameters: [
        queryParameter(
          "label",
          "Label on the left, in one line. Default: the title of the web console.",
          { type: "string", minLength: 1, maxLength: LABEL_CHARACTERS },
          "now playing",
        ),
      ],
      answers: {
        200: {
          description: "The image.",
          text: {
            type: "image/svg+xml",
            description: "SVG, 20 pixels high, without scripts and external resources.",
            example: {
              summary: "Three of twenty players",
              value: badge("Oak & Stone", { players: 3, most: 20 }).text,
            },
          },
          headers: ["Cross-Origin-Resource-Policy"],
        },
      },
      cached: true,
      errors: ["invalid_query"],
    },
    ({ api, web }: StatusRoutesDeps, { info, snapshots }: Pick<GameServer, "info" | "snapshots">) => {
      const badgeOf = createBadge({
        title: web.title,
        maxPlayers: info.maxPlayers,
        holdMs: api.metricsRefreshInterval,
      });
      return ({ req }) => {
        const label = readLabel(req.url);
        if ("fault" in label) return errorWith("invalid_query", label.fault);
        return preparedAnswer(badgeOf(snapshots.fresh()?.status.onlinePlayerCount, label.value), req);
      };
    },
  ),
});

export const healthRoutes = routes("Service", {
  getHealth: route(
    "GET /healthz",
    {
      summary: "Whether the service is running",
      description: "Returns 200 as long as the service runs.",
      auth: anybody,
      answers: { 200: { description: "The service is running.", body: "Health" } },
      never: "host_not_allowed",
    },
    () => () => json({ status: "ok" }),
  ),
  getReadiness: route(
    "GET /readyz",
    {
      summary: "Whether a game server is online",
      description:
        "For load balancers and monitoring. Returns 503 with the reason `storage full` or `storage failed` while links cannot be stored; everything else keeps working, and answers of players are stored later.",
      auth: anybody,
      answers: {
        200: { description: "A game server is online.", body: "Ready" },
        503: { description: "No game server is online.", body: "NotReady", headers: ["Retry-After"] },
      },
      never: "host_not_allowed",
    },
    (deps: StatusRoutesDeps) => () => {
      const found = readiness(deps);
      return found.status === "ready" ? json(found) : json(found, 503, retryAfterRefresh(deps.api));
    },
  ),
});
