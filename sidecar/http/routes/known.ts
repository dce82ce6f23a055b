import { isUuid } from "../../../shared/public/declare.ts";
import type { KnownList } from "../../app/known-list.ts";
import type { Admission } from "../admission.ts";
import { sendJson } from "../answer.ts";
import { sendError } from "../errors.ts";
import { readKnownQuery, writeNext } from "../known-query.ts";
import { readParameters } from "../query.ts";
import type { Route } from "./deps.ts";

/** `GET /known-players`: everybody who has been here. To read a page takes a while: whoever asks for many waits for their turn. */
export const knownPlayersRoute =
  (known: KnownList, { addressOf, crowd }: Pick<Admission, "addressOf" | "crowd">): Route<"knownPlayers"> =>
  (req, res, failed) => {
    const asked = readKnownQuery(req.url);
    if (asked === undefined) return sendError(res, "invalid_query");
    crowd.begin({
      address: addressOf(req),
      act() {
        // Nobody is there any more who would read it.
        if (req.socket.destroyed) return;
        known
          .page(asked)
          .then(({ next, ...page }) =>
            sendJson(res, { ...page, next: next === undefined ? null : writeNext(next, asked) }),
          )
          .catch(failed);
      },
    });
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
