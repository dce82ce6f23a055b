import { isUuid } from "../../../shared/public/declare.ts";
import type { KnownList } from "../../app/known-list.ts";
import { sendJson } from "../answer.ts";
import { sendError } from "../errors.ts";
import { readKnownQuery, writeNext } from "../known-query.ts";
import type { Route } from "./deps.ts";

/** `GET /known-players`: everybody who has been here. */
export const knownPlayersRoute =
  (known: KnownList): Route<"knownPlayers"> =>
  async (req, res) => {
    const asked = readKnownQuery(req.url);
    if (asked === undefined) return sendError(res, "invalid_query");
    const { next, ...page } = await known.page(asked);
    sendJson(res, { ...page, next: next === undefined ? null : writeNext(next, asked) });
  };

/** `GET /known-players/<uuid>`: one of them; `withStays`: with when that was. */
export const knownPlayerRoute =
  (known: KnownList, withStays: boolean): Route<"knownPlayer"> =>
  async (req, res) => {
    const uuid = `${req.params.uuid}`.toLowerCase();
    const player = isUuid(uuid) ? await known.one(uuid, withStays) : undefined;
    if (player === undefined) return sendError(res, "unknown_player");
    sendJson(res, player);
  };
