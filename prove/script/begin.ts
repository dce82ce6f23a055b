// In this order: what is subscribed to here has to be asked before the pack.
import "./before.ts";
import "../../behavior_pack/main.ts";
import { answers } from "./answers.ts";
import { listen } from "./asked.ts";
import { type Gametest, playerAnswers } from "./players.ts";

/** Begins to answer. `gametest`: undefined where the game does not have it. */
export const begin = (gametest: Gametest | undefined): void =>
  listen({ ...answers, ...playerAnswers(gametest) });
