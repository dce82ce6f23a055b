import { ask, askRecord, broken, judge, notedSince, probesOf, recordOf, textOf } from "./say.ts";

const row = (cell: string): string => `Execution / ${cell}`;

/** What may be done while the script loads, and what may not. */
const EARLY = ["system.currentTick", "variables.get", "secrets.get", "system.run"];
const LATER = [
  "world.getAllPlayers",
  "world.getDynamicProperty",
  "new HttpRequest",
  "new ActionFormData",
  "dedicatedServer.allowList",
];

export const modeProbes = probesOf("probes", [
  {
    id: "engine-early",
    kind: "inference",
    assumes: "while the script loads it may read the tick and the settings and ask for callbacks",
    how: "each is tried at the top of the script",
    rows: [row("early execution"), row("privileges"), "@minecraft/server-admin / `variables`, `secrets`"],
    async ask(trial) {
      const { early } = await askRecord(trial, "load");
      const wrong = EARLY.filter(name => recordOf(early)[name] !== "done");
      return judge(
        wrong.length === 0,
        wrong.length === 0
          ? "all of them"
          : wrong.map(name => `${name}: ${textOf(recordOf(early)[name])}`).join("; "),
      );
    },
  },
  {
    id: "engine-not-early",
    kind: "inference",
    assumes: "while the script loads it may not touch world, requests, forms and allowlist",
    how: "each is tried at the top of the script",
    rows: [row("early execution"), row("privileges")],
    async ask(trial) {
      const { early } = await askRecord(trial, "load");
      const allowed = LATER.filter(name => recordOf(early)[name] === "done");
      return judge(
        allowed.length === 0,
        allowed.length === 0 ? "none of them" : `it may: ${allowed.join(", ")}`,
      );
    },
  },
  {
    id: "engine-wrong-mode",
    kind: "inference",
    assumes:
      "what a mode forbids throws ReferenceError: Native function [...] cannot be used in early execution, and so on",
    how: "the errors of the calls at the top of the script are read",
    rows: [row("wrong mode")],
    async ask(trial) {
      const { early } = await askRecord(trial, "load");
      const said = LATER.map(name => textOf(recordOf(early)[name])).filter(
        text => text !== "done" && text !== "",
      );
      const other = said.filter(
        text =>
          !/^ReferenceError: Native (function|property getter|property setter|class constructor) \[.+\] cannot be used in early execution/.test(
            text,
          ),
      );
      const words = other[0] ?? (said.length === 0 ? "none of the calls was refused" : "in these words");
      return judge(said.length > 0 && other.length === 0, words);
    },
  },
  {
    id: "engine-promise-of-load",
    kind: "inference",
    assumes: "promises of the top of the script go on in early execution",
    how: "the mode is noted in one",
    rows: [row("early execution")],
    async ask(trial) {
      const noted = (await notedSince(trial, 0)).noted.find(({ is }) => is === "promise-of-load");
      if (noted === undefined) return broken("it did not go on");
      return judge(textOf(noted.mode).startsWith("early"), textOf(noted.mode));
    },
  },
  {
    id: "engine-after-await",
    kind: "promise",
    assumes:
      "execution is normal in callbacks of timers and of what the console types, and after an await in them",
    how: "the mode is asked before and after an await",
    rows: [row("restricted execution")],
    async ask(trial) {
      const { now, afterAwait } = await askRecord(trial, "mode");
      return judge(
        now === "normal" && afterAwait === "normal",
        `${textOf(now)}, and ${textOf(afterAwait)} after it`,
      );
    },
  },
  {
    id: "engine-errors",
    kind: "inference",
    assumes:
      "an error in a callback is logged and the script goes on, also in a promise that a callback gives",
    how: "a timer throws, and another gives a promise that rejects; the console is looked at",
    rows: [row("errors in callbacks"), row("unhandled rejections")],
    async ask(trial) {
      const since = trial.console.lines.length;
      await ask(trial, "errors", { word: "prove-word" });
      const said = trial.console.lines
        .slice(since)
        .filter(line => line.includes("prove-word") && !line.includes("prove:ask"));
      const [timer, callback] = ["in a timer", "of a callback"].map(part =>
        said.some(line => line.includes(part)),
      );
      return judge(
        timer === true && callback === true,
        `logged: timer ${timer ? "yes" : "no"}, promise of a callback ${callback ? "yes" : "no"}`,
      );
    },
  },
  {
    id: "engine-unseen",
    kind: "inference",
    assumes: "a rejected promise that nobody holds is not logged",
    how: "one is made, and the console looked at",
    rows: [row("unhandled rejections")],
    async ask(trial) {
      const since = trial.console.lines.length;
      await ask(trial, "errors", { word: "prove-unseen" });
      const isLogged = trial.console.lines
        .slice(since)
        .some(line => line.includes("prove-unseen of a promise"));
      return judge(!isLogged, isLogged ? "it is logged" : "it is not");
    },
  },
  {
    id: "engine-long-line",
    kind: "inference",
    assumes: "a line of a script reaches the console whole, also one of 900 characters",
    how: "one is written and looked for",
    rows: [],
    async ask(trial) {
      const since = trial.console.lines.length;
      await ask(trial, "say-long", { length: 900 });
      const line = await trial.console.line(/prove-long a+/, 5_000, since);
      const length = /a+/.exec(line?.slice(line.indexOf("prove-long") + 11) ?? "")?.[0].length ?? 0;
      return judge(length === 900 && line?.endsWith(" end") === true, `${length} of 900 letters`);
    },
  },
]);
