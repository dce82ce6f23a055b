import type { Seen, Trial } from "../probe.ts";
import {
  ask,
  askRecord,
  BUSY,
  broken,
  failureIn,
  held,
  judge,
  KEEPS_UP,
  listOf,
  numberOf,
  once,
  probesOf,
  recordOf,
  rested,
  seconds,
  textOf,
} from "./say.ts";

const row = (cell: string): string => `Execution / ${cell}`;
const GLOBALS = row("globals");

/** What the pack could not run without. */
const NEEDED = ["Promise", "Map", "WeakMap", "Symbol", "JSON", "RegExp", "Date", "Math", "console"];
const PRESENT = [
  "Proxy",
  "Uint8Array",
  "BigInt",
  "Reflect",
  "encodeURIComponent",
  "escape",
  "print",
  "__date_clock",
  "globalThis",
];
const ABSENT = [
  "setTimeout",
  "setInterval",
  "fetch",
  "URL",
  "TextEncoder",
  "TextDecoder",
  "Buffer",
  "btoa",
  "atob",
  "crypto",
  "structuredClone",
  "AbortController",
  "queueMicrotask",
  "process",
  "require",
  "performance",
  "Intl",
];

/** How long the pack may take of a tick in the mean. */
const MOST_MEAN_MS = 2;

/** Which of these names mean nothing to the engine. */
async function lacking(trial: Trial, names: readonly string[]): Promise<Seen> {
  const types = await askRecord(trial, "types", { names });
  const lacks = names.filter(name => types[name] === "undefined");
  return judge(lacks.length === 0, lacks.length === 0 ? "all of them" : `missing: ${lacks.join(", ")}`);
}

/** The ticks of three seconds, for all who ask; of three later ones where these were slow. */
const paced = once(async trial => {
  const { measured, isSlow } = await rested(
    trial,
    async () => {
      await ask(trial, "pace", { anew: true });
      await ask(trial, "wait-ticks", { ticks: 60 });
      const { firstAt, lastAt, firstTick, lastTick, ...pack } = await askRecord(trial, "pace");
      const [ticks, ms] = [numberOf(lastTick) - numberOf(firstTick), numberOf(lastAt) - numberOf(firstAt)];
      return {
        rate: ticks / (ms / 1_000),
        mean: numberOf(pack.packMs) / numberOf(pack.ticks),
        most: numberOf(pack.mostMs),
      };
    },
    ({ rate, mean }) => rate < KEEPS_UP || mean >= MOST_MEAN_MS,
  );
  return { ...measured, busy: isSlow ? `; ${BUSY}` : "" };
});

