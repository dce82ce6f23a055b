import type { Infer } from "../guard.ts";
import { bool, count, int64, list, object, optional, orNull, ref, text, uuid } from "./schema-guards.ts";

const moment = (description: string) => int64(`${description}, in milliseconds since 1970.`);

const properties = {
  name: text("The player's name when last seen.", { minLength: 1 }),
  uuid: uuid("As in `PlayerData`."),
  online: bool("Whether the player is on a game server that is online."),
  firstSeen: moment("When the service first saw the player"),
  lastSeen: moment("When a game server last reported the player"),
  visits: count("Visits, on all game servers.", 1),
  playtimeSeconds: int64("Time online in seconds, on all game servers together."),
  deaths: count("Deaths, on all game servers together."),
  playerKills: count("Kills of other players, on all game servers together."),
};

export const knownPlayer = object("A known player.", properties);
export type KnownPlayer = Infer<typeof knownPlayer>;

export const stay = object("A visit.", {
  from: moment("Start"),
  to: orNull(moment("End; null while the player is online")),
});

/** Most visits in the data of a player. */
export const MAX_STAYS = 500;

export const knownPlayerData = object("A known player; with a key also their visits.", {
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

export const knownPlayers = object("A page of known players.", {
  players: list("In the requested order.", ref("KnownPlayer", knownPlayer), 200),
  total: count("Number of all known players, or with `name` of those whose name starts with it."),
  next: orNull(text("Value of `after` for the next page; null on the last page.", { minLength: 1 })),
});
export type KnownPlayers = Infer<typeof knownPlayers>;
