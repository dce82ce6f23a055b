// In this order: what is subscribed to and timed around the pack has to come before it, and behind it.
import "./before.ts";
import "../../../behavior_pack/main.ts";
import "./behind.ts";
import { adminAnswers } from "./admin.ts";
import { listen } from "./asked.ts";
import { engineAnswers } from "./engine.ts";
import { formAnswers } from "./forms.ts";
import { netAnswers } from "./net.ts";
import { type Gametest, playerAnswers } from "./players.ts";
import { storeAnswers } from "./store.ts";

/** Begins to answer. `gametest`: undefined where the game does not have it. */
export function begin(gametest: Gametest | undefined): void {
  listen({
    ...engineAnswers,
    ...netAnswers,
    ...adminAnswers,
    ...storeAnswers,
    ...formAnswers,
    ...playerAnswers(gametest),
  });
}
