import type { Request } from "express";
import { object } from "../../../shared/guard.ts";
import { json } from "../../kernel/http/answer.ts";
import { maybeText } from "../../kernel/http/body.ts";
import type { ApiSettings } from "../../kernel/http/description.ts";
import { type ErrorAnswer, errorWith, unavailable, unexpected } from "../../kernel/http/errors.ts";
import { withKey } from "../../kernel/http/keys.ts";
import { PAGE_PARAMETERS, pageOf } from "../../kernel/http/pages.ts";
import { route, routes } from "../../kernel/http/route.ts";
import type { Log } from "../../platform/log.ts";
import { authorOf, notDoneAnswer } from "../moderation/answers.ts";
import type { GameServer } from "../servers/game-server.ts";
import type { Whitelist, WhitelistFailure } from "./whitelist.ts";

export interface WhitelistRoutesDeps {
  api: ApiSettings;
  log: Log;
  ownerLog: Log;
  whitelistOf(server: { name: string }): Whitelist;
}

type WhitelistServer = Pick<GameServer, "name" | "snapshots">;

const whitelistRequest = object({ playerName: maybeText });

const notRemoved = (
  deps: WhitelistRoutesDeps,
  req: Request,
  unchanged: WhitelistFailure,
): ErrorAnswer<WhitelistFailure["outcome"]> =>
  unchanged.outcome === "server_unavailable" || unchanged.outcome === "unexpected_result"
    ? notDoneAnswer(deps, req, unchanged)
    : errorWith(unchanged.outcome, {
        field: "playerName",
        ...(unchanged.outcome === "invalid_name" && {
          message: `The name is not on the whitelist, and cannot be added: ${nameRule(deps.api)}`,
        }),
      });

const nameRule = ({ whitelistNames }: ApiSettings): string =>
  whitelistNames === "java"
    ? "`playerName` must match `^[a-zA-Z0-9_]{1,16}$`."
    : "`playerName` must be 1 to 16 letters, digits and single spaces, optionally followed by `#` and 1 to 4 digits.";

export const whitelistRoutes = routes("Whitelist", {
  getWhitelist: route(
    "GET /whitelist",
    {
      perServer: "first",
      summary: "Names on the game's allowlist",
      description: "Read from the game for each call.",
      auth: withKey("whitelist:read"),
      parameters: PAGE_PARAMETERS,
      answers: { 200: { description: "The names.", body: "Whitelist", headers: ["Link"] } },
      errors: ["invalid_query", "server_unavailable", "unexpected_result"],
    },
    ({ api, log, whitelistOf }: WhitelistRoutesDeps, server: WhitelistServer) =>
      async ({ req }) => {
        if (!server.snapshots.fresh()) return unavailable(api);
        const read = await whitelistOf(server).read();
        if ("fault" in read) return unexpected(log, req, { why: read.fault });
        const page = pageOf(req.url, read.value, name => name);
        if ("fault" in page) return errorWith("invalid_query", page.fault);
        return json(page.value.elements, 200, page.value.headers);
      },
  ),
  addToWhitelist: route(
    "POST /whitelist",
    {
      perServer: "first",
      summary: "Add a name to the game's allowlist",
      description:
        "Responds after reading the list back with the name on it. A name that is already listed gets 202 too, and is listed once.",
      auth: withKey("whitelist:write"),
      body: ["WhitelistRequest", whitelistRequest],
      answers: { 202: { description: "The name is on the list.", body: "Whitelisted" } },
      errors: ["invalid_name", "server_unavailable", "unexpected_result"],
    },
    (deps: WhitelistRoutesDeps, server: WhitelistServer) =>
      async ({ req, key, body }) => {
        // The game compares this form, and would silently admit no player by another one.
        const name = body.playerName?.normalize("NFC");
        if (typeof name !== "string" || !deps.whitelistOf(server).takes(name))
          return errorWith("invalid_name", { field: "playerName", message: nameRule(deps.api) });
        if (!server.snapshots.fresh()) return unavailable(deps.api);
        const author = authorOf({ key }, req);
        const changed = await deps.whitelistOf(server).add(name, author);
        if (changed.outcome !== "whitelisted") return notDoneAnswer(deps, req, changed);
        deps.ownerLog.info(
          { player: name, by: key, address: author.address },
          "Added a name to the allowlist",
        );
        return json({ status: "whitelisted" }, 202);
      },
  ),
  removeFromWhitelist: route(
    "DELETE /whitelist",
    {
      perServer: "first",
      summary: "Remove a name from the game's allowlist",
      description:
        "Removes every entry of exactly this name. Responds after reading the list back without it. A name that is not listed gets 404 `not_whitelisted`, or 400 `invalid_name` if it could not be added either. A player who is online is not kicked.",
      auth: withKey("whitelist:write"),
      body: ["WhitelistRemoval", whitelistRequest],
      answers: { 200: { description: "The name is no longer on the list.", body: "Removed" } },
      errors: ["invalid_name", "not_whitelisted", "server_unavailable", "unexpected_result"],
    },
    (deps: WhitelistRoutesDeps, server: WhitelistServer) =>
      async ({ req, key, body: { playerName: name } }) => {
        if (typeof name !== "string" || !deps.whitelistOf(server).mayList(name))
          return errorWith("invalid_name", {
            field: "playerName",
            message: "`playerName` must be a name on the whitelist.",
          });
        if (!server.snapshots.fresh()) return unavailable(deps.api);
        const author = authorOf({ key }, req);
        const changed = await deps.whitelistOf(server).remove(name, author);
        if (changed.outcome !== "removed") return notRemoved(deps, req, changed);
        deps.ownerLog.info(
          { player: name, by: key, address: author.address },
          "Removed a name from the allowlist",
        );
        return json({ status: "removed" });
      },
  ),
});
