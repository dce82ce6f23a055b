import { plainLine } from "../../bds/game-console.ts";
import { MAX_LINE_PAYLOAD } from "../../shared/console-link/frames.ts";
import type { Fields, TestEnvironment } from "../probe.ts";
import { fieldsOf, listOf, parsed, probesAt } from "../values.ts";

const NAME = "Prove Listed";
const ANSWER_MS = 10_000;
const TEXT = "\u20ac\u00e4\u{1f600}";
/** Longer than the buffer after which the next line is said to begin with NUL, in characters. */
const LONG = 5_000;
const SCRIPT = "[Scripting] ";

/** What the game prints while the script prints these lines, line by line and unchanged. */
async function printed(env: TestEnvironment, ...prints: Fields[]): Promise<string[]> {
  let output = "";
  const forget = env.console.onOutput(text => {
    output += text;
  });
  try {
    for (const input of prints) await env.script.ask("print", input);
  } finally {
    forget();
  }
  return output.split("\n").map(line => line.replace(/\r$/, ""));
}

/** The answer to `allowlist list`, which may have several lines: names. */
async function listed({ console }: TestEnvironment, name: string): Promise<string> {
  const from = console.count;
  console.type("allowlist list");
  await console.line(/\*###/, ANSWER_MS, from);
  const [, json] = /###\*(.*)\*###/s.exec(console.lines(from).join("\n")) ?? [];
  if (json === undefined) return `no answer: ${console.lines(from).filter(Boolean).slice(0, 2).join(" | ")}`;
  const { result } = fieldsOf(parsed(json));
  return listOf(result).some(entry => fieldsOf(entry).name === name) ? "listed" : "not listed";
}

/** What scripts and the game print, as the console link reads it. */
export const LINE_PROBES = probesAt("console", [
  {
    id: "console-line",
    expect: "[Scripting] in front, then a blank line",
    why: "launch takes the lines of the console link out of the console, with the blank line behind each",
    async ask(env) {
      const lines = await printed(env, { text: "prove-line" });
      const at = lines.findIndex(line => line.includes("prove-line"));
      if (at < 0) return "not printed";
      const front = plainLine(lines[at] ?? "").replace(/prove-line$/, "");
      return `${front.trim() || "nothing"} in front, then ${lines[at + 1] === "" ? "a blank line" : "no blank line"}`;
    },
  },
  {
    id: "console-line-length",
    expect: "3 of 3 whole",
    why: "the console link prints lines of up to 3,500 bytes, several in a tick",
    async ask(env) {
      const pad = MAX_LINE_PAYLOAD;
      const lines = await printed(env, { text: "prove-length ", pad, count: 3 });
      const whole = `${SCRIPT}prove-length ${"a".repeat(pad)}`;
      return `${lines.filter(line => plainLine(line) === whole).length} of 3 whole`;
    },
  },
  {
    id: "console-long-line",
    expect: "the line after it can be read",
    why: "another pack may print long lines, after which a line of the console link comes",
    async ask(env) {
      const lines = await printed(env, { text: "prove-long ", pad: LONG }, { text: "prove-after" });
      const isWhole = lines.some(line => plainLine(line) === `${SCRIPT}prove-long ${"a".repeat(LONG)}`);
      const canRead = lines.some(line => plainLine(line) === `${SCRIPT}prove-after`);
      const hasNul = lines.some(line => line.startsWith("\0"));
      return [
        `the line after it can${canRead ? "" : "not"} be read`,
        `${LONG} letters ${isWhole ? "are whole" : "are cut"}${hasNul ? ", then a line begins with NUL" : ""}`,
      ].join("; ");
    },
  },
  {
    id: "console-text",
    expect: "as it is",
    why: "names of players on the console may have letters of any language",
    async ask(env) {
      const lines = await printed(env, { text: TEXT });
      return lines.some(line => plainLine(line) === SCRIPT + TEXT) ? "as it is" : "changed";
    },
  },
  {
    id: "console-allowlist",
    expect: "not listed, listed, not listed",
    why: "the pack has the allowlist changed and read over the console; names may have blanks",
    async ask(env) {
      const states = [await listed(env, NAME)];
      for (const what of ["add", "remove"]) {
        env.console.type(`allowlist ${what} "${NAME}"`);
        states.push(await listed(env, NAME));
      }
      return states.join(", ");
    },
  },
]);
