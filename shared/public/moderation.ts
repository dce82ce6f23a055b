import type { Infer } from "../guard.ts";
import { NAME_LENGTH } from "../limits.ts";
import {
  bool,
  constant,
  int64,
  list,
  object,
  oneOf,
  optional,
  orNull,
  ref,
  request,
  text,
  uuid,
} from "./schema-guards.ts";
import { SCOPES } from "./words.ts";

export const permissions = object("What a key or a moderator may do.", {
  scopes: list("The scopes.", oneOf("A scope.", ...SCOPES)),
  servers: orNull(
    list(
      "Names of the game servers that the scopes apply to; null: all of them. Calls about the whole service, such as mutes, are not limited.",
      text("As in `GET /servers`."),
    ),
  ),
});
export type Permissions = Infer<typeof permissions>;

const whom = {
  playerName: optional(
    orNull(
      text(
        "Name of a player. Case, Unicode form and extra spaces are ignored. Omitted or null with `uuid`.",
        {
          minLength: 1,
        },
      ),
    ),
  ),
  uuid: optional(orNull(text("The player's UUID, instead of `playerName`."))),
};
export const banRequest = request("The player to ban: either `playerName` or `uuid`.", {
  ...whom,
  reason: optional(orNull(text("Shown to the player, like the reason of a kick."))),
  for: optional(
    orNull(
      text("Duration, such as `30m`, `12h` or `7d`. Omitted or null: permanently.", {
        pattern: "^[0-9]{1,9}(ms|s|m|h|d)$",
      }),
    ),
  ),
});
export const unbanRequest = request("The player to unban: either `playerName` or `uuid`.", whom);
export const ban = object("An active ban.", {
  name: text("The player's name when last seen. Empty if no player with this UUID was seen yet."),
  uuid: orNull(uuid("Null until the service has seen the player.")),
  known: bool(
    "Whether a player with this name or UUID has been seen. If not, the name may be a typo: the ban takes effect once somebody joins with it.",
  ),
  servers: orNull(list("Names of the game servers; null: all of them.", text("As in `GET /servers`."))),
  reason: orNull(text("Shown to the player; null if there is none.")),
  by: orNull(
    text(
      "Name of the key; `player:` and the name of a moderator without a key; or `game:` and the name of the operator in the game, `game:Server` for the server console.",
    ),
  ),
  at: int64("Start of the ban, in milliseconds since 1970."),
  until: orNull(int64("End of the ban, in milliseconds since 1970; null: permanent.")),
});
export type Ban = Infer<typeof ban>;
export const bans = list("Active bans, sorted by name (by code unit).", ref("Ban", ban));
export const banned = object("The player is banned.", {
  status: oneOf("Always this value.", "banned"),
  ban: ref("Ban", ban, "As in `GET /bans`."),
});
export type Banned = Infer<typeof banned>;
export const unbanned = constant("The player is unbanned.", "unbanned");

export const kickRequest = request("The player to kick.", {
  playerName: text("Exact name of an online player. Case-sensitive.", {
    minLength: 1,
    maxLength: NAME_LENGTH,
  }),
  reason: optional(
    orNull(
      text(
        "Shown to the player. At most 60 characters; formatting codes, control characters, line breaks and invisible characters are removed first. Omitted, null or blank: no reason.",
      ),
    ),
  ),
});
export const announceRequest = request("The announcement.", {
  content: text("1 to 256 characters, after the same characters as in the reason of a kick are removed.", {
    minLength: 1,
  }),
});
const label = text(
  "The browser's label in events, or the eight characters that the game shows for it; `--------`: all browsers without a session.",
  { pattern: "^[0-9a-zA-Z-]{8}$" },
);
export const muteRequest = request("Which browser to mute.", {
  label,
  for: optional(
    orNull(
      text("Duration, such as `30m` or `12h`, at most `7d`. Left out or null: `1h`.", {
        pattern: "^[0-9]{1,9}(ms|s|m|h|d)$",
      }),
    ),
  ),
});
export const unmuteRequest = request("Which browser to unmute.", { label });
export const mute = object("A muted browser.", {
  label,
  until: int64("End of the mute, in milliseconds since 1970."),
});
export type Mute = Infer<typeof mute>;
export const mutes = list("Muted browsers, sorted by label (by code unit).", ref("Mute", mute));
export const muted = constant("The browser is muted.", "muted");
export const unmuted = constant("The browser is no longer muted.", "unmuted");

export const auditEntry = object("A change that was made or tried, or a sign-in to another site.", {
  at: int64("When, in milliseconds since 1970."),
  key: optional(
    text(
      "Who did it: the name of the key; `player:` and the name of a moderator without a key; or `game:` and who did it in the game. Omitted for sign-ins.",
    ),
  ),
  uuid: optional(text("UUID of the moderator, if `key` begins with `player:`.")),
  client: optional(text("Id of the site. Only for sign-ins.")),
  address: text("Where the request came from."),
  action: text(
    "What was done: `whitelist.add`, `whitelist.remove`, `player.kick`, `chat.announce`, `chat.mute`, `chat.unmute`, `ban.add`, `ban.remove`, `sign-in`; or a change in the game, such as `link.accept` or `player.hide`. More may be added.",
  ),
  name: text("The player or browser that it is about; of an announcement its text."),
  outcome: text("The `status` or `error` of the response."),
  server: optional(text("Name of the game server, where there are several.")),
  reason: optional(text("The reason, where one was given.")),
});
export type AuditEntry = Infer<typeof auditEntry>;
export const auditEntries = list("The newest entries, newest first.", ref("AuditEntry", auditEntry));

export const kicked = constant("The player was kicked.", "kicked");
export const announced = constant("The game has shown it.", "announced");
