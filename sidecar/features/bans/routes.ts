import type { Request } from "express";
import { parseDuration } from "../../../shared/duration.ts";
import { anything, type Infer, object } from "../../../shared/guard.ts";
import { BAN_REASON_LENGTH } from "../../../shared/limits.ts";
import type { Ban } from "../../../shared/public/moderation.ts";
import { isUuid } from "../../../shared/public/schema-guards.ts";
import { json } from "../../kernel/http/answer.ts";
import { pathParameter, WITHOUT_GAME } from "../../kernel/http/description.ts";
import { type ErrorAnswer, errorAnswer, errorWith } from "../../kernel/http/errors.ts";
import { withKey } from "../../kernel/http/keys.ts";
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
  "There is no player of this name, and it cannot be a gamertag: 1 to 16 letters, digits and single spaces, optionally followed by `#` and 1 to 4 digits.";

const durationDetail = {
  field: "for",
  message: "`for` must be a duration such as `30m`, `12h` or `7d`. Leave it out for a permanent ban.",
};

/** The game server whose bans a path is about; undefined: those of all of them. */
const serverOf = ({ name }: Pick<GameServer, "name">, isNamed: boolean): string | undefined =>
  isNamed ? name : undefined;

/** Sorts bans by name, and tells them apart. */
const keyOfBan = ({ name, uuid, servers }: Ban): string => [name, uuid ?? "", servers?.[0] ?? ""].join("\0");

/** Unbans a player on a game server, or on all. */
const createUnban =
  ({ bans, ownerLog }: BanRoutesDeps, server: string | undefined) =>
  async (who: BanTarget, key: string, req: Request) => {
    const author = authorOf(key, req);
    const { outcome } = await bans.remove(who, author, server);
    if (outcome !== "unbanned") return errorWith(outcome, { field: "uuid" in who ? "uuid" : "playerName" });
    ownerLog.info({ ...who, server, holder: key, address: author.address }, "lifted the ban of a player");
    return json({ status: outcome });
  };

export const banRoutes = routes("Moderation", {
  getBans: route(
    "GET /bans",
    {
      perServer: "all",
      summary: "Bans that hold",
      description: `Of all game servers; below \`/servers/<name>\` those that hold there. Those that have ended are not in it. ${WITHOUT_GAME} The key needs the scope \`bans:read\`, which \`admin-api-key\` does not have.`,
      auth: withKey("bans:read"),
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
      description: `On all game servers; below \`/servers/<name>\` on that one. Takes the place of an earlier ban of the same player there. Whoever is online is sent away at once. A name finds the player who is known or online and has it or had it before; case, Unicode form and extra spaces do not matter. Else it is of the first player who joins with it, and has to be one that gamertags may have: 1 to 16 letters, marks and digits of any script with single spaces between them, and perhaps \`#\` and one to four digits. A ban follows the player through name changes. ${WITHOUT_GAME} The game hears of it as soon as it is there. The key needs the scope \`bans:write\`, which \`admin-api-key\` does not have, and is checked before the body.`,
      auth: withKey("bans:write"),
      body: ["BanRequest", banRequest],
      answers: { 200: { description: "The player is banned.", body: "Banned" } },
      errors: ["invalid_name", "ambiguous_name", "too_many_bans", "server_unavailable", "unexpected_result"],
    },
    ({ bans, ownerLog }: BanRoutesDeps, gameServer: Pick<GameServer, "name">, isNamed) => {
      const server = serverOf(gameServer, isNamed);
      return async ({ req, key, body }) => {
        const who = named(body);
        if (who === undefined) return invalidPlayer(body);
        const reason = cleanedTo(BAN_REASON_LENGTH, body.reason ?? "");
        const forMs = parseDuration(body.for);
        const isPermanent = body.for === undefined || body.for === null;
        if (reason === undefined) return errorWith("invalid_body", reasonDetail);
        if (!isPermanent && !forMs) return errorWith("invalid_body", durationDetail);
        const author = authorOf(key, req);
        const given = reason.trim() === "" ? {} : { reason };
        const banned = await bans.add({ who, ...given, forMs }, author, server);
        const { outcome } = banned;
        if (outcome === "too_many_bans") return errorAnswer(outcome);
        if (outcome !== "banned")
          return errorWith(outcome, {
            field: "playerName",
            ...(outcome === "invalid_name" && { message: NO_SUCH_NAME }),
          });
        ownerLog.info({ ...who, ...given, server, holder: key, address: author.address }, "banned a player");
        return json({ status: outcome, ban: banned.ban });
      };
    },
  ),
  unban: route(
    "DELETE /bans",
    {
      perServer: "all",
      summary: "Lift a ban",
      description: `Every ban of the player, by \`uuid\` or any name that the player has had; below \`/servers/<name>\` that game server's own ban only. ${WITHOUT_GAME} The key needs the scope \`bans:write\`, which \`admin-api-key\` does not have, and is checked before the body.`,
      auth: withKey("bans:write"),
      body: ["UnbanRequest", unbanRequest],
      answers: { 200: { description: "The player may come again.", body: "Unbanned" } },
      errors: ["invalid_name", "not_banned", "server_unavailable", "unexpected_result"],
    },
    (deps: BanRoutesDeps, gameServer: Pick<GameServer, "name">, isNamed) => {
      const unban = createUnban(deps, serverOf(gameServer, isNamed));
      return async ({ req, key, body }) => {
        const who = named(body);
        return who === undefined ? invalidPlayer(body) : unban(who, key, req);
      };
    },
  ),
  unbanByUuid: route(
    "DELETE /bans/{uuid}",
    {
      perServer: "all",
      summary: "Unban a player by uuid",
      description: `As \`DELETE /bans\` with \`uuid\`, for programs that cannot send a body with \`DELETE\`. ${WITHOUT_GAME}`,
      auth: withKey("bans:write"),
      parameters: [
        pathParameter(
          "uuid",
          "Of the player, as `GET /bans` lists it.",
          "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a",
        ),
      ],
      answers: { 200: { description: "The player may come again.", body: "Unbanned" } },
      errors: ["invalid_name", "not_banned", "server_unavailable", "unexpected_result"],
    },
    (deps: BanRoutesDeps, gameServer: Pick<GameServer, "name">, isNamed) => {
      const unban = createUnban(deps, serverOf(gameServer, isNamed));
      return async ({ req, key }) => {
        const uuid = `${req.params.uuid}`;
        const who = named({ uuid });
        return who === undefined ? invalidPlayer({ uuid }) : unban(who, key, req);
      };
    },
  ),
});
