import type { Request, Response } from "express";
import { anything, type Infer, object } from "../../../shared/guard.ts";
import { BAN_REASON_LENGTH } from "../../../shared/limits.ts";
import { json } from "../../kernel/http/answer.ts";
import type { ApiSettings } from "../../kernel/http/description.ts";
import { errorWith, unavailable } from "../../kernel/http/errors.ts";
import { IDEMPOTENCY_ERRORS, IDEMPOTENCY_KEY, withIdempotency } from "../../kernel/http/idempotency.ts";
import type { Caller } from "../../kernel/http/keys.ts";
import { withKeyOrLink } from "../../kernel/http/moderators.ts";
import { route, routes } from "../../kernel/http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { cleanedTo } from "../../platform/web-text.ts";
import type { GameServer } from "../servers/game-server.ts";
import type { Announce } from "./announce.ts";
import { authorOf, notDoneAnswer, reasonDetail } from "./answers.ts";
import type { Kicks } from "./kick.ts";

/** Most code points of a cleaned announcement. */
const ANNOUNCEMENT_LENGTH = 256;

export interface ModerationRoutesDeps {
  api: ApiSettings;
  log: Log;
  ownerLog: Log;
  clock: Pick<Clock, "monotonic">;
  announce: Announce;
  kicksOf(server: { name: string }): Kicks;
}

const kickRequest = object({ playerName: anything, reason: anything });
const announceRequest = object({ content: anything });

/** What a handler gets for a body, of the holder of a key. */
interface KeyedInput<G> extends Caller {
  req: Request;
  res: Response;
  body: Infer<G>;
}

export const moderationRoutes = routes("Moderation", {
  kick: route(
    "POST /kick",
    {
      perServer: "first",
      summary: "Kick a player",
      description:
        "Responds once the game no longer lists the player. A kicked player can rejoin right away, unless the whitelist is on and they aren't on it. After a 500 the player is not kicked later.",
      auth: withKeyOrLink("players:kick"),
      body: ["KickRequest", kickRequest],
      answers: { 200: { description: "The player was kicked.", body: "Kicked" } },
      parameters: [IDEMPOTENCY_KEY],
      errors: [
        ...(["invalid_name", "player_offline", "server_unavailable", "unexpected_result"] as const),
        ...IDEMPOTENCY_ERRORS,
      ],
    },
    (deps: ModerationRoutesDeps, server: Pick<GameServer, "name" | "snapshots">) =>
      withIdempotency(
        deps.clock,
        async ({
          req,
          res,
          key,
          uuid,
          body: { playerName: name, reason = "" },
        }: KeyedInput<typeof kickRequest>) => {
          if (typeof name !== "string" || name.trim() === "")
            return errorWith("invalid_name", {
              field: "playerName",
              message: "`playerName` must be the exact name of an online player.",
            });
          const clean = cleanedTo(BAN_REASON_LENGTH, reason ?? "");
          if (clean === undefined) return errorWith("invalid_body", reasonDetail);
          if (!server.snapshots.fresh()) return unavailable(deps.api);
          const kicks = deps.kicksOf(server);
          const author = authorOf({ key, uuid }, req);
          const given = clean.trim() === "" ? {} : { reason: clean };
          const isPublished = new Promise<boolean>(resolve =>
            res.once("close", () => resolve(res.writableFinished)),
          );
          const kicked = await kicks.kick({ name, ...given }, author);
          if (kicked.outcome === "player_offline") return errorWith(kicked.outcome, { field: "playerName" });
          if (kicked.outcome !== "kicked") return notDoneAnswer(deps, req, kicked);
          void isPublished.then(isSo => isSo || kicks.answerLost(name));
          deps.ownerLog.info({ player: name, ...given, by: key, address: author.address }, "Kicked a player");
          return json({ status: "kicked" });
        },
      ),
  ),
  announce: route(
    "POST /announce",
    {
      perServer: "first",
      summary: "Show an announcement in the game",
      description:
        "All players see it. In the chat, events and webhooks it is a `chat` from `game` without a `player`. Responds once the game has shown it. After a 500 it is not shown later.",
      auth: withKeyOrLink("chat:announce"),
      body: ["AnnounceRequest", announceRequest],
      answers: { 200: { description: "The announcement was shown.", body: "Announced" } },
      parameters: [IDEMPOTENCY_KEY],
      errors: ["server_unavailable", "unexpected_result", ...IDEMPOTENCY_ERRORS],
    },
    (deps: ModerationRoutesDeps, server: GameServer) =>
      withIdempotency(deps.clock, async ({ req, key, uuid, body }: KeyedInput<typeof announceRequest>) => {
        const clean = cleanedTo(ANNOUNCEMENT_LENGTH, body.content);
        if (clean === undefined || clean.trim() === "")
          return errorWith("invalid_body", {
            field: "content",
            message: `\`content\` must be text of 1 to ${ANNOUNCEMENT_LENGTH} characters.`,
          });
        if (!server.snapshots.fresh()) return unavailable(deps.api);
        const author = authorOf({ key, uuid }, req);
        const announced = await deps.announce(server, clean, author);
        if (announced.outcome !== "announced") return notDoneAnswer(deps, req, announced);
        deps.ownerLog.info({ by: key, address: author.address }, "Showed an announcement in the game");
        return json({ status: "announced" });
      }),
  ),
});
