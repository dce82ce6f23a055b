import { type Calls, WITHOUT_GAME } from "./call.ts";

const of = { tag: "Moderation", security: "adminKey" } as const;

/** The calls that moderators make. */
export const MODERATION: Calls = {
  "post /kick": {
    ...of,
    id: "kick",
    summary: "Send a player away",
    description:
      "Answered once the game lists the player no more. Nothing keeps the player from coming back: the whitelist does. What was answered with 500 is not done later, either. The key needs the scope `players:kick`, which `admin-api-key` does not have, and is checked before the body.",
    request: "KickRequest",
    answers: { 200: { description: "The player is gone.", body: "Kicked" } },
    errors: ["invalid_name", "player_offline", "server_unavailable", "unexpected_result"],
  },
  "post /announce": {
    ...of,
    id: "announce",
    summary: "Show a text to everybody in the game",
    description:
      "As a line of the game that nobody says: the chat, its events and webhooks have it as `chat` from `game` without a `player`. Answered once the game has shown it. What was answered with 500 is not shown later. The key needs the scope `chat:announce`, which `admin-api-key` does not have, and is checked before the body.",
    request: "AnnounceRequest",
    answers: { 200: { description: "It was shown.", body: "Announced" } },
    errors: ["server_unavailable", "unexpected_result"],
  },
  "get /bans": {
    ...of,
    id: "getBans",
    summary: "Bans that hold",
    description: `Of all game servers; below \`/servers/<name>\` those that hold there. Those that have ended are not in it. ${WITHOUT_GAME} The key needs the scope \`bans:read\`, which \`admin-api-key\` does not have.`,
    answers: { 200: { description: "The bans.", body: "Bans" } },
    errors: ["server_unavailable", "unexpected_result"],
  },
  "post /bans": {
    ...of,
    id: "ban",
    summary: "Ban a player",
    description: `On all game servers; below \`/servers/<name>\` on that one. Takes the place of an earlier ban of the same player there. Whoever is online is sent away at once. A name finds the player who is known or online and has it or had it before; case, Unicode form and extra spaces do not matter. Else it is of the first player who joins with it, and has to be one that gamertags may have: 1 to 16 letters, marks and digits of any script with single spaces between them, and perhaps \`#\` and one to four digits. A ban follows the player through name changes. ${WITHOUT_GAME} The game hears of it as soon as it is there. The key needs the scope \`bans:write\`, which \`admin-api-key\` does not have, and is checked before the body.`,
    request: "BanRequest",
    answers: { 200: { description: "The player is banned.", body: "Banned" } },
    errors: ["invalid_name", "ambiguous_name", "too_many_bans", "server_unavailable", "unexpected_result"],
  },
  "delete /bans": {
    ...of,
    id: "unban",
    summary: "Lift a ban",
    description: `Every ban of the player, by \`uuid\` or any name that the player has had; below \`/servers/<name>\` that game server's own ban only. ${WITHOUT_GAME} The key needs the scope \`bans:write\`, which \`admin-api-key\` does not have, and is checked before the body.`,
    request: "UnbanRequest",
    answers: { 200: { description: "The player may come again.", body: "Unbanned" } },
    errors: ["invalid_name", "not_banned", "server_unavailable", "unexpected_result"],
  },
};
