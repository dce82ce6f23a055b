// These subscriptions have to precede those of the pack.
import "./recorded-events.ts";
import "../../behavior_pack/main.ts";
import { handlers } from "./handlers.ts";
import { type Gametest, playerHandlers } from "./players.ts";
import { listen } from "./questions.ts";

/** @param gametest undefined: the game does not have it */
export const startScript = (gametest: Gametest | undefined): void =>
  listen({ ...handlers, ...playerHandlers(gametest) });
