import * as guards from "../guard.ts";
import { NAME_LENGTH } from "../limits.ts";
import { constant, list, request, text, withSchema } from "./schema-guards.ts";

/** The pattern of names depends on the configuration. */
export const whitelistRequest = (pattern: string) =>
  request("The name to add.", {
    playerName: text("Name of a player. Names that do not match can only be added in the server console.", {
      pattern,
    }),
  });
export const whitelistRemoval = request("The name to remove.", {
  playerName: text("The exact listed name. Case-sensitive.", {
    minLength: 1,
    maxLength: NAME_LENGTH,
  }),
});
export const whitelist = list(
  "Names on the game's allowlist, sorted by code unit.",
  withSchema(guards.text(NAME_LENGTH), { type: "string" }),
);
export const removed = constant("The name is no longer on the list.", "removed");
export const whitelisted = constant("The name is on the list.", "whitelisted");
