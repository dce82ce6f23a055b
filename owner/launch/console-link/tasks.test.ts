import { describe, expect, it } from "@jest/globals";
import type { Task } from "../../../shared/console-link/messages.ts";
import type { Result } from "../../../shared/result.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { createGameLines } from "./game-lines.ts";
import { createConsoleTasks } from "./tasks.ts";

/** Tasks with the console that they are done at. */
function atConsole() {
  const clock = new ManualClock();
  const typed: string[] = [];
  const results: Result<unknown>[] = [];
  const tasks = createConsoleTasks({ clock, type: line => typed.push(line) });
  const linesOf = createGameLines();
  return {
    clock,
    typed,
    results,
    run: (task: Task) => tasks.run(task, result => results.push(result)),
    /** The owner types a line. */
    ownerTypes: tasks.typed,
    isAwaiting: tasks.isAwaiting,
    /** The lines of these that are shown. */
    shown: (...lines: string[]) => lines.filter(line => !tasks.take(linesOf(line))),
  };
}

const INFO = "[2026-11-30 12:00:00:000 INFO] ";
const ANSWER = {
  command: "allowlist",
  result: [
    { ignoresPlayerLimit: false, name: "Alex of the Hill" },
    { ignoresPlayerLimit: false, xuid: "1" },
    { ignoresPlayerLimit: false, name: "Stev\u00e9 *###" },
  ],
};
const NAMES = ["Alex of the Hill", "Stev\u00e9 *###"];
const ONE_LINE = JSON.stringify(ANSWER);
const IN_LINES = JSON.stringify(ANSWER, undefined, 3).split("\n");
const FORMS: [form: string, lines: string[]][] = [
  ["marked, in one line", [`${INFO}###* ${ONE_LINE} *###`]],
  ["plain, in one line", [INFO + ONE_LINE]],
  ["plain, without a time", [ONE_LINE]],
  ["marked, with its end on another line", [`${INFO}###* ${ONE_LINE}`, " *###"]],
  ["marked, in lines", [`${INFO}###* ${IN_LINES[0]}`, ...IN_LINES.slice(1, -1), `${IN_LINES.at(-1)} *###`]],
  ["plain, in lines", [INFO + IN_LINES[0], ...IN_LINES.slice(1)]],
];

describe("tasks on the game's console", () => {
  it.each(FORMS)("reads the allowlist, which is not shown, from an answer %s", (_, lines) => {
    const { run, typed, results, shown } = atConsole();
    run({ do: "allowlist" });
    expect(typed).toEqual(["allowlist list\n"]);
    expect(shown(...lines)).toEqual([]);
    expect(results).toEqual([{ value: NAMES }]);
    expect(shown(...lines)).toEqual(lines);
  });

  it.each(FORMS)("reads an answer %s with lines of others between", (_, lines) => {
    const { run, results, shown } = atConsole();
    const others = [`${INFO}Player connected: A, xuid: 1`, `${INFO}[Scripting] {`, ""];
    run({ do: "allowlist" });
    expect(shown(...lines.flatMap(line => [...others, line]))).toEqual(lines.flatMap(() => others));
    expect(results).toEqual([{ value: NAMES }]);
  });

  it("says whether a name is listed, capitals included", () => {
    const { run, results, shown } = atConsole();
    for (const name of [NAMES[0] ?? "", "alex of the hill"]) {
      run({ do: "listed", name });
      shown(INFO + ONE_LINE);
    }
    expect(results).toEqual([{ value: true }, { value: false }]);
  });

  it("reads an empty list", () => {
    const { run, results, shown } = atConsole();
    run({ do: "allowlist" });
    shown(`${INFO}###* {"command":"allowlist","result":null} *###`);
    expect(results).toEqual([{ value: [] }]);
  });

  it("shows the owner the answer to their own command, before or after that of the pack", () => {
    const { run, ownerTypes, results, shown } = atConsole();
    const lines = (name: string): string[] => [`${INFO}###* {"result":[{"name":"${name}"}]} *###`];
    ownerTypes("say hello\nallowlist list\n");
    run({ do: "allowlist" });
    ownerTypes("/allowlist list \r\n");
    expect(shown(...lines("A"))).toEqual(lines("A"));
    expect(shown(...lines("B"))).toEqual([]);
    expect(shown(...lines("C"))).toEqual(lines("C"));
    expect(results).toEqual([{ value: ["B"] }]);
  });

  it("shows the answer to another command, which has the same form", () => {
    const { run, results, shown } = atConsole();
    const other = `${INFO}###* {"command":"permissions","result":[{"permission":"operator","xuid":"1"}]} *###`;
    run({ do: "allowlist" });
    expect(shown(other, `${INFO}###* ${ONE_LINE} *###`)).toEqual([other]);
    expect(results).toEqual([{ value: NAMES }]);
  });

  it("fails after 5 s without an answer, and shows none that comes later, as after the game has hung", () => {
    const { clock, run, results, shown, isAwaiting } = atConsole();
    run({ do: "allowlist" });
    expect(isAwaiting()).toBe(true);
    clock.advance(60_000);
    expect(results).toEqual([{ fault: "Timeout" }]);
    // An unfinished line of the game waits no longer for its end.
    expect(isAwaiting()).toBe(false);
    run({ do: "listed", name: "Alex" });
    const late = `${INFO}###* {"result":[{"name":"Steve"}]} *###`;
    expect(shown(late, `${INFO}###* {"result":[{"name":"Alex"}]} *###`)).toEqual([]);
    expect(results[1]).toEqual({ value: true });
  });

  it("waits no longer than two minutes for an answer that is not to be shown", () => {
    const { clock, run, results, shown } = atConsole();
    run({ do: "allowlist" });
    clock.advance(120_000);
    run({ do: "allowlist" });
    expect(shown(INFO + ONE_LINE, INFO + ONE_LINE)).toEqual([INFO + ONE_LINE]);
    expect(results[1]).toEqual({ value: NAMES });
  });

  it.each([
    [{ do: "allowlist-add", name: "Alex of the Hill" }, 'allowlist add "Alex of the Hill"\n'],
    [{ do: "allowlist-remove", name: "Alex" }, 'allowlist remove "Alex"\n'],
    [{ do: "kick", name: "Alex" }, 'kick "Alex"\n'],
    [{ do: "kick", name: "-a@玩家; $1" }, 'kick "-a@玩家; $1"\n'],
    [{ do: "kick", name: "Alex", reason: "be nice" }, 'kick "Alex" be nice\n'],
    [{ do: "kick", name: "Alex", reason: "a\nstop\r\n@a[x=1]\u2028" }, 'kick "Alex" a stop \uFF20a[x=1]\n'],
  ] as const)("[CONSOLE-9] does %j with one command", (task, command) => {
    const { run, typed, results } = atConsole();
    run(task);
    expect(typed).toEqual([command]);
    expect(results).toEqual([{ value: true }]);
  });

  it.each(['a"b', "a\\b", "a\nb", "a\r", "a\u0000", "a\u007f", "a\u0085b", "a\u2028b", "@a", "@e[type=cow]"])(
    "[CONSOLE-9] types no command with the name %j",
    name => {
      const { run, typed, results } = atConsole();
      for (const task of ["allowlist-add", "allowlist-remove", "kick", "listed"] as const)
        run({ do: task, name });
      expect(typed).toEqual([]);
      expect(results).toEqual(Array(4).fill({ fault: "NameNotTypable" }));
    },
  );
});
