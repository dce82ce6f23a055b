import { join } from "node:path";
import { isFault } from "../../bds/fault.ts";
import { levelDatAt } from "../../bds/level-dat.ts";
import { systemFiles } from "../../bds/system.ts";
import { hasTerminal } from "../../bds/terminal.ts";
import { askLine, COMMAND } from "../../shared/console-link/frames.ts";
import { type Probe, Skipped, type TestEnvironment } from "../probe.ts";
import { READY } from "../script-client.ts";
import { ask, fieldsOf, listOf, numberOf, probesAt, seconds, textOf } from "../values.ts";
import { CONNECTION_PROBES } from "./console-connection.ts";
import { LINE_PROBES } from "./console-lines.ts";
import { comes, LOAD_MS, lastOf, whyNot } from "./steps.ts";

/** How long a loaded script may take to print, in milliseconds. */
const PRINT_MS = 20_000;
/** Longest command that the console link types, in characters. */
const COMMAND_LENGTH = 1_000;
const LENGTHS = [256, 512, COMMAND_LENGTH, 2_000, 4_000];
const BURST = 20;
const ROUND_TRIPS = 15;

const ASKING = new RegExp(
  askLine("ID")
    .replace(/[[\]().]/g, "\\$&")
    .replace("ID", "[0-9a-z]+$"),
);

/** Types a command of the probes with this word. */
const typeWord = ({ console }: TestEnvironment, word: string): void => console.type(`bridge:prove ${word}`);

/** The words that have arrived since they were read last. What was typed before has arrived by then, or is lost. */
const arrived = async (env: TestEnvironment) =>
  listOf(await env.script.ask("words")).map(word => {
    const { text, length, tick } = fieldsOf(word);
    return { text: textOf(text), length: numberOf(length), tick: numberOf(tick) };
  });

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const experimentsOf = ({ folder }: TestEnvironment): string => {
  const level = levelDatAt(join(folder, "worlds/prove-kept/level.dat"), systemFiles);
  if (level === undefined || isFault(level)) return `level.dat cannot be read: ${level?.fault ?? "missing"}`;
  const on = Object.entries(level.experiments).flatMap(([name, isOn]) => (isOn ? [name] : []));
  return on.length === 0 ? "no experiment, and none ever" : on.join(", ");
};

/** Whether the script has printed that it is ready, or does when the game ends. */
async function prints(env: TestEnvironment): Promise<"at once" | "when the game ends" | "never"> {
  if ((await env.console.line(READY, PRINT_MS, 0)) !== undefined) return "at once";
  await env.stop();
  return env.console.lines().some(line => READY.test(line)) ? "when the game ends" : "never";
}

const firstProbes: readonly Probe[] = [
  {
    id: "console-loads",
    needs: "world",
    expect: "loaded, asks for launch",
    why: "with setup --keep-achievements the pack has to load in a world without experiments",
    async ask(env) {
      await env.stop();
      // The world with all features stays as it is; without it there is nothing to undo.
      await env.setUp("--undo");
      env.useKeptWorld();
      const result = await env.setUp("--keep-achievements");
      if (result.code !== 0) return `setup fails with ${lastOf(result)}`;
      env.putConsoleProbes();
      await env.start();
      const has = (): true | undefined => env.console.lines().some(line => READY.test(line)) || undefined;
      if (!(await comes(env, has))) return `not loaded: ${whyNot(env)}`;
      env.levels.add("stable");
      const isAsking = (await env.console.line(ASKING, LOAD_MS, 0)) !== undefined;
      return `loaded, ${isAsking ? "asks for launch" : "does not ask for launch"}`;
    },
  },
  {
    id: "console-command",
    needs: "stable",
    expect: "arrived, from the server",
    why: `launch sends everything to the pack by /${COMMAND}, a command of level Owner that needs no cheats`,
    async ask(env) {
      const from = env.console.count;
      const called = await ask(env, "called", {}, 10_000).catch(() => undefined);
      if (called === undefined) {
        const said = env.console.lines(from).find(line => line !== "" && !line.startsWith("[Scripting]"));
        return `did not arrive: ${said ?? "the console says nothing"}`;
      }
      env.levels.add("console");
      return `arrived, from ${called.source === "Server" ? "the server" : textOf(called.source)}`;
    },
  },
];

