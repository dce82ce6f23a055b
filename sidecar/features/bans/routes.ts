import type { Request } from "express";
import { parseDuration } from "../../../shared/duration.ts";
import { anything, type Infer, object } from "../../../shared/guard.ts";
import { BAN_REASON_LENGTH } from "../../../shared/limits.ts";
import type { Ban } from "../../../shared/public/moderation.ts";
import { isUuid } from "../../../shared/public/schema-guards.ts";
import { json } from "../../kernel/http/answer.ts";
import { pathParameter, WITHOUT_GAME } from "../../kernel/http/description.ts";
import { type ErrorAnswer, errorAnswer, errorWith } from "../../kernel/http/errors.ts";
import type { Caller } from "../../kernel/http/keys.ts";
import { withKeyOrLink } from "../../kernel/http/moderators.ts";
import { PAGE_PARAMETERS, pageOf } from "../../kernel/http/pages.ts";
import { route, routes } from "../../kernel/http/route.ts";
import type { Log } from "../../platform/log.ts";
import { cleanedTo } from "../../platform/web-text.ts";
import { authorOf, reasonDetail } from "../moderation/answers.ts";
import type { GameServer } from "../servers/game-server.ts";
import type { Bans } from "./bans.ts";
import type { BanTarget } from "./rules/ban-changes.ts";

export interface BanRoutesDeps {
  bans: Bans;
  ownerLog: Log;
}

const unbanRequest = object({ playerName: anything, uuid: anything });
const banRequest = object({ playerName: anything, uuid: anything, reason: anything, for: anything });

/** The player whom a body names; undefined: none, or one by name and uuid. */
function named({ playerName, uuid }: Infer<typeof unbanRequest>): BanTarget | undefined {
  const name = playerName ?? undefined;
  const id = typeof uuid === "string" ? uuid.toLowerCase() : (uuid ?? undefined);
  if (name !== undefined && id !== undefined) return undefined;
  if (typeof name === "string" && name.trim() !== "") return { name };
  return typeof id === "string" && isUuid(id) ? { uuid: id } : undefined;
}

/** The error for a body that names no player, or two. */
function invalidPlayer({ playerName, uuid }: Infer<typeof unbanRequest>): ErrorAnswer<"invalid_name"> {
  const [hasName, hasUuid] = [playerName ?? undefined, uuid ?? undefined].map(value => value !== undefined);
  if (hasName === hasUuid)
    return errorWith("invalid_name", { message: "Send exactly one of `playerName` and `uuid`." });
  return errorWith(
    "invalid_name",
    hasUuid
      ? { field: "uuid", message: "`uuid` must be a UUID." }
      : { field: "playerName", message: "`playerName` must be a string that is not blank." },
  );
}

const NO_SUCH_NAME =
  "There is no player with this name, and it cannot be a gamertag: 1 to 16 letters, digits and single spaces, optionally followed by `#` and 1 to 4 digits.";

const durationDetail = {
  field: "for",
  message:
    "`for` must be a duration longer than zero, such as `30m`, `12h` or `7d`. Leave it out for a permanent ban.",
};

/** The game server whose bans a path is about; undefined: those of all of them. */
const serverOf = ({ name }: Pick<GameServer, "name">, isNamed: boolean): string | undefined =>
  isNamed ? name : undefined;

/** Sorts bans by name, and distinguishes bans of one name. */
const keyOfBan = ({ name, uuid, servers }: Ban): string => [name, uuid ?? "", servers?.[0] ?? ""].join("\0");

/** Unbans a player on a game server, or on all. */
const createUnban =
  ({ bans, ownerLog }: BanRoutesDeps, server: string | undefined) =>
  async (who: BanTarget, caller: Caller, req: Request) => {
    const { key } = caller;
    const author = authorOf(caller, req);
    const { outcome } = await bans.remove(who, author, server);
    if (outcome !== "unbanned") return errorWith(outcome, { field: "uuid" in who ? "uuid" : "playerName" });
    const what = "uuid" in who ? who : { player: who.name };
    ownerLog.info({ ...what, server, by: key, address: author.address }, "Unbanned a player");
    return json({ status: outcome });
  };

