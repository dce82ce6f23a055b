import type { Seen } from "../probe.ts";
import { PATHS } from "../probe-host.ts";
import {
  askRecord,
  BUSY,
  judge,
  listOf,
  numberOf,
  probesOf,
  recordOf,
  seconds,
  skipped,
  textOf,
  wentWords,
} from "./say.ts";
import { call } from "./web-of.ts";

const TIMEOUT = "@minecraft/server-net / `timeout`";

const MINUTE_MS = 60_000;
/** By then a server has what it keeps in memory anyway. */
const SETTLED_MS = 45 * MINUTE_MS;
/** Memory is that of so long in the mean. */
const MEAN_MS = 5 * MINUTE_MS;
/** A part by which it may be more. */
const GROWTH = 0.1;

/** Whether the memory of a game grows, by what `GET /history` has of the last hour. */
export function memorySeen(history: unknown): Seen {
  const points = listOf(recordOf(history).points)
    .map(recordOf)
    .map(({ at, memoryUsedMB }) => ({ at: numberOf(at), mb: numberOf(memoryUsedMB) }))
    .filter(({ mb }) => mb > 0);
  const end = points.at(-1)?.at;
  if (end === undefined) return skipped("the sidecar does not see the process of the game");
  const meanFrom = (start: number): number => {
    const those = points.filter(({ at }) => at >= start && at <= start + MEAN_MS);
    return those.reduce((sum, { mb }) => sum + mb, 0) / those.length;
  };
  const [before, after] = [meanFrom(end - SETTLED_MS), meanFrom(end - MEAN_MS)];
  const minutes = SETTLED_MS / MINUTE_MS;
  if (Number.isNaN(before)) return skipped(`the sidecar has not seen the process for ${minutes} minutes`);
  return judge(
    after <= before * (1 + GROWTH),
    `${Math.round(after)} MB, and ${Math.round(before)} MB ${minutes} minutes before`,
  );
}

export const longProbes = probesOf("long", [
  {
    id: "long-default-timeout",
    kind: "inference",
    assumes: "a request without a timeout is given up after 30 s",
    how: "a POST without a timeout that the service answers after 100 s",
    rows: [TIMEOUT],
    async ask(trial) {
      const input = { url: trial.host.url + PATHS.answer, wish: { waitMs: 100_000 }, timeout: 0 };
      const went = await askRecord(trial, "send", input, 115_000);
      const ms = numberOf(went.ms);
      return judge(
        went.came === "rejected" && ms > 27_000 && ms < 34_000,
        `${wentWords(went)} after ${seconds(ms)}`,
      );
    },
  },
  {
    id: "long-pace",
    kind: "promise",
    assumes:
      "after an hour the script takes as little of a tick as before, and the world still ticks twenty times a second",
    how: "what the pack's part of a tick takes in the mean, and ticks over time, for the hour",
    rows: [],
    async ask(trial) {
      const { ticks, packMs, firstAt, lastAt, firstTick, lastTick } = await askRecord(trial, "pace");
      const mean = numberOf(packMs) / numberOf(ticks);
      const rate =
        (numberOf(lastTick) - numberOf(firstTick)) / ((numberOf(lastAt) - numberOf(firstAt)) / 1_000);
      const isSo = mean < 2 && rate > 19;
      return judge(
        isSo,
        `${mean.toFixed(2)} ms a tick, ${rate.toFixed(1)} ticks a second${isSo ? "" : `; ${BUSY}`}`,
      );
    },
  },
  {
    id: "long-memory",
    kind: "inference",
    assumes: "in three quarters of an hour the memory of the game grows by less than a tenth",
    how: "GET /history is asked for what the sidecar has seen of the game's process in the hour",
    rows: [],
    ask: async trial => memorySeen((await call(trial, "/history")).json),
  },
  {
    id: "long-watchdog",
    kind: "promise",
    assumes: "an hour brings no warning of the script watchdog",
    how: "looked for on the console",
    rows: ["Execution / watchdog"],
    async ask({ console }) {
      const lines = console.lines.filter(line => /watchdog/i.test(line));
      return judge(
        lines.length === 0,
        lines.length === 0
          ? "none"
          : `${lines.length}, the first: ${textOf(recordOf(lines)[0]).slice(0, 160)}`,
      );
    },
  },
]);
