import { NAME_LENGTH } from "../limits.ts";
import { constant, optional, orNull, request, text } from "./declare.ts";

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
