import type { Infer } from "../guard.ts";
import { bool, count, int64, list, object, optional, orNull, ref, text, uuid } from "./schema-guards.ts";

const moment = (description: string) => int64(`${description}, in milliseconds since 1970.`);

const properties = {
  name: text("Newest name that the game has reported.", { minLength: 1 }),
  uuid: uuid("As in `PlayerData`."),
  online: bool("Whether the player is on a game server that reports."),
  firstSeen: moment("When the service was first told of the player"),
  lastSeen: moment("When a game server last reported the player"),
  visits: count("Visits, on all game servers.", 1),
  playtimeSeconds: int64("Time online in seconds, on all game servers together."),
  deaths: count("Deaths, on all game servers together."),
  playerKills: count("Kills of other players, on all game servers together."),
};

export const knownPlayer = object("A player who has been here.", properties);
export type KnownPlayer = Infer<typeof knownPlayer>;

export const stay = object("A visit.", {
  from: moment("When it began"),
  to: orNull(moment("When it ended; null while the player is online")),
});

/** Most visits that are told of a player. */
export const MAX_STAYS = 500;

export const knownPlayerData = object("A player who has been here, and with a key when.", {
  ...properties,
  stays: optional(
    list(
      "Visits, newest first; only with a key that has the scope `players:read`.",
      ref("Stay", stay),
      MAX_STAYS,
    ),
  ),
});
export type KnownPlayerData = Infer<typeof knownPlayerData>;

export const knownPlayers = object("A page of those who have been here.", {
  players: list("In the order that was asked for.", ref("KnownPlayer", knownPlayer), 200),
  total: count("How many there are in all, or with `name` whose name begins so."),
  next: orNull(text("What `after` goes on with; null: there are no more.", { minLength: 1 })),
});
export type KnownPlayers = Infer<typeof knownPlayers>;