export const banRoutes = routes("Moderation", {
  getBans: route(
    "GET /bans",
    {
      perServer: "all",
      summary: "Current bans",
      description: `Bans on any game server; below \`/servers/<name>\` those that apply there. ${WITHOUT_GAME}`,
      auth: withKeyOrLink("bans:read"),
      parameters: PAGE_PARAMETERS,
      answers: { 200: { description: "The bans.", body: "Bans", headers: ["Link"] } },
      errors: ["invalid_query", "server_unavailable", "unexpected_result"],
    },
    ({ bans }: BanRoutesDeps, gameServer: Pick<GameServer, "name">, isNamed) => {
      const server = serverOf(gameServer, isNamed);
      return async ({ req }) => {
        const page = pageOf(req.url, await bans.list(server), keyOfBan);
        if ("fault" in page) return errorWith("invalid_query", page.fault);
        return json(page.value.elements, 200, page.value.headers);
      };
    },
  ),
  ban: route(
    "POST /bans",
    {
      perServer: "all",
      summary: "Ban a player",
      description: `On all game servers; below \`/servers/<name>\` on that one. Replaces an earlier ban of the player there. An online player is kicked immediately. A name finds the known or online player who has it or had it before; case, Unicode form and extra spaces do not matter. An unknown name bans the first player who joins with it, and has to be a possible gamertag: 1 to 16 letters, marks and digits of any script with single spaces between them, optionally followed by \`#\` and one to four digits. A ban follows the player through name changes. ${WITHOUT_GAME} A game server that is offline gets the ban when it returns.`,
      auth: withKeyOrLink("bans:write"),
      body: ["BanRequest", banRequest],
      answers: { 200: { description: "The player is banned.", body: "Banned" } },
      errors: ["invalid_name", "ambiguous_name", "too_many_bans", "server_unavailable", "unexpected_result"],
    },
    ({ bans, ownerLog }: BanRoutesDeps, gameServer: Pick<GameServer, "name">, isNamed) => {
      const server = serverOf(gameServer, isNamed);
      return async ({ req, key, uuid, body }) => {
        const who = named(body);
        if (who === undefined) return invalidPlayer(body);
        const reason = cleanedTo(BAN_REASON_LENGTH, body.reason ?? "");
        const forMs = parseDuration(body.for);
        const isPermanent = body.for === undefined || body.for === null;
        if (reason === undefined) return errorWith("invalid_body", reasonDetail);
        if (!isPermanent && !forMs) return errorWith("invalid_body", durationDetail);
        const author = authorOf({ key, uuid }, req);
        const given = reason.trim() === "" ? {} : { reason };
        const banned = await bans.add({ who, ...given, forMs }, author, server);
        const { outcome } = banned;
        if (outcome === "too_many_bans") return errorAnswer(outcome);
        if (outcome !== "banned")
          return errorWith(outcome, {
            field: "playerName",
            ...(outcome === "invalid_name" && { message: NO_SUCH_NAME }),
          });
        const what = { player: banned.ban.name, uuid: banned.ban.uuid ?? undefined, ...given, server };
        ownerLog.info({ ...what, by: key, address: author.address }, "Banned a player");
        return json({ status: outcome, ban: banned.ban });
      };
    },
  ),
  unban: route(
    "DELETE /bans",
    {
      perServer: "all",
      summary: "Unban a player",
      description: `Removes every ban of the player, by \`uuid\` or any name that they have had; below \`/servers/<name>\` only that game server's own ban. ${WITHOUT_GAME}`,
      auth: withKeyOrLink("bans:write"),
      body: ["UnbanRequest", unbanRequest],
      answers: { 200: { description: "The player is no longer banned.", body: "Unbanned" } },
      errors: ["invalid_name", "not_banned", "server_unavailable", "unexpected_result"],
    },
    (deps: BanRoutesDeps, gameServer: Pick<GameServer, "name">, isNamed) => {
      const unban = createUnban(deps, serverOf(gameServer, isNamed));
      return async ({ req, key, uuid, body }) => {
        const who = named(body);
        return who === undefined ? invalidPlayer(body) : unban(who, { key, uuid }, req);
      };
    },
  ),
  unbanByUuid: route(
    "DELETE /bans/{uuid}",
    {
      perServer: "all",
      summary: "Unban a player by uuid",
      description: `As \`DELETE /bans\` with \`uuid\`, for programs that cannot send a body with \`DELETE\`. ${WITHOUT_GAME}`,
      auth: withKeyOrLink("bans:write"),
      parameters: [
        pathParameter(
          "uuid",
          "UUID of the player, as in `GET /bans`.",
          "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a",
        ),
      ],
      answers: { 200: { description: "The player is no longer banned.", body: "Unbanned" } },
      errors: ["invalid_name", "not_banned", "server_unavailable", "unexpected_result"],
    },
    (deps: BanRoutesDeps, gameServer: Pick<GameServer, "name">, isNamed) => {
      const unban = createUnban(deps, serverOf(gameServer, isNamed));
      return async ({ req, key, uuid: by }) => {
        const uuid = `${req.params.uuid}`;
        const who = named({ uuid });
        return who === undefined ? invalidPlayer({ uuid }) : unban(who, { key, uuid: by }, req);
      };
    },
  ),
});
