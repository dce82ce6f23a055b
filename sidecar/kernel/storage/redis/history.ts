import { checkJson } from "../../../../shared/guard.ts";
import { historyPoint } from "../../../../shared/public/game.ts";
import { HISTORY_POINTS } from "../../../features/status/rules/history.ts";
import {
  LONG,
  LONG_SPANS,
  type LongSpan,
  NO_MEANS,
  readSums,
  SET_BACK_MS,
  type Slot,
  slotOf,
  sumsOf,
  writeSums,
} from "../../../features/status/rules/means.ts";
import type { HistoryStore } from "../ports/feed.ts";
import type { Connection } from "./connection.ts";
import addPoint from "./lua/add-point.lua";
import countReport from "./lua/count-report.lua";
import { maybeText, pairsOf, textsOf } from "./reply.ts";
import { script } from "./script.ts";

const ADD = script(addPoint);
const COUNT = script(countReport);

const COUNTED = "history:counted";
const keyOf = (span: LongSpan): string => `history:${span}`;

/** The plots in Redis: a point for each slot of time, by whichever sidecar was first, and each report once in the means. */
export function createRedisHistory(redis: Connection): HistoryStore {
  async function slotsOf(span: LongSpan): Promise<[LongSpan, Slot[]]> {
    const stored = pairsOf(await redis.ask("HGETALL", redis.key(keyOf(span))));
    const slots = stored.flatMap(([slot, text]) => {
      const sums = readSums(text);
      return sums ? [{ slot: Number(slot), sums }] : [];
    });
    return [span, slots.sort((a, b) => a.slot - b.slot)];
  }
  return {
    async read() {
      const stored = textsOf(await redis.ask("HVALS", redis.key("history")));
      return stored.flatMap(each => {
        const read = checkJson(historyPoint, each);
        return "value" in read ? [read.value] : [];
      });
    },
    add: async (slot, added) =>
      void (await redis.run(ADD, ["history"], [slot, JSON.stringify(added), HISTORY_POINTS])),
    async means() {
      const slots = await Promise.all(LONG_SPANS.map(slotsOf));
      const last = maybeText(await redis.ask("GET", redis.key(COUNTED)));
      return {
        last: Number(last ?? NO_MEANS.last),
        slots: { ...NO_MEANS.slots, ...Object.fromEntries(slots) },
      };
    },
    async count(report) {
      const places = LONG_SPANS.flatMap(span => [slotOf(span, report.at), LONG[span].points]);
      const values = [report.at, SET_BACK_MS, writeSums(sumsOf(report)), ...places];
      const sums = await redis.run(COUNT, [COUNTED, ...LONG_SPANS.map(keyOf)], values);
      return textsOf(sums).map(readSums);
    },
  };
}
