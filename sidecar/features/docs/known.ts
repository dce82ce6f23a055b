import { MOST_STAYS } from "../../../shared/public/known.ts";
import type { Config } from "../../config/settings.ts";
import { BEGINNING_LENGTH, DEFAULT_KNOWN, MOST_KNOWN } from "../known-players/known-query.ts";
import { KNOWN_SORTS } from "../known-players/rules/known-list.ts";
import { time } from "./amounts.ts";
import { type Calls, WITHOUT_GAME } from "./call.ts";
import { type Parameter, parameter } from "./events.ts";

const KNOWN_PARAMETERS: Parameter[] = [
  parameter(
    "sort",
    "`last-seen`: who was here last comes first; `first-seen`: who came first; `playtime`, `kills`, `deaths`, `visits`: who has most; `name`: by code unit. Equal ones by `uuid`. Without it: `last-seen`, or `name` where that is asked for.",
    { type: "string", enum: [...KNOWN_SORTS] },
    "playtime",
  ),
  parameter(
    "name",
    "Only those whose name begins so, whatever the case. Goes with `sort` `name` alone.",
    { type: "string", minLength: 1, maxLength: BEGINNING_LENGTH },
    "st",
  ),
  parameter(
    "limit",
    `Most players of the answer; ${DEFAULT_KNOWN} without it.`,
    { type: "integer", minimum: 1, maximum: MOST_KNOWN },
    DEFAULT_KNOWN,
  ),
  parameter(
    "after",
    "`next` of the answer before, to the same `sort` and `name`: goes on behind it. Nobody comes twice or is left out who did not change meanwhile.",
    { type: "string", minLength: 1 },
    "WyJwbGF5dGltZSIsIiIsLTcyMDAsIjE4ODU5YTcwLTY4MDYtNTZmMi04ZGYxLTdiOTk2ZTgxNTFjYiJd",
  ),
];

/** The calls about everybody who has been here; none where nobody is remembered. */
export function callsOfKnown({ knownPlayers, limits }: Config["modules"]["api"]): Calls {
  const { show, keepFor, staysFor } = knownPlayers;
  if (show === "off") return {};
  const isForAll = show === "everybody";
  const forWhom = isForAll ? "" : " The key needs the scope `players:read`.";
  const of = { tag: "Game server" as const, ...(!isForAll && { security: "adminKey" as const }) };
  const errors = ["server_unavailable", "unexpected_result"] as const;
  return {
    "get /known-players": {
      ...of,
      id: "getKnownPlayers",
      summary: "Everybody who has ever been here",
      description: `A page at a time, without those who have hidden themselves in the game or had themselves forgotten. At most ${limits.knownPlayers} players are remembered, each for ${time(keepFor)} after the last visit. Figures are those of all game servers together.${forWhom} ${WITHOUT_GAME}`,
      parameters: KNOWN_PARAMETERS,
      answers: { 200: { description: "The page.", body: "KnownPlayers" } },
      errors: ["invalid_query", ...errors],
    },
    "get /known-players/{uuid}": {
      ...of,
      id: "getKnownPlayer",
      summary: "One of those who have ever been here",
      description: `With a key that has the scope \`players:read\`, also when: visits of the last ${time(staysFor)}, ${MOST_STAYS} at most.${forWhom} ${WITHOUT_GAME}`,
      parameters: [
        {
          name: "uuid",
          in: "path",
          required: true,
          description: "Of the player, as `GET /players` and events tell it.",
          schema: { type: "string" },
          example: "25f6be79-78bb-5d2a-9d14-dde1a1ccd90a",
        },
      ],
      answers: { 200: { description: "The player.", body: "KnownPlayerData" } },
      errors: ["invalid_query", "unknown_player", ...errors],
    },
  };
}
