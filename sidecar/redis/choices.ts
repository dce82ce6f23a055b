import { choices } from "../domain/choices.ts";
import type { ChoiceStore } from "../ports.ts";
import type { Connection } from "./connection.ts";
import choose from "./lua/choose.lua";
import chosen from "./lua/chosen.lua";
import { textsOf } from "./reply.ts";
import { script } from "./script.ts";

const CHOSEN = script(chosen, { mayOverfill: true });
const CHOOSE = script(choose, { isFenced: true, mayOverfill: true });

/** What players have chosen for all game servers, in Redis: a letter for each choice, y, n, or - where it was never told. */
export function createRedisChoices(redis: Connection): ChoiceStore {
  const letter = (chosen: boolean | undefined): string => (chosen === undefined ? "-" : chosen ? "y" : "n");
  const read = (letter: string | undefined): boolean | undefined => {
    if (letter === "y") return true;
    return letter === "n" ? false : undefined;
  };
  return {
    async chosen(players) {
      if (players.length === 0) return new Map();
      const found = textsOf(await redis.run(CHOSEN, ["choices"], players));
      return new Map(
        players.flatMap((player, i) => {
          const [blocked, hidden] = found[i] ?? "";
          return blocked === undefined
            ? []
            : [[player, choices({ blocked: read(blocked), hidden: read(hidden) })]];
        }),
      );
    },
    async choose(player, { server, most }, { blocked, hidden }, turn) {
      const values = [player, server, letter(blocked), letter(hidden), most];
      return (await redis.run(CHOOSE, ["choices", "choice-counts"], values, turn)) === 1;
    },
  };
}
