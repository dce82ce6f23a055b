// In this order: what is subscribed to here has to be asked before the pack.
import "./recorded-events.ts";
import "../../behavior_pack/main.ts";
import { handlers } from "./handlers.ts";
import { type Gametest, playerHandlers } from "./players.ts";
import { listen } from "./questions.ts";

/** Begins to answer. `gametest`: undefined where the game does not have it. */
export const startScript = (gametest: Gametest | undefined): void =>
  listen({ ...handlers, ...playerHandlers(gametest) });
