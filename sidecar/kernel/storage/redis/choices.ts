import { choices } from "../../../features/servers/rules/choices.ts";
import type { ChoiceStore } from "../ports.ts";
import type { Connection } from "./connection.ts";
import { readFields } from "./fields.ts";
import choose from "./lua/choose.lua";
import { script } from "./script.ts";

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
      return new Map(
        [...(await readFields(redis, "choices", players))].flatMap(([player, [blocked, hidden]]) => {
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
