import {
  ask,
  askRecord,
  broken,
  failureIn,
  held,
  judge,
  listOf,
  numberOf,
  once,
  probesOf,
  recordOf,
  seconds,
  textOf,
} from "./say.ts";

const row = (cell: string): string => `Execution / ${cell}`;
const GLOBALS = row("globals");

const PRESENT = [
  "Promise",
  "Proxy",
  "Map",
  "WeakMap",
  "Uint8Array",
  "BigInt",
  "Symbol",
  "Reflect",
  "JSON",
  "RegExp",
  "Date",
  "Math",
  "encodeURIComponent",
  "escape",
  "console",
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
/** What the pack could not run without. */
const NEEDED = ["Promise", "Map", "WeakMap", "Symbol", "JSON", "RegExp", "Date", "Math", "console"];

/** The ticks of three seconds, for all who ask. */
const paced = once(async trial => {
  await ask(trial, "pace", { anew: true });
  await ask(trial, "wait-ticks", { ticks: 60 });
  return askRecord(trial, "pace");
});

export const engineProbes = probesOf("probes", [
  {
    id: "engine-present",
    assumes: "the engine has what is built into ES2020, console, print and __date_clock",
    how: `typeof of ${PRESENT.length} names`,
    rows: [GLOBALS],
    async ask(trial) {
      const types = await askRecord(trial, "types", { names: PRESENT });
      const lacks = PRESENT.filter(name => types[name] === "undefined");
      const words = lacks.length === 0 ? "all of them" : `missing: ${lacks.join(", ")}`;
      return judge(
        lacks.length === 0,
        lacks.some(name => NEEDED.includes(name)) ? `${words}; the pack needs some of these` : words,
      );
    },
  },
  {
    id: "engine-absent",
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
    assumes: "the list of all globals has no name that is not known",
    how: "the own names of globalThis are compared with those of ES2024 and those known of the game",
    rows: [GLOBALS],
    async ask(trial) {
      const names = listOf(await ask(trial, "globals")).map(textOf);
      const known = new Set([...Object.getOwnPropertyNames(globalThis), ...PRESENT, "InternalError"]);
      const strange = names.filter(name => !known.has(name));
      return judge(
        strange.length === 0,
        strange.length === 0 ? `${names.length} names` : `not known: ${strange.slice(0, 30).join(", ")}`,
      );
    },
  },
  {
    id: "engine-eval",
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
    assumes: "the world ticks twenty times a second by the clock of the script",
    how: "60 ticks, and the time that they took",
    rows: [],
    async ask(trial) {
      const { firstAt, lastAt, firstTick, lastTick } = await paced(trial);
      const rate =
        (numberOf(lastTick) - numberOf(firstTick)) / ((numberOf(lastAt) - numberOf(firstAt)) / 1_000);
      return judge(rate > 18 && rate < 22, `${rate.toFixed(1)} a second`);
    },
  },
  {
    id: "engine-pack-time",
    assumes: "the pack takes less than 2 ms of a tick in the mean",
    how: "the time between a timer before the pack's and one behind it, over 60 ticks",
    rows: [],
    async ask(trial) {
      const { ticks, packMs, mostMs } = await paced(trial);
      const mean = numberOf(packMs) / numberOf(ticks);
      return judge(mean < 2, `${mean.toFixed(2)} ms in the mean, ${seconds(numberOf(mostMs))} at most`);
    },
  },
  {
    id: "engine-heard",
    assumes: "the game offers every event that the pack listens to",
    how: "each is subscribed to at the top of the script",
    rows: ["@minecraft/server / other signals"],
    async ask(trial) {
      const all = listOf((await askRecord(trial, "load")).unheard).map(textOf);
      const unheard = all.filter(name => name !== "entityHealthChanged");
      return unheard.length === 0 ? held("all of them") : broken(`not: ${unheard.join(", ")}`);
    },
  },
]);
