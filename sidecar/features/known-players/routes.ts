import type { Request } from "express";
import { anything, list } from "../../../shared/guard.ts";
import { MAX_STAYS } from "../../../shared/public/known-players.ts";
import { isUuid } from "../../../shared/public/schema-guards.ts";
import type { Result } from "../../../shared/result.ts";
import type { Admission } from "../../kernel/http/admission.ts";
import { type CachedAnswer, preparedAnswer, prepareWhole, retryAfter } from "../../kernel/http/answer.ts";
import {
  type ApiSettings,
  type Parameter,
  pathParameter,
  queryParameter,
  time,
  WITHOUT_GAME,
} from "../../kernel/http/description.ts";
import { errorAnswer, errorWith } from "../../kernel/http/errors.ts";
import { ADMIN_KEY_HEADER, hasKey, type Keys, withKeyUnless } from "../../kernel/http/keys.ts";
import { readCursor, writeCursor } from "../../kernel/http/pages.ts";
import {
  limitParameter,
  type QueryFault,
  queryFault,
  readLimit,
  readParameters,
} from "../../kernel/http/query.ts";
import { route, routes } from "../../kernel/http/route.ts";
import type { KnownList, KnownPageRequest } from "./known-list.ts";
import { KNOWN_SORTS, type KnownSort, lowered, type Place } from "./rules/known-list.ts";

/** Longest prefix of a name, in characters. */
export const BEGINNING_LENGTH = 32;

const QUERY_NAMES = ["sort", "limit", "after", "name"];

const isSort = (text: string): text is KnownSort => KNOWN_SORTS.some(sort => sort === text);

/** The cursor `after` of the next page, valid only for this order and prefix. */
const writeNext = (
  { key, uuid }: Place,
  { sort, prefix }: Pick<KnownPageRequest, "sort" | "prefix">,
): string => writeCursor([sort, prefix ?? "", key, uuid]);

const parts = list(anything, 4);

/** Undefined: not a cursor, or one of another order or prefix. */
function readNext(
  text: string,
  { sort, prefix }: Pick<KnownPageRequest, "sort" | "prefix">,
): Place | undefined {
  const [ofSort, ofPrefix, key, uuid] = readCursor(parts, text) ?? [];
  if (ofSort !== sort || ofPrefix !== (prefix ?? "") || typeof uuid !== "string" || !isUuid(uuid))
    return undefined;
  const isKey = sort === "name" ? typeof key === "string" : Number.isSafeInteger(key);
  return isKey && (typeof key === "string" || typeof key === "number") ? { key, uuid } : undefined;
}

/** Reads the query of a request for known players. */
function readKnownQuery(url: string): Result<KnownPageRequest, QueryFault> {
  const read = readParameters(url, QUERY_NAMES);
  if ("fault" in read) return read;
  const query = read.value;
  const name = query.get("name");
  if (name !== null && (name === "" || [...name].length > BEGINNING_LENGTH))
    return queryFault("name", `1 to ${BEGINNING_LENGTH} characters`);
  const prefix = name === null ? undefined : lowered(name);
  const sort = query.get("sort") ?? (prefix === undefined ? "last-seen" : "name");
  if (!isSort(sort)) return queryFault("sort", `one of ${KNOWN_SORTS.join(", ")}`);
  if (prefix !== undefined && sort !== "name")
    return queryFault("sort", "`name`, or left out, beside `name`");
  const limit = readLimit(query);
  if ("fault" in limit) return limit;
  const written = query.get("after");
  const after = written === null ? undefined : readNext(written, { sort, prefix });
  if (written !== null && after === undefined)
    return queryFault("after", "the `next` of a response with the same `sort` and `name`");
  return { value: { sort, limit: limit.value, after, prefix } };
}

export interface KnownPlayersRoutesDeps {
  api: ApiSettings;
  admission: Pick<Admission, "addressOf" | "chargeBytes">;
  keys: Keys;
  /** undefined: there is no list of known players */
  knownList: KnownList | undefined;
}

/**
 * Makes the responses. Caches may keep them for one refresh interval if all clients get the same: without a key, and where none is
 * needed.
 */
function createAnswer(api: ApiSettings) {
  const maxAge = `public, max-age=${Math.floor(api.metricsRefreshInterval / 1000)}`;
  return <B extends object>(req: Request, value: B): CachedAnswer<B> => {
    const isShared = isForAll(api) && req.get(ADMIN_KEY_HEADER) === undefined;
    const response = prepareWhole<B>(Buffer.from(JSON.stringify(value)), {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": isShared ? maxAge : "no-store",
      Vary: `Origin, ${ADMIN_KEY_HEADER}`,
    });
    return preparedAnswer(response, req);
  };
}

