import type { Infer } from "../guard.ts";
import { declineReason } from "./linking.ts";
import {
  bool,
  constant,
  int64,
  list,
  object,
  oneOf,
  optional,
  orNull,
  request,
  text,
  uuid,
} from "./schema-guards.ts";

const siteId = text("Id of the site, as the configuration has it.", { pattern: "^[\\w.~-]{1,64}$" });
const siteName = text("What the site is called.", { minLength: 1 });

const offeredPlayer = object(
  "The player linked to this browser, where the browser may continue as that player without a question in the game.",
  {
    name: text("The player's most recent name.", { minLength: 1 }),
    uuid: uuid("As in `PlayerData`."),
  },
);

export const signInState = object("A sign-in to another site that this browser has under way.", {
  site: object("The site that asks who the player is.", {
    id: siteId,
    name: siteName,
    host: text(
      "Host to which the browser returns, with its port where that is not the usual one; of an app, the scheme of its address.",
    ),
  }),
  status: oneOf(
    "`waiting`: the request was sent, and the player has not answered; `declined`: the request was declined or timed out, and another one can be sent; `accepted`: the player accepted, and the page can continue; `begun`: no request was sent.",
    "begun",
    "waiting",
    "declined",
    "accepted",
  ),
  player: orNull(offeredPlayer),
  asked: orNull(text("Name of the player who has the request; null unless waiting.")),
  leftMs: orNull(int64("Time left to answer the request, in milliseconds; null unless waiting.")),
  reason: optional(declineReason),
  alike: bool("Whether `reason` is `same_characters`."),
  withName: bool("Whether the site gets the player's name; otherwise it gets the id alone."),
  silent: bool("The site wants nothing to be shown: the page ends the sign-in immediately."),
});
export type SignInState = Infer<typeof signInState>;

export const continueRequest = request("The player to continue as.", {
  uuid: uuid("The player that the page has shown: `player` of `SignInState`."),
});

export const signInEnd = object("The sign-in has ended.", {
  location: text("Address at which the browser continues. The page must be the top-level one."),
});
export type SignInEnd = Infer<typeof signInEnd>;

export const knownSites = list(
  "Sites that know the player linked to this browser, oldest first.",
  object("A site that knows the player.", {
    id: siteId,
    name: siteName,
    at: int64("When the player agreed, in milliseconds since 1970."),
  }),
);
export type KnownSites = Infer<typeof knownSites>;

export const siteDisconnected = constant("The site is disconnected: it gets no more information.", "ended");
