import type { Calls } from "./call.ts";

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
};