const COMMAND_PROBES = probesAt("console", [
  {
    id: "console-word",
    expect: "as typed",
    why: "messages to the pack are words in base64url, without quotes",
    async ask(env) {
      const word = "k0-_Az9_-z";
      typeWord(env, word);
      const [first] = await arrived(env);
      return first?.text === word ? "as typed" : `changed: ${first?.text ?? "nothing"}`;
    },
  },
  {
    id: "console-command-length",
    expect: `${COMMAND_LENGTH} characters arrive`,
    why: "the console link types commands of that length; shorter ones would need another part of the pack",
    async ask(env) {
      const lengths = LENGTHS.map(length => length - "bridge:prove ".length);
      for (const length of lengths) typeWord(env, "w".repeat(length));
      const words = (await arrived(env)).map(word => word.length);
      const whole = LENGTHS.filter((_, place) => words.includes(lengths[place] ?? 0));
      const isEnough = whole.includes(COMMAND_LENGTH);
      return `${isEnough ? `${COMMAND_LENGTH} characters arrive` : "shorter"}; of ${LENGTHS.join(", ")}: ${whole.join(", ") || "none"}`;
    },
  },
  {
    id: "console-commands-per-tick",
    expect: "one or more",
    why: "chat from the website waits as long as typed commands do",
    async ask(env) {
      for (let i = 0; i < BURST; i++) typeWord(env, `w${i}`);
      const ticks = (await arrived(env)).map(({ tick }) => tick);
      if (ticks.length < BURST) return `${ticks.length} of ${BURST} arrived`;
      const perTick = BURST / (Math.max(...ticks) - Math.min(...ticks) + 1);
      return `${perTick >= 1 ? "one or more" : "fewer than one"}; ${perTick.toFixed(1)} a tick`;
    },
  },
  {
    id: "console-delay",
    expect: "within 0.5 s",
    why: "chat goes this way in both directions, and so do link requests",
    async ask(env) {
      const [to, back]: number[][] = [[], []];
      for (let i = 0; i < ROUND_TRIPS; i++) {
        const begun = Date.now();
        const { ms } = await ask(env, "called");
        to?.push(numberOf(ms) - begun);
        back?.push(Date.now() - numberOf(ms));
      }
      const [there, here] = [median(to ?? []), median(back ?? [])];
      return `${there + here <= 500 ? "within 0.5 s" : "later"}; median: ${there} ms to the script, ${here} ms to the console`;
    },
  },
]);

const lastProbes: readonly Probe[] = [
  {
    id: "console-reload",
    needs: "console",
    expect: "the command is kept",
    why: "operators type reload after they have changed a pack",
    async ask(env) {
      const from = env.console.count;
      env.console.type("reload");
      if ((await env.console.line(READY, PRINT_MS, from)) === undefined)
        throw new Skipped(`not reloaded: ${env.console.lines(from).filter(Boolean).slice(0, 2).join(" | ")}`);
      await ask(env, "called");
      return "the command is kept";
    },
  },
  {
    id: "console-log-level",
    needs: "console",
    expect: "printed",
    why: "with content-log-level=warning the console link has to work",
    async ask(env) {
      await env.stop();
      env.useKeptWorld("warning");
      // One start shows both: whether lines come, and whether they need a terminal.
      await env.start(false);
      const when = await prints(env);
      if (when === "never") return "not printed";
      if (when === "at once") env.levels.add("stable");
      return "printed";
    },
  },
  {
    id: "console-without-terminal",
    needs: "world",
    expect: "printed at once",
    why: "where the system offers no terminal, launch reads the game's console by a pipe",
    async ask(env) {
      if (!env.levels.has("stable")) throw new Skipped("held back, so launch makes a terminal for the game");
      const begun = performance.now();
      await ask(env, "called");
      return `printed at once; ${seconds(performance.now() - begun)}${hasTerminal() ? "" : ", as all the time: this system offers none"}`;
    },
  },
  {
    id: "console-experiments",
    needs: "world",
    expect: "no experiment, and none ever",
    why: "an experiment ends achievements in its world, and stays in level.dat",
    async ask(env) {
      await env.stop();
      return experimentsOf(env);
    },
  },
];

/** The console link of the pack that keeps achievements, in a world without experiments and cheats. */
export const consoleLinkProbes: readonly Probe[] = [
  ...firstProbes,
  ...COMMAND_PROBES,
  ...LINE_PROBES,
  ...CONNECTION_PROBES,
  ...lastProbes,
];
