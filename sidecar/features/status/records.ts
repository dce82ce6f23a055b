import { count, int, object } from "../../../shared/guard.ts";
import { type HistoryPoint, historyPoint } from "../../../shared/public/game-server.ts";
import type { Records } from "../../kernel/storage/records.ts";
import { collection, parseJson } from "../../kernel/storage/records.ts";
import { HISTORY_POINTS } from "./rules/history.ts";
import {
  addReport,
  type Bucket,
  isNewReport,
  LONG,
  LONG_SPANS,
  type LongSpan,
  NO_ROLLUPS,
  type Report,
  type Rollups,
  readTotals,
  slotOf,
  type Totals,
  writeTotals,
} from "./rules/rollups.ts";

/** Stores the history for processes that start later, and shares it between processes. */
export interface HistoryStore {
  /** Points of the last hour, unsorted. */
  read(): Promise<HistoryPoint[]>;
  /** Stores a point of the last hour, unless its time slot has one. */
  add(slot: number, point: HistoryPoint): Promise<void>;
  /** Roll-ups of the longer spans. */
  rollups(): Promise<Rollups>;
  /** Counts a report. Resolves with the totals of all processes in its buckets, in the order of the spans. */
  count(report: Report): Promise<readonly (Totals | undefined)[]>;
}

/** Points of the last hour, in a ring of time slots for each game server. */
export const POINTS = collection<{ slot: number; point: HistoryPoint }>({
  name: "history-points",
  isSmall: true,
  isRemembered: true,
  isLate: true,
  damaged: "A history point is damaged and ignored",
  parse: parseJson(object({ slot: count, point: historyPoint })),
});

/** Roll-ups of each longer span, in a ring of buckets: the number of a time slot, followed by its totals. */
export const ROLLUPS = collection<Bucket>({
  name: "history-sums",
  isSmall: true,
  isRemembered: true,
  isLate: true,
  damaged: "A history roll-up is damaged and ignored",
  parse(text) {
    const [, slot, totals] = /^(\d{1,15}) (.*)$/.exec(text) ?? [];
    const read = readTotals(totals ?? "");
    return read && { slot: Number(slot), totals: read };
  },
  format: ({ slot, totals }) => `${slot} ${writeTotals(totals)}`,
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
export const rollupKey = (server: string, span: LongSpan, slot: number): string =>
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
  async function bucketsOf(span: LongSpan): Promise<[LongSpan, Bucket[]]> {
    const keys = upTo(LONG[span].points).map(slot => rollupKey(server, span, slot));
    const found = await records.getMany(ROLLUPS, keys);
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
    async rollups() {
      const buckets = await Promise.all(LONG_SPANS.map(bucketsOf));
      const last = await records.get(COUNTED, countedKey(server));
      return {
        last: last ?? NO_ROLLUPS.last,
        buckets: { ...NO_ROLLUPS.buckets, ...Object.fromEntries(buckets) },
      };
    },
    count: report =>
      records.transact(transaction => {
        const last = transaction.get(COUNTED, countedKey(server)) ?? NO_ROLLUPS.last;
        const isNew = isNewReport(last, report);
        if (isNew) transaction.put(COUNTED, countedKey(server), report.at);
        return LONG_SPANS.map(span => {
          const slot = slotOf(span, report.at);
          const key = rollupKey(server, span, slot);
          const stored = transaction.get(ROLLUPS, key);
          const before = stored?.slot === slot ? stored.totals : undefined;
          const totals = addReport(before, report, last);
          if (totals && totals !== before) transaction.put(ROLLUPS, key, { slot, totals });
          return totals;
        });
      }),
  };
}
