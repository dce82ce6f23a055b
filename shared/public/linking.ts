import type { Infer } from "../guard.ts";
import { label } from "./events.ts";
import { playerData } from "./game-server.ts";
import {
  constant,
  int64,
  list,
  none,
  object,
  oneOf,
  optional,
  orNull,
  ref,
  request,
  text,
  union,
  uuid,
} from "./schema-guards.ts";

const linkStatus = (description: string) =>
  oneOf(description, "not_linked", "pending", "declined", "accepted");

/** Why a request was declined. Requests that were declined before this was stored have none. */
export const declineReason = oneOf(
  "Why it is declined. `declined`: the player declined, or accepts no requests any more; `timed_out`: the player did not answer in time; `same_characters`: another session with the same first eight characters sent a request to the same player: tell the visitor to accept nothing. Only when declined; left out where it is not known.",
  "declined",
  "timed_out",
  "same_characters",
);

export const initializationData = object("A browser session.", {
  status: oneOf(
    "`new` when this call created the session, `existing` when the cookie named it.",
    "new",
    "existing",
  ),
  userId: uuid("Id of the session, the value of its cookie."),
});
export type InitializationData = Infer<typeof initializationData>;

export const linkRequest = request("The player to link to.", {
  username: text("Exact name of an online player. Case counts, spaces are fine.", { pattern: "\\S" }),
  server: optional(
    orNull(
      text(
        "Name of a game server, as in `GET /servers`: the request goes there alone. Left out or null: to the first one with a player of this name.",
      ),
    ),
  ),
});
export const verificationSent = constant("The request is sent.", "verification_sent");
export const alreadyPending = constant("This session already has a pending request.", "already_pending");
export const linkRequestCancelled = constant("The request is cancelled.", "cancelled");
export const unlinked = constant("The link is gone.", "unlinked");

export const linkedPlayerResponse = object("The link of a browser session.", {
  status: linkStatus("`declined` also when the player did not answer in time."),
  reason: optional(declineReason),
  playerData: optional(ref("PlayerData", playerData, "Only when accepted and the player is online.")),
});
export type LinkedPlayerResponse = Infer<typeof linkedPlayerResponse>;

const session = { userId: uuid("Id of the session.") };
const scopes = list(
  "What the player may do without a key, as names of scopes; empty for most players.",
  text("A scope, such as `players:kick`."),
);
const noPlayer = {
  player: none("There is no link."),
  linkedAt: none("There is no link."),
  scopes,
};
export const sessionData = union(
  "A browser session, and the player to whom it is linked.",
  "status",
  "As in `LinkedPlayerResponse`.",
  [
    object("It never requested a link, or the link was ended.", {
      ...session,
      status: oneOf("Always this value.", "not_linked"),
      ...noPlayer,
    }),
    object("The player has not answered the request yet.", {
      ...session,
      status: oneOf("Always this value.", "pending"),
      ...noPlayer,
    }),
    object("The player declined, or did not answer in time.", {
      ...session,
      status: oneOf("Always this value.", "declined"),
      ...noPlayer,
      reason: optional(declineReason),
    }),
    object("Linked to a player, online or not.", {
      ...session,
      status: oneOf("Always this value.", "accepted"),
      player: object("The player.", {
        name: text("Name at the time of linking.", { minLength: 1 }),
        uuid: uuid("As in `PlayerData`."),
      }),
      linkedAt: orNull(
        int64(
          "When the player accepted, in milliseconds since 1970; null for links from versions that did not store it.",
        ),
      ),
      scopes,
    }),
  ],
);
export type SessionData = Infer<typeof sessionData>;

export const sessionLabel = object("The public label of a browser session.", {
  label: label("As in the messages of this session in `GET /events`."),
});
export type SessionLabel = Infer<typeof sessionLabel>;
