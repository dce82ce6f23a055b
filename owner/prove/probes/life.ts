import type { Trial } from "../probe.ts";
import { CONNECT_MS, killed, killedAgain, type Reloaded, reloaded, stopped } from "./life-of.ts";
import { BUSY, broken, type Held, judge, notedSince, probesOf, seconds, skipped, textOf } from "./say.ts";

const DYNAMIC = "@minecraft/server / dynamic properties of the world";
const PERSISTENCE = "@minecraft/server-admin / persistence";

const afterReload = (say: (what: Reloaded) => ReturnType<typeof judge>) => async (trial: Trial) => {
  const what = await reloaded(trial);
  return what === undefined ? broken("the script is not loaded again") : say(what);
};
const kinds = (noted: readonly Held[]): string[] => noted.map(({ is }) => textOf(is));

export const lifeProbes = probesOf("probes", [
  {
    id: "life-load",
    kind: "inference",
    assumes: "a script is loaded, then startup comes, and then worldLoad",
    how: "what is noted since the script was loaded",
    rows: ["Execution / early execution", "A tick / after-events"],
    async ask(trial) {
      const came = kinds((await notedSince(trial, 0)).noted).filter(is =>
        ["load", "startup", "worldLoad"].includes(is),
      );
      return judge(came.join() === "load,startup,worldLoad", came.join(", "));
    },
  },
  {
    id: "reload-startup",
    kind: "inference",
    assumes: "startup comes again with /reload, and worldLoad does not",
    how: "reload is typed, and what the script notes for two seconds",
    rows: ["A tick / `reload`"],
    ask: afterReload(({ noted }) => {
      const came = kinds(noted).filter(is => ["startup", "worldLoad"].includes(is));
      return judge(came.join() === "startup", came.join(", ") || "neither");
    }),
  },
  {
    id: "reload-state",
    kind: "promise",
    assumes: "/reload loses what the script holds, and keeps dynamic properties and the number of ticks",
    how: "something is noted, a property set, and reload typed",
    rows: [DYNAMIC, "A tick / `reload`"],
    ask: afterReload(({ noted, kept, before, after }) => {
      const isLost = !noted.some(({ word }) => word === "before");
      const words = [
        isLost ? "lost" : "still held",
        `the property is ${kept === "kept" ? "kept" : "gone"}`,
        after >= before ? "ticks go on" : "ticks begin anew",
      ];
      return judge(isLost && kept === "kept" && after >= before, words.join(", "));
    }),
  },
  {
    id: "reload-requests",
    kind: "inference",
    assumes: "/reload aborts the requests that are under way",
    how: "a request is held by a service of the trial's own while reload is typed",
    rows: ["@minecraft/server-net / `http.request`, `get`, `cancelAll`", "A tick / `reload`"],
    ask: afterReload(({ gone }) =>
      judge(gone, gone ? "the connection is closed" : "it stays open for five seconds"),
    ),
  },
  {
    id: "reload-connects",
    kind: "promise",
    assumes: "the pack connects again after /reload",
    how: "what it says on the console is waited for",
    rows: [],
    ask: afterReload(({ connected }) =>
      judge(connected, connected ? "it does" : `not within ${seconds(CONNECT_MS)}`),
    ),
  },
  {
    id: "reload-commands",
    kind: "promise",
    assumes: "the commands of the pack are there after /reload",
    how: "bridge:status is typed after reload",
    rows: ["@minecraft/server / `StartupEvent.customCommandRegistry.registerCommand`, `registerEnum`"],
    async ask(trial) {
      await reloaded(trial);
      const since = trial.console.lines.length;
      trial.console.type("bridge:status");
      const line = await trial.console.line(/Connected to|Not connected \(/, 5_000, since);
      return judge(line !== undefined, line === undefined ? "it answers nothing" : "it answers");
    },
  },
]);

export const stopProbes = probesOf("probes", [
  {
    id: "stop-lines",
    kind: "inference",
    assumes: "stop is told of in the lines Server stop requested., Stopping server... and Quit correctly",
    how: "the server is stopped and started again",
    rows: ["A server's folder / end"],
    async ask(trial) {
      const { lines } = await stopped(trial);
      const missing = ["Server stop requested.", "Stopping server...", "Quit correctly"].filter(
        line => !lines.includes(line),
      );
      return judge(
        missing.length === 0,
        missing.length === 0 ? "all three" : `not found: ${missing.join(" ")}`,
      );
    },
  },
  {
    id: "stop-prompt",
    kind: "promise",
    assumes: "a server that is stopped ends within ten seconds, whatever requests are held",
    how: "the server is stopped while a service of the trial's own holds a request for a minute, and the sidecar one of the pack",
    rows: ["@minecraft/server-net / `http.request`, `get`, `cancelAll`"],
    async ask(trial) {
      const { hasQuit, quitMs } = await stopped(trial);
      // What it says of its end is asked by itself.
      return hasQuit
        ? judge(quitMs < 10_000, `after ${seconds(quitMs)}`)
        : skipped("it did not say when it quit");
    },
  },
  {
    id: "stop-start",
    kind: "inference",
    assumes: "a server with a small world starts within 30 s",
    how: "the time from its end to its next start",
    rows: [],
    async ask(trial) {
      const { startMs } = await stopped(trial);
      return judge(startMs < 30_000, startMs < 30_000 ? seconds(startMs) : `${seconds(startMs)}; ${BUSY}`);
    },
  },
  {
    id: "stop-shutdown",
    kind: "promise",
    assumes: "shutdown comes before the end, and what is stored in it is there at the next start",
    how: "a dynamic property is set in the event, and read after the start",
    rows: [DYNAMIC, "A tick / `stop`"],
    async ask(trial) {
      const { shutdown } = await stopped(trial);
      return judge(
        shutdown === "stop",
        shutdown === "stop" ? "it is there" : shutdown === null ? "it is not there" : "it is another",
      );
    },
  },
  {
    id: "stop-after",
    kind: "inference",
    assumes: "promises of shutdown go on once, and no callback runs after it",
    how: "a promise and a callback of the event set a property each",
    rows: ["A tick / `stop`"],
    async ask(trial) {
      const { promise, after } = await stopped(trial);
      return judge(
        promise === "ran" && after === null,
        `the promise ${promise === "ran" ? "went on" : "did not"}, the callback ${after === null ? "did not run" : "ran"}`,
      );
    },
  },
  {
    id: "stop-again",
    kind: "inference",
    assumes: "worldLoad and startup come with each start, and the number of ticks goes on",
    how: "what is noted after the start, and the ticks before and after",
    rows: ["A tick / the tick number"],
    async ask(trial) {
      const { noted, before, tick } = await stopped(trial);
      const came = kinds(noted).filter(is => ["startup", "worldLoad"].includes(is));
      const words = `${came.join(", ") || "neither"}; ticks ${tick >= before ? "go on" : "begin anew"}`;
      return judge(came.join() === "startup,worldLoad" && tick >= before, words);
    },
  },
  {
    id: "stop-list",
    kind: "promise",
    assumes: "the allowlist survives a stop",
    how: "a name is added before it and asked for after the start",
    rows: [PERSISTENCE],
    async ask(trial) {
      const { listed } = await stopped(trial);
      return judge(listed, listed ? "it is there" : "it is not there");
    },
  },
]);

export const killProbes = probesOf("probes", [
  {
    id: "kill-properties",
    kind: "promise",
    assumes:
      "a world whose server is killed has the dynamic properties of its last save, some twenty seconds before",
    how: "the server is killed, and what was stored before a stop, and since then, is read after the start",
    rows: [DYNAMIC, "A tick / `kill`"],
    async ask(trial) {
      const { kept, early } = await killed(trial);
      if (kept !== "stop") return broken("what was stored before a stop is gone");
      return judge(
        early === "early",
        early === "early" ? "both are there" : "what was stored since the start is gone",
      );
    },
  },
  {
    id: "kill-moment",
    kind: "inference",
    assumes: "what was stored in the moment before a server is killed is lost",
    how: "a dynamic property is set right before the server is killed, and read after the start",
    rows: [DYNAMIC],
    async ask(trial) {
      const { late } = await killed(trial);
      return judge(late === null, late === null ? "it is lost" : "it is there");
    },
  },
  {
    id: "kill-list",
    kind: "promise",
    assumes: "the allowlist survives a crash",
    how: "a name of before is asked for after the server was killed",
    rows: [PERSISTENCE],
    async ask(trial) {
      const { listed } = await killed(trial);
      return judge(listed, listed ? "it is there" : "it is not there");
    },
  },
  {
    id: "kill-requests",
    kind: "inference",
    assumes: "a request that is under way when the server is killed is broken off",
    how: "a service of the trial's own holds a request for a minute while the server is killed",
    rows: ["A tick / `kill`"],
    async ask(trial) {
      const { gone } = await killedAgain(trial);
      return judge(gone, gone ? "its connection is closed" : "its connection is open still");
    },
  },
  {
    id: "kill-connects",
    kind: "promise",
    assumes: "the pack connects again after the server was killed and started",
    how: "what it says on the console is waited for",
    rows: [],
    async ask(trial) {
      const { connected } = await killedAgain(trial);
      return judge(connected, connected ? "it does" : `not within ${seconds(CONNECT_MS)}`);
    },
  },
]);
