// In this order: what is subscribed to here has to be asked before the pack.
import "./recorded-events.ts";
import "../../behavior_pack/main.ts";
import { answers } from "./answers.ts";
import { type Gametest, playerAnswers } from "./players.ts";
import { listen } from "./questions.ts";

/** Begins to answer. `gametest`: undefined where the game does not have it. */
export const begin = (gametest: Gametest | undefined): void =>
  listen({ ...answers, ...playerAnswers(gametest) });
