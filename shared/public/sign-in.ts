import type { Infer } from "../guard.ts";
import { bool, constant, int64, list, object, oneOf, orNull, request, text, uuid } from "./schema-guards.ts";

const siteId = text("Id of the site, as the configuration has it.", { pattern: "^[\\w.~-]{1,64}$" });
const siteName = text("What the site is called.", { minLength: 1 });

const offeredPlayer = object(
  "The player who is linked to this browser, where the site may be told who that is at once.",
  {
    name: text("Name as far as it is known.", { minLength: 1 }),
    uuid: uuid("As in `PlayerData`."),
  },
);

export const signInState = object("A sign-in to another site that this browser has under way.", {
  site: object("The site that asks.", { id: siteId, name: siteName }),
  status: oneOf(
    "`waiting`: the form is open in the game, or on its way there; `declined`: by the player, or nobody answered in time: may be tried again; `accepted`: the player said yes, the page can go on; `begun`: none of that.",
    "begun",
    "waiting",
    "declined",
    "accepted",
  ),
  player: orNull(offeredPlayer),
  asked: orNull(text("Name of the player who is asked; null unless waiting.")),
  leftMs: orNull(int64("How long the form may be answered yet, in milliseconds; null unless waiting.")),
  alike: bool(
    "Whether it was declined because another browser, which the game calls by the same characters, has asked for the same player.",
  ),
  withName: bool("Whether the site learns the player's name; else the id alone."),
  silent: bool("The site wants nothing to be shown: the page ends the sign-in at once."),
});
export type SignInState = Infer<typeof signInState>;

export const continueRequest = request("As whom to go on.", {
  uuid: uuid("The player whom the page has shown, as `player` of `SignInState` names her."),
});

export const signInEnd = object("The sign-in has come to its end.", {
  location: text("Address to which the page goes on, by itself at the top level."),
});
export type SignInEnd = Infer<typeof signInEnd>;

export const knownSites = list(
  "Sites that the player said yes to in this browser, oldest first.",
  object("A site that knows who this browser's player is.", {
    id: siteId,
    name: siteName,
    at: int64("When the player said yes, in milliseconds since 1970."),
  }),
);
export type KnownSites = Infer<typeof knownSites>;

export const siteDisconnected = constant("The site is told nothing any more.", "ended");
