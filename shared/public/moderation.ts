import type { Infer } from "../guard.ts";
import { NAME_LENGTH } from "../limits.ts";
import {
  constant,
  int64,
  list,
  object,
  optional,
  orNull,
  ref,
  request,
  text,
  uuid,
} from "./schema-guards.ts";

const whom = {
  playerName: optional(
    orNull(
      text(
        "Name of a player. Case, Unicode form and extra spaces do not matter. Left out or null beside `uuid`.",
        {
          minLength: 1,
        },
      ),
    ),
  ),
  uuid: optional(orNull(text("The player's uuid, in the place of `playerName`."))),
};
export const banRequest = request("Whom to ban: one of `playerName` and `uuid`.", {
  ...whom,
  reason: optional(orNull(text("What the player is told, like the reason of a kick."))),
  for: optional(
    orNull(
      text("For how long, such as `30m`, `12h` or `7d`. Without it and with null: for good.", {
        pattern: "^[0-9]{1,9}(ms|s|m|h|d)$",
      }),
    ),
  ),
});
export const unbanRequest = request("Whose ban to lift: one of `playerName` and `uuid`.", whom);
export const ban = object("A ban that holds.", {
  name: text("Newest name of the player. Blank while nobody with this uuid has been seen."),
  uuid: orNull(uuid("Null until the service has seen the player.")),
  servers: orNull(list("Names of the game servers, null: all of them.", text("As `GET /servers` tells it."))),
  reason: orNull(text("What the player is told, null without one.")),
  by: orNull(text("Name of the key, or `game:` with who did it in the game, `game:Server` its console.")),
  at: int64("When it was decided, in milliseconds since 1970."),
  until: orNull(int64("When it ends by itself, in milliseconds since 1970; null: never.")),
});
export type Ban = Infer<typeof ban>;
export const bans = list("Bans that hold, by code unit of the names.", ref("Ban", ban));
export const banned = constant("The player is banned.", "banned");
export const unbanned = constant("The player is banned no more.", "unbanned");

export const kickRequest = request("Whom to send away.", {
  playerName: text("Exactly the name of a player who is online. Case counts.", {
    minLength: 1,
    maxLength: NAME_LENGTH,
  }),
  reason: optional(
    orNull(
      text(
        "What the player is told, at most 60 characters without what lines of the web may not have: formatting codes, control characters, line breaks and the like, which are taken away. Without it, with null and with blanks: nothing.",
      ),
    ),
  ),
});
export const announceRequest = request("What to announce.", {
  content: text("1 to 256 characters, counted and cleaned like a reason of a kick.", { minLength: 1 }),
});
export const kicked = constant("The game has sent the player away.", "kicked");
export const announced = constant("The game has shown it.", "announced");
