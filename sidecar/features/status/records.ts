import { count, int, object } from "../../../shared/guard.ts";
import { type HistoryPoint, historyPoint } from "../../../shared/public/game-server.ts";
import type { Records } from "../../kernel/storage/records.ts";
import { collection, parseJson } from "../../kernel/storage/records.ts";
import { HISTORY_POINTS } from "./rules/history.ts";
import {
  addReport,
  isNewReport,
  LONG,
  LONG_SPANS,
  type LongSpan,
  type Means,
  NO_MEANS,
  type Report,
  readSums,
  type Slot,
  type Sums,
  slotOf,
  writeSums,
} from "./rules/means.ts";

/** Stores the history for processes that start later, and shares it between processes. */
export interface HistoryStore {
  /** Points of the last hour, unsorted. */
  read(): Promise<HistoryPoint[]>;
  /** Stores a point of the last hour, unless its time slot has one. */
  add(slot: number, point: HistoryPoint): Promise<void>;
  /** Roll-ups of the longer spans. */
  means(): Promise<Means>;
  /** Counts a report. Resolves with the sums of all processes in its slots, in the order of the spans. */
  count(report: Report): Promise<readonly (Sums | undefined)[]>;
}

/** Points of the last hour, in a ring of slots for each game server. */
export const POINTS = collection<{ slot: number; point: HistoryPoint }>({
  name: "history-points",
  isSmall: true,
  isRemembered: true,
  isLate: true,
  damaged: "A history point is damaged and ignored",
  parse: parseJson(object({ slot: count, point: historyPoint })),
});

/** Roll-ups of each longer span, in a ring of slots: the number of the slot, followed by its sums. */
export const SUMS = collection<Slot>({
  name: "history-sums",
  isSmall: true,
  isRemembered: true,
  isLate: true,
  damaged: "A history roll-up is damaged and ignored",
  parse(text) {
    const [, slot, sums] = /^(\d{1,15}) (.*)$/.exec(text) ?? [];
    const read = readSums(sums ?? "");
    return read && { slot: Number(slot), sums: read };
  },
  format: ({ slot, sums }) => `${slot} ${writeSums(sums)}`,
});

/** Time of the last counted report of each game server, in milliseconds since 1970. */
export const COUNTED = collection<number>({
  name: "history-counted",
  isSmall: true,
  isRemembered: true,
  isLate: true,
  parse: parseJson(int(0, Number.MAX_SAFE_INTEGER)),
});

export const pointKey = (server: string, slot: number): string => `${server}:${slot % HISTORY_POINTS}`;
export const sumsKey = (server: string, span: LongSpan, slot: number): string =>
  `${server}:${span}:${slot % LONG[span].points}`;
export const countedKey = (server: string): string => `server:${server}`;

/** Points stored by an earlier version, oldest first, each as JSON, by their slot in the ring. */
export function pointTexts(server: string, points: readonly string[]): [key: string, text: string][] {
  return points
    .slice(-HISTORY_POINTS)
    .map((point, slot) => [pointKey(server, slot), `{"slot":${slot},"point":${point}}`]);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** The history of a game server, by its name in the storage, in the given records. */
export function createHistoryStore(records: Records, server: string): HistoryStore {
  async function slotsOf(span: LongSpan): Promise<[LongSpan, Slot[]]> {
    const keys = upTo(LONG[span].points).map(slot => sumsKey(server, span, slot));
    const found = await records.getMany(SUMS, keys);
    return [span, [...found.values()].sort((a, b) => a.slot - b.slot)];
  }

  return {
    async read() {
      const keys = upTo(HISTORY_POINTS).map(slot => pointKey(server, slot));
      return [...(await records.getMany(POINTS, keys)).values()].map(({ point }) => point);
    },
    add: (slot, point) =>
      records.transact(transaction => {
        const key = pointKey(server, slot);
        if (transaction.get(POINTS, key)?.slot !== slot) transaction.put(POINTS, key, { slot, point });
      }),
    async means() {
      const slots = await Promise.all(LONG_SPANS.map(slotsOf));
      const last = await records.get(COUNTED, countedKey(server));
      return { last: last ?? NO_MEANS.last, slots: { ...NO_MEANS.slots, ...Object.fromEntries(slots) } };
    },
    count: report =>
      records.transact(transaction => {
        const last = transaction.get(COUNTED, countedKey(server)) ?? NO_MEANS.last;
        const isNew = isNewReport(last, report);
        if (isNew) transaction.put(COUNTED, countedKey(server), report.at);
        return LONG_SPANS.map(span => {
          const slot = slotOf(span, report.at);
          const key = sumsKey(server, span, slot);
          const stored = transaction.get(SUMS, key);
          const before = stored?.slot === slot ? stored.sums : undefined;
          const sums = addReport(before, report, last);
          if (sums && sums !== before) transaction.put(SUMS, key, { slot, sums });
          return sums;
        });
      }),
  };
}
