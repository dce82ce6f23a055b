import * as guards from "../guard.ts";
import { NAME_LENGTH } from "../limits.ts";
import { constant, list, request, text, withSchema } from "./schema-guards.ts";

/** Names that can be put on the whitelist depend on the configuration. */
export const whitelistRequest = (pattern: string) =>
  request("Whom to add.", {
    playerName: text("Name of a player. Names that do not match can be added on the game's console only.", {
      pattern,
    }),
  });
export const whitelistRemoval = request("Whom to take off.", {
  playerName: text("Exactly the name that is listed, whatever is in it. Case counts.", {
    minLength: 1,
    maxLength: NAME_LENGTH,
  }),
});
export const whitelist = list(
  "Names on the game's allowlist, sorted by code unit.",
  withSchema(guards.text(NAME_LENGTH), { type: "string" }),
);
export const removed = constant("The game's list does not hold the name any more.", "removed");
export const whitelisted = constant("The game's list holds the name.", "whitelisted");
