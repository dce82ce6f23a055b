import { checkJson, list, text } from "../../../../shared/guard.ts";
import { NAME_LENGTH, NAMES_PART } from "../../../../shared/limits.ts";
import { partialSnapshot } from "../../../features/status/rules/snapshot.ts";
import { MAX_NAMES, NAMES_MS } from "../files/parts.ts";
import type { Parts } from "../ports/game.ts";
import type { Connection } from "./connection.ts";
import addNames from "./lua/add-names.lua";
import { replaceText } from "./replace.ts";
import { maybeText, pairsOf } from "./reply.ts";
import { script } from "./script.ts";

const ADD = script(addNames, { isFenced: true, mayOverfill: true });

const names = list(text(NAME_LENGTH), NAMES_PART);

/** Holds parts in Redis, each for as long as anybody waits for them. */
export function createRedisParts(redis: Connection): Parts {
  const keyOf = (action: string): string => `names:${action}`;

  return {
    async addNames(action, fact, part, turn) {
      const most = Math.ceil(MAX_NAMES / NAMES_PART);
      await redis.run(ADD, [keyOf(action)], [fact, JSON.stringify(part), most, NAMES_MS], turn);
    },
    async names(action) {
      const told = pairsOf(await redis.ask("HGETALL", redis.key(keyOf(action))));
      if (told.length === 0) return undefined;
      if (told.some(([fact]) => fact === "too many")) return "too many";
      return told
        .sort(([a], [b]) => Number(a) - Number(b))
        .flatMap(([, part]) => {
          const known = checkJson(names, part);
          return "value" in known ? known.value : [];
        });
    },
    forgetNames: async action => void (await redis.ask("DEL", redis.key(keyOf(action)))),
    async partial() {
      const stored = maybeText(await redis.ask("GET", redis.key("partial")));
      const known = stored === undefined ? undefined : checkJson(partialSnapshot, stored);
      return known && "value" in known ? known.value : undefined;
    },
    setPartial(next, turn) {
      const decided = { text: next ? JSON.stringify(next) : "", ...(next && { forMs: NAMES_MS }) };
      return replaceText(redis, "partial", () => ({ ...decided, answer: undefined }), turn);
    },
  };
}
