import { checkJson } from "../../shared/guard.ts";
import { historyPoint } from "../../shared/public/game.ts";
import { HISTORY_POINTS } from "../domain/history.ts";
import type { HistoryStore } from "../ports/feed.ts";
import type { Connection } from "./connection.ts";
import addPoint from "./lua/add-point.lua";
import { textsOf } from "./reply.ts";
import { script } from "./script.ts";

const ADD = script(addPoint);

/** The plots in Redis: a point for each slot of time, by whichever sidecar was first. */
export const createRedisHistory = (redis: Connection): HistoryStore => ({
  async read() {
    const stored = textsOf(await redis.ask("HVALS", redis.key("history")));
    return stored.flatMap(each => {
      const read = checkJson(historyPoint, each);
      return "value" in read ? [read.value] : [];
    });
  },
  add: async (slot, added) =>
    void (await redis.run(ADD, ["history"], [slot, JSON.stringify(added), HISTORY_POINTS])),
});