/** Bytes charged for a page of any length: it costs as much as several other requests. */
const PAGE_BYTES = 64 * 1024;

const SCOPE = "players:read";
const isForAll = ({ knownPlayers }: ApiSettings): boolean => knownPlayers.show === "everybody";
const auth = withKeyUnless(isForAll, SCOPE);
const cachedFor = (api: ApiSettings): string =>
  isForAll(api)
    ? `Without a key, the response can be cached for one refresh interval, ${time(api.metricsRefreshInterval)}. `
    : "";
const isThere = ({ knownPlayers }: ApiSettings): boolean => knownPlayers.show !== "off";

const PARAMETERS: readonly Parameter[] = [
  queryParameter(
    "sort",
    "`last-seen`: most recently seen first; `first-seen`: earliest first; `playtime`, `kills`, `deaths`, `visits`: highest first; `name`: by code unit. Ties are sorted by `uuid`. Default: `last-seen`, or `name` with the parameter `name`.",
    { type: "string", enum: [...KNOWN_SORTS] },
    "playtime",
  ),
  queryParameter(
    "name",
    "Only players whose name starts with this, ignoring case. Allowed only with `sort=name`.",
    { type: "string", minLength: 1, maxLength: BEGINNING_LENGTH },
    "st",
  ),
  limitParameter("players"),
  queryParameter(
    "after",
    "`next` of the previous page, with the same `sort` and `name`. Players whose data doesn't change while you page through are returned exactly once.",
    { type: "string", minLength: 1 },
    "WyJwbGF5dGltZSIsIiIsLTcyMDAsIjE4ODU5YTcwLTY4MDYtNTZmMi04ZGYxLTdiOTk2ZTgxNTFjYiJd",
  ),
];

export const knownPlayersRoutes = routes("Game server", {
  getKnownPlayers: route(
    "GET /known-players",
    {
      isThere,
      summary: "Known players",
      description: api =>
        `One page of known players. Hidden players, and players who asked to be forgotten, are not included. The service keeps at most ${api.limits.knownPlayers} players, each for ${time(api.knownPlayers.keepFor)} after their last visit. Figures are totals of all game servers. ${cachedFor(api)}${WITHOUT_GAME}`,
      auth,
      parameters: PARAMETERS,
      answers: { 200: { description: "The page.", body: "KnownPlayers" } },
      cached: true,
      errors: ["invalid_query", "server_unavailable", "unexpected_result"],
    },
    ({ api, admission, knownList }: KnownPlayersRoutesDeps) => {
      if (knownList === undefined) return undefined;
      const answer = createAnswer(api);
      return async ({ req }) => {
        const read = readKnownQuery(req.url);
        if ("fault" in read) return errorWith("invalid_query", read.fault);
        const query = read.value;
        const waitSeconds = await admission.chargeBytes(admission.addressOf(req), PAGE_BYTES);
        if (waitSeconds > 0) return errorAnswer("rate_limited", retryAfter(waitSeconds));
        const { next, ...found } = await knownList.page(query);
        return answer(req, { ...found, next: next === undefined ? null : writeNext(next, query) });
      };
    },
  ),
  getKnownPlayer: route(
    "GET /known-players/{uuid}",
    {
      isThere,
      summary: "One known player",
      description: api =>
        `With a key that has the scope \`${SCOPE}\`, the response includes the visits of the last ${time(api.knownPlayers.staysFor)}, at most ${MAX_STAYS}. ${cachedFor(api)}${WITHOUT_GAME}`,
      auth,
      parameters: [
        pathParameter(
          "uuid",
          "UUID of the player, as in `GET /players` and events.",
          "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a",
        ),
      ],
      answers: { 200: { description: "The player.", body: "KnownPlayerData" } },
      cached: true,
      errors: ["invalid_query", "unknown_player", "server_unavailable", "unexpected_result"],
    },
    ({ api, keys, knownList }: KnownPlayersRoutesDeps) => {
      if (knownList === undefined) return undefined;
      const answer = createAnswer(api);
      return async ({ req }) => {
        const read = readParameters(req.url, []);
        if ("fault" in read) return errorWith("invalid_query", read.fault);
        const uuid = `${req.params.uuid}`.toLowerCase();
        const found = isUuid(uuid) ? await knownList.one(uuid, hasKey(keys, SCOPE, req)) : undefined;
        return found === undefined ? errorWith("unknown_player", { field: "uuid" }) : answer(req, found);
      };
    },
  ),
});
