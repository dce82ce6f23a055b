import type { Seen, Trial } from "../probe.ts";
import { BUSY, broken, held, judge, notedWhile, probesOf, rested, seconds, textOf } from "./say.ts";

const COMMAND = "@minecraft/server / a custom command";
const PARAMETERS = "@minecraft/server / parameters of commands";
const ANSWER_MS = 5_000;

/** Types a command, and waits for the line that is assumed to answer it. */
async function typed({ console }: Trial, command: string, pattern: RegExp): Promise<Seen> {
  const since = console.lines.length;
  console.type(command);
  const line = await console.line(pattern, ANSWER_MS, since);
  if (line !== undefined) return held("it answers so");
  const said = console.lines
    .slice(since, since + 2)
    .map(each => each.slice(0, 160).replace(/https?:\/\/\S+/g, "<address>"));
  return broken(said.length === 0 ? "it answers nothing" : `it answers: ${said.join(" / ")}`);
}

const STATUS = /(Connected to|Not connected \()/;

export const commandProbes = probesOf("plain", [
  {
    id: "command-unknown",
    kind: "inference",
    assumes:
      "the console answers an unknown command with Unknown command: <name>, and asks to check that it exists and is permitted",
    how: "a command is typed that nobody has registered",
    rows: ["@minecraft/server / who may give one"],
    ask: trial =>
      typed(
        trial,
        "bridge:nobody",
        /^Unknown command: .*bridge:nobody.*\. Please check that the command exists and that you have permission to use it\.$/,
      ),
  },
  {
    id: "command-list",
    kind: "inference",
    assumes: "the console answers list with There are <players>/<most> players online:",
    how: "list is typed while nobody is there",
    rows: [`A server's folder / commands of the console`],
    ask: trial => typed(trial, "list", /^There are 0\/\d+ players online:/),
  },
  {
    id: "command-status",
    kind: "promise",
    assumes:
      "a command of the pack runs when the console types it with its namespace, and its answer is shown there",
    how: "bridge:status is typed",
    rows: [COMMAND],
    ask: trial => typed(trial, "bridge:status", STATUS),
  },
  {
    id: "command-slash",
    kind: "promise",
    assumes: "the console takes a command of the pack with a slash before it",
    how: "/bridge:status is typed",
    rows: [COMMAND],
    ask: trial => typed(trial, "/bridge:status", STATUS),
  },
  {
    id: "command-short",
    kind: "promise",
    assumes: "a command of the pack may be given without its namespace",
    how: "webchat is typed",
    rows: [COMMAND],
    ask: trial => typed(trial, "webchat", /Chat from the web: /),
  },
  {
    id: "command-without-cheats",
    kind: "promise",
    assumes: "a command that asks for no cheats runs in a world without them",
    how: "bridge:block is typed, which answers the console that it is for players",
    rows: [COMMAND],
    ask: trial => typed(trial, "bridge:block", /Only players can use this command\./),
  },
  {
    id: "command-enum",
    kind: "promise",
    assumes: "a value of an enumeration reaches a command",
    how: "bridge:webchat everybody is typed, and what it was set to before",
    rows: [PARAMETERS],
    ask: trial => typed(trial, "bridge:webchat everybody", /Chat from the web: everybody/),
  },
  {
    id: "command-quoted",
    kind: "promise",
    assumes: "a text of letters and digits may stand in quotes",
    how: 'bridge:unmute "0123abcd" is typed',
    rows: [PARAMETERS],
    ask: trial => typed(trial, 'bridge:unmute "0123abcd"', /Not muted any more: 0123abcd/),
  },
  {
    id: "command-missing-argument",
    kind: "inference",
    assumes: "a command without an argument that it needs is answered with a syntax error",
    how: "bridge:mute is typed",
    rows: [PARAMETERS],
    ask: trial => typed(trial, "bridge:mute", /^(§c)?Syntax error: Unexpected/),
  },
  {
    id: "command-prompt",
    kind: "inference",
    assumes: "the console answers a command within two seconds",
    how: "the best of three times from typing bridge:status to its answer",
    rows: [],
    async ask(trial) {
      const { console } = trial;
      const bestOf = async (): Promise<number> => {
        let best = Number.POSITIVE_INFINITY;
        for (let turn = 0; turn < 3; turn++) {
          const [since, begun] = [console.lines.length, trial.now()];
          console.type("bridge:status");
          // What is not answered at all is not slow: it is asked no more.
          if ((await console.line(STATUS, 10_000, since)) === undefined) return Number.POSITIVE_INFINITY;
          best = Math.min(best, trial.now() - begun);
        }
        return best;
      };
      const { measured: best, isSlow } = await rested(
        trial,
        bestOf,
        ms => ms > 2_000 && ms < Number.POSITIVE_INFINITY,
      );
      if (best === Number.POSITIVE_INFINITY) return broken("no answer within 10 s");
      return judge(!isSlow, isSlow ? `${seconds(best)}; ${BUSY}` : seconds(best));
    },
  },
]);

const command = async (trial: Trial, line: string) =>
  (await notedWhile(trial, async () => trial.console.type(line))).filter(({ is }) => is === "command");

export const scriptCommandProbes = probesOf("probes", [
  {
    id: "command-restricted",
    kind: "inference",
    assumes: "the callback of a command runs in restricted execution",
    how: "a command of the trial's own is typed, and tries what only normal execution allows",
    rows: [COMMAND, "Execution / restricted execution"],
    async ask(trial) {
      const [one] = await command(trial, "bridge:prove_said hello");
      if (one === undefined) return broken("the command did not run");
      return judge(textOf(one.mode).startsWith("restricted"), textOf(one.mode));
    },
  },
  {
    id: "command-source",
    kind: "inference",
    assumes: "a command of the console comes with the source Server",
    how: "a command of the trial's own is typed",
    rows: [COMMAND],
    async ask(trial) {
      const [one] = await command(trial, "bridge:prove_said hello");
      return judge(
        one?.source === "Server",
        one === undefined ? "the command did not run" : textOf(one.source),
      );
    },
  },
  {
    id: "command-words",
    kind: "promise",
    assumes: "a text in quotes may hold blanks, and a missing optional one is left out or undefined",
    how: "a command of the trial's own is typed with a text in quotes",
    rows: [PARAMETERS],
    async ask(trial) {
      const [one] = await command(trial, 'bridge:prove_said "hello there"');
      if (one === undefined) return broken("the command did not run");
      const args = textOf(one.args);
      return judge(args === '"hello there"' || args === '"hello there" undefined', args);
    },
  },
]);