export const engineProbes = probesOf("probes", [
  {
    id: "engine-needed",
    kind: "promise",
    assumes: "the engine has every global that the pack uses",
    how: `typeof of ${NEEDED.length} names`,
    rows: [GLOBALS],
    ask: trial => lacking(trial, NEEDED),
  },
  {
    id: "engine-present",
    kind: "inference",
    assumes: "the engine has the rest of what is built into ES2020, print and __date_clock",
    how: `typeof of ${PRESENT.length} names`,
    rows: [GLOBALS],
    ask: trial => lacking(trial, PRESENT),
  },
  {
    id: "engine-absent",
    kind: "inference",
    assumes: "the engine has nothing of browsers and Node, no timers and no Intl",
    how: `typeof of ${ABSENT.length} names`,
    rows: [GLOBALS],
    async ask(trial) {
      const types = await askRecord(trial, "types", { names: ABSENT });
      const has = ABSENT.filter(name => types[name] !== "undefined");
      return judge(has.length === 0, has.length === 0 ? "none of them" : `there: ${has.join(", ")}`);
    },
  },
  {
    id: "engine-globals",
    kind: "inference",
    assumes: "the list of all globals has no name that is not known",
    how: "the own names of globalThis are compared with those of ES2024 and those known of the game",
    rows: [GLOBALS],
    async ask(trial) {
      const names = listOf(await ask(trial, "globals")).map(textOf);
      const known = new Set([
        ...Object.getOwnPropertyNames(globalThis),
        ...NEEDED,
        ...PRESENT,
        "InternalError",
      ]);
      const strange = names.filter(name => !known.has(name));
      return judge(
        strange.length === 0,
        strange.length === 0 ? `${names.length} names` : `not known: ${strange.slice(0, 30).join(", ")}`,
      );
    },
  },
  {
    id: "engine-eval",
    kind: "inference",
    assumes: "neither eval nor Function makes code of text",
    how: "both are called",
    rows: [row("`eval`, `Function`")],
    async ask(trial) {
      const told = await askRecord(trial, "language");
      const ran = ["eval", "function"].filter(name => failureIn(told[name]) === "");
      return judge(
        ran.length === 0,
        ran.length === 0
          ? `${failureIn(told.eval)} and ${failureIn(told.function)}`
          : `it works: ${ran.join(", ")}`,
      );
    },
  },
  {
    id: "engine-plain-numbers",
    kind: "inference",
    assumes: "toLocaleString writes numbers as they are, as there is no Intl",
    how: "1234567.5 is written",
    rows: [GLOBALS],
    async ask(trial) {
      const { number } = await askRecord(trial, "language");
      return judge(number === "1234567.5", textOf(number));
    },
  },
  {
    id: "engine-syntax",
    kind: "inference",
    assumes: "regular expressions have named groups and classes of Unicode, and classes private names",
    how: "each is used once",
    rows: [GLOBALS],
    async ask(trial) {
      const told = await askRecord(trial, "language");
      const failed = ["private", "regexp"].filter(name => failureIn(told[name]) !== "");
      const isSo = failed.length === 0 && recordOf(told.regexp).value === "_<_____>";
      return judge(
        isSo,
        failed.length === 0
          ? `it gives ${textOf(recordOf(told.regexp).value)}`
          : `it fails: ${failed.join(", ")}`,
      );
    },
  },
  {
    id: "engine-clock",
    kind: "inference",
    assumes: "Date.now tells whole milliseconds, which go on within a tick, and __date_clock microseconds",
    how: "Date.now is read until it changes, in one tick",
    rows: [row("`Date` on a clock of the caller's"), GLOBALS],
    async ask(trial) {
      const { isWhole, within, hasFine } = await askRecord(trial, "clocks");
      const words = [
        isWhole === true ? "whole" : "parts of milliseconds",
        within === true ? "goes on within a tick" : "stands still within a tick",
        hasFine === true ? "with __date_clock" : "without __date_clock",
      ];
      return judge(isWhole === true && within === true && hasFine === true, words.join(", "));
    },
  },
  {
    id: "engine-stack",
    kind: "inference",
    assumes:
      "a function may call itself a thousand times, and endless recursion is an error that the script outlives",
    how: "a function calls itself until it fails",
    rows: [row("stack")],
    async ask(trial) {
      const depth = numberOf(await ask(trial, "depth"));
      return judge(depth >= 1_000, `${depth} calls deep`);
    },
  },
  {
    id: "engine-timers",
    kind: "inference",
    assumes:
      "in a timer, what follows a promise runs in the same tick, and system.run and a timeout of one tick in the next one",
    how: "all are begun in one timer, and their order noted",
    rows: [
      "@minecraft/server / `system.run`, `runTimeout`, `runInterval`, `clearRun`, `runJob`, `clearJob`, `waitTicks`, `currentTick`",
      "A tick / timers",
    ],
    async ask(trial) {
      const order = listOf(await ask(trial, "order")).map(textOf);
      const at = (name: string): string => order.find(each => each.startsWith(name)) ?? "";
      const isSo = at("promise") === "promise+0" && at("run") === "run+1" && at("timeout") === "timeout+1";
      return judge(isSo, order.join(", "));
    },
  },
  {
    id: "engine-job",
    kind: "inference",
    assumes: "a job of runJob gets at least one step a tick",
    how: "a job of 50 steps, and the ticks that it took",
    rows: [
      "@minecraft/server / `system.run`, `runTimeout`, `runInterval`, `clearRun`, `runJob`, `clearJob`, `waitTicks`, `currentTick`",
      "A tick / `runJob`",
    ],
    async ask(trial) {
      const ticks = listOf(await ask(trial, "job", { count: 50 })).map(numberOf);
      const most = Math.max(...ticks);
      return judge(ticks.length === 50 && most <= 50, `${ticks.length} steps in ${most + 1} ticks`);
    },
  },
  {
    id: "engine-rate",
    kind: "inference",
    assumes: "the world ticks twenty times a second by the clock of the script",
    how: "60 ticks, and the time that they took, and once more where they were slow",
    rows: [],
    async ask(trial) {
      const { rate, busy } = await paced(trial);
      return judge(rate > 18 && rate < 22, `${rate.toFixed(1)} a second${rate < KEEPS_UP ? busy : ""}`);
    },
  },
  {
    id: "engine-pack-time",
    kind: "promise",
    assumes: "the pack takes less than 2 ms of a tick in the mean",
    how: "the time between a timer before the pack's and one behind it, over 60 ticks, and once more where that is slow",
    rows: [],
    async ask(trial) {
      const { mean, most, busy } = await paced(trial);
      const isSo = mean < MOST_MEAN_MS;
      return judge(isSo, `${mean.toFixed(2)} ms in the mean, ${seconds(most)} at most${isSo ? "" : busy}`);
    },
  },
  {
    id: "engine-heard",
    kind: "inference",
    assumes: "the game offers every event that the pack listens to",
    how: "each is subscribed to at the top of the script",
    rows: ["@minecraft/server / other signals"],
    async ask(trial) {
      const all = listOf((await askRecord(trial, "load")).unheard).map(textOf);
      // Each of these has a probe of its own.
      const unheard = all.filter(name => name !== "entityHealthChanged" && name !== "asyncPlayerJoin");
      return unheard.length === 0 ? held("all of them") : broken(`not: ${unheard.join(", ")}`);
    },
  },
]);
