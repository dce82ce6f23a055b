import { ACCEPTING, GAMEPLAY, TRANSPORT_ERROR } from "../../bds/console-lines.ts";
import type { GameConsole } from "../probe.ts";
import { broken, held, judge, once, patternOf, probesOf, skipped } from "./say.ts";

const FOLDER = "A server's folder";

/** Lines of the start, in the order in which they are looked for; what comes between them is left out. */
const HEADER = [
  "Starting Server",
  "Version: …",
  "Session ID: …",
  "Build ID: …",
  "Branch: …",
  "Commit ID: …",
  "Configuration: …",
  "Level Name: …",
  "Game mode: …",
  "Difficulty: …",
];

/** Which of these lines is the first that does not come behind those before it. */
function firstMissing(lines: readonly string[], wanted: readonly string[]): string | undefined {
  let place = 0;
  for (const line of wanted) {
    const pattern = patternOf(line);
    const found = lines.slice(place).findIndex(each => pattern.test(each));
    if (found < 0) return line;
    place += found + 1;
  }
  return undefined;
}

const has = ({ lines }: GameConsole, line: string): boolean => lines.some(each => patternOf(line).test(each));

/** What a server says of a script that may not run. */
const REFUSALS: [RegExp, string][] = [
  [/depends on unknown module \[([^\]]+)\]/, "a module that is not there or not allowed"],
  [/requesting dependency on beta APIs \[([^\]]+)\]/, "Beta APIs, which are off"],
  [/Plugin \[.*\] - run failed/, "the script fails while it loads"],
  [/Plugin \[.*file not found/, "the file of the script is not found"],
];

const refusalIn = (lines: readonly string[]): string | undefined => {
  for (const [pattern, why] of REFUSALS) {
    const line = lines.find(each => pattern.test(each));
    if (line !== undefined)
      return [why, pattern.exec(line)?.[1] ?? ""].filter(part => part !== "").join(": ");
  }
  return undefined;
};

const CONNECT_MS = 30_000;
const CONNECTED = /\[web bridge\] connected to the sidecar at /;

/** The line with which the pack connects. It is not waited for where the console says that no script runs. */
const connected = once(({ console }) =>
  console.line(CONNECTED, refusalIn(console.lines) === undefined ? CONNECT_MS : 0, 0),
);

