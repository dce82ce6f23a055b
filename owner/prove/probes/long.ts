import { PATHS } from "../probe-host.ts";
import { askRecord, BUSY, judge, numberOf, probesOf, recordOf, seconds, textOf, wentWords } from "./say.ts";

const TIMEOUT = "@minecraft/server-net / `timeout`";

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
