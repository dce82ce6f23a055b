import { isUuid } from "../../../shared/public/declare.ts";
import type { Admission } from "../../kernel/http/admission.ts";
import { sendJson } from "../../kernel/http/answer.ts";
import type { Route } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { retryAfter } from "../../kernel/http/headers.ts";
import { readParameters } from "../../kernel/http/query.ts";
import type { KnownList } from "./known-list.ts";
import { readKnownQuery, writeNext } from "./known-query.ts";

/** Bytes that reading a page counts as, whatever its length: it takes as long as several other requests. */
const PAGE_BYTES = 64 * 1024;

/** `GET /known-players`: everybody who has been here. */
export const knownPlayersRoute =
  (known: KnownList, { addressOf, pay }: Pick<Admission, "addressOf" | "pay">): Route<"knownPlayers"> =>
  async (req, res) => {
    const asked = readKnownQuery(req.url);
    if (asked === undefined) return sendError(res, "invalid_query");
    const waitSeconds = await pay(addressOf(req), PAGE_BYTES);
    if (waitSeconds > 0) return sendError(res, "rate_limited", retryAfter(waitSeconds));
    const { next, ...page } = await known.page(asked);
    sendJson(res, { ...page, next: next === undefined ? null : writeNext(next, asked) });
  };

/** `GET /known-players/<uuid>`: one of them; `withStays`: with when that was. */
export const knownPlayerRoute =
  (known: KnownList, withStays: boolean): Route<"knownPlayer"> =>
  async (req, res) => {
    if (readParameters(req.url, []) === undefined) return sendError(res, "invalid_query");
    const uuid = `${req.params.uuid}`.toLowerCase();
    const player = isUuid(uuid) ? await known.one(uuid, withStays) : undefined;
    if (player === undefined) return sendError(res, "unknown_player");
    sendJson(res, player);
  };