export const startProbes = probesOf("plain", [
  {
    id: "start-header",
    kind: "inference",
    assumes: "the console begins with the lines that are known, in their order",
    how: "the console of the start is compared with the header's lines",
    rows: [`${FOLDER} / header of the console`],
    async ask({ console }) {
      const missing = firstMissing(console.lines, HEADER);
      return missing === undefined
        ? held("all of them, in this order")
        : broken(`${missing} is not where it was looked for`);
    },
  },
  {
    id: "start-content-log",
    kind: "inference",
    assumes: "the console says that it shows the content log where it is told to",
    how: "looked for on the console of the start",
    rows: [`${FOLDER} / \`content-log-console-output-enabled\``],
    ask: async ({ console }) =>
      judge(
        has(console, "Content logging to console is enabled"),
        has(console, "Content logging to console is enabled") ? "it says so" : "it does not say so",
      ),
  },
  {
    id: "start-experiments",
    kind: "inference",
    assumes: "Beta APIs are named gtst among the active experiments",
    how: "looked for on the console of the start",
    rows: [`${FOLDER} / header of the console`, `${FOLDER} / Beta APIs off`],
    async ask({ console }) {
      const line = console.lines.find(each => /^Experiment\(s\) active:/.test(each));
      return judge(/:.*\bgtst\b/.test(line ?? ""), line ?? "there is no such line");
    },
  },
  {
    id: "start-opening-level",
    kind: "inference",
    assumes: "the console says Opening level 'worlds/<name>/db'",
    how: "looked for on the console of the start",
    rows: [`${FOLDER} / header of the console`],
    async ask({ console }) {
      const isSo = has(console, "Opening level 'worlds/…/db'");
      return judge(isSo, isSo ? "it says so" : "it does not say so");
    },
  },
  {
    id: "start-pack-stack",
    kind: "inference",
    assumes: "the console tells of the pack stack of the server",
    how: "looked for [Packs] [SERVER] on the console of the start",
    rows: [`${FOLDER} / header of the console`],
    async ask({ console }) {
      const isSo = console.lines.some(line => /^\[Packs\] \[SERVER\]/.test(line));
      return judge(isSo, isSo ? "it does" : "it does not");
    },
  },
  {
    id: "start-discovered",
    kind: "promise",
    assumes: "the console names the pack, its version and both uuids where it finds the script",
    how: "[Scripting] Plugin Discovered is looked for on the console of the start",
    rows: [`${FOLDER} / packs of the world`],
    async ask({ console }) {
      const pattern =
        /^\[Scripting\] Plugin Discovered \[.+ v[\d.]+\] PackId \[[\da-f-]{36}_[\d.]+\] ModuleId \[[\da-f-]{36}\]$/i;
      const line = console.lines.find(each => each.includes("Plugin Discovered"));
      return judge(
        pattern.test(line ?? ""),
        line === undefined ? "there is no such line" : line.replace(/[\da-f]{8}-[\da-f-]{27}/gi, "<uuid>"),
      );
    },
  },
  {
    id: "start-listening",
    kind: "promise",
    assumes: "the console says where players come in, and that the server has started",
    how: "the lines of both ways in are looked for, and the one that says that the server has started",
    rows: [
      `${FOLDER} / header of the console`,
      `${FOLDER} / RakNet: before 1.26.50, and with \`transport=raknet\``,
    ],
    async ask({ console }) {
      for (const [way, lines] of [
        ["NetherNet", [ACCEPTING]],
        ["RakNet", GAMEPLAY.slice(0, 1)],
      ] as const)
        if (has(console, "Server started.") && firstMissing(console.lines, lines) === undefined)
          return held(way);
      return broken(
        has(console, "Server started.")
          ? "it has started and did not say where players come in"
          : "it did not say that it has started",
      );
    },
  },
  {
    id: "start-transport-error",
    kind: "promise",
    assumes: "a game that is told to use RakNet since 1.26.50 says so in the lines of the transport error",
    how: "the lines are compared word for word where the first one is on the console",
    rows: [`${FOLDER} / RakNet: before 1.26.50, and with \`transport=raknet\``],
    async ask({ console }) {
      if (!console.lines.some(line => /TRANSPORT TYPE ERROR/.test(line)))
        return skipped("this server says nothing of its transport");
      const missing = firstMissing(console.lines, TRANSPORT_ERROR);
      return missing === undefined
        ? held("word for word")
        : broken(`not found: ${missing || "the empty line"}`);
    },
  },
  {
    id: "start-modules",
    kind: "promise",
    assumes: "the pack loads with the module versions that it declares, which is beta for all",
    how: "the console is looked through for the refusals of a script",
    rows: [
      `${FOLDER} / forbidden module`,
      `${FOLDER} / selector \`beta\``,
      `${FOLDER} / \`allowed_modules\``,
      `${FOLDER} / Beta APIs off`,
    ],
    async ask(trial) {
      await connected(trial);
      const { console } = trial;
      const refusal = refusalIn(console.lines);
      return refusal === undefined ? held("it is not refused") : broken(refusal);
    },
  },
  {
    id: "start-connects",
    kind: "promise",
    assumes:
      "the pack finds its settings and connects to the sidecar with the address and the token that setup wrote",
    how: "what the pack says on the console is waited for",
    rows: [`${FOLDER} / settings of the script`, "@minecraft/server-admin / `variables`, `secrets`"],
    async ask(trial) {
      const line = await connected(trial);
      const { console } = trial;
      const last = console.lines.filter(each => each.includes("[web bridge]")).at(-1);
      if (line !== undefined) return held("it is connected");
      return broken(
        last === undefined
          ? "the pack has said nothing"
          : `the pack says: ${last.replace(/^.*\[web bridge\] /, "").replace(/https?:\/\/\S+/g, "<address>")}`,
      );
    },
  },
  {
    id: "start-offers",
    kind: "promise",
    assumes: "the game offers every member of its modules that the pack uses",
    how: "what the pack names as missing is looked for on the console",
    rows: ["Execution / a class that exists in the game and not here"],
    async ask({ console }) {
      const lacks = console.lines.flatMap(
        line => /this version of the game does not offer ([\w.]+)/.exec(line)?.[1] ?? [],
      );
      return judge(
        lacks.length === 0,
        lacks.length === 0 ? "nothing is missing" : `missing: ${lacks.join(", ")}`,
      );
    },
  },
  {
    id: "start-commands",
    kind: "promise",
    assumes: "the game registers every command of the pack",
    how: "what the pack names as refused is looked for on the console",
    rows: ["@minecraft/server / `StartupEvent.customCommandRegistry.registerCommand`, `registerEnum`"],
    async ask({ console }) {
      const refused = console.lines.flatMap(
        line => /there is no (\/bridge:\w+), the game refuses it: (\w+)/.exec(line)?.slice(1).join(" ") ?? [],
      );
      return judge(
        refused.length === 0,
        refused.length === 0 ? "all of them" : `refused: ${refused.join(", ")}`,
      );
    },
  },
  {
    id: "start-prefix",
    kind: "promise",
    assumes: "lines of a script have [Scripting] before them on the console",
    how: "the line with which the pack connects is looked at",
    rows: [`${FOLDER} / \`content-log-console-output-enabled\``],
    async ask(trial) {
      const line = await connected(trial);
      if (line === undefined) return skipped("the pack did not connect");
      const prefix = line.slice(0, line.indexOf("[web bridge]"));
      return judge(
        prefix === "[Scripting] ",
        prefix === "" ? "nothing is before it" : `before it: ${prefix}`,
      );
    },
  },
]);
