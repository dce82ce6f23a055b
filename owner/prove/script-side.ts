import type { ReadConsole } from "./console.ts";
import type { ScriptSide } from "./probe.ts";

/** Longest command, in characters: the console takes no longer ones for sure. */
const LONGEST_COMMAND = 2_000;
/** Most parts of an answer. */
const MOST_PARTS = 200;
const ASK_MS = 30_000;

/** Begins what the script says to the trial, behind whatever the game puts before it. */
const MARK = "[prove] {";
/** What the script says once it has loaded. */
export const READY = /\[prove\] \{"ready":1\}/;

interface Part {
  id: number;
  part: number;
  of: number;
  text: string;
}

/** The part of an answer in a line of the console; undefined: there is none in it. */
export function partIn(line: string): Part | undefined {
  const at = line.indexOf(MARK);
  if (at < 0) return undefined;
  try {
    const read: Partial<Record<keyof Part, unknown>> = JSON.parse(line.slice(at + MARK.length - 1));
    const { id, part, of, text } = read;
    const isPart =
      [id, part, of].every(each => Number.isSafeInteger(each)) &&
      typeof text === "string" &&
      Number(of) <= MOST_PARTS;
    return isPart ? { id: Number(id), part: Number(part), of: Number(of), text } : undefined;
  } catch {
    return undefined;
  }
}

/** A command whose letters each console takes: others stand as JSON escapes them. */
function commandOf(id: number, name: string, input: unknown): string {
  const json = JSON.stringify({ id, name, ...(input !== undefined && { input }) });
  const plain = json.replace(/[^ -~]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `scriptevent prove:ask ${plain}`;
}

/** Asks the script of the probes over the console. `gone`: the server has ended by itself, and nothing more is answered. */
export function createScriptSide(console: ReadConsole): ScriptSide & { gone(): void } {
  let last = 0;
  const open = new Set<(why: Error) => void>();
  return {
    gone() {
      for (const fail of [...open]) fail(new Error("the server ended before the script answered"));
    },
    ask(name, input, ms = ASK_MS) {
      const id = ++last;
      const command = commandOf(id, name, input);
      if (command.length > LONGEST_COMMAND)
        return Promise.reject(
          new Error(`${name}: what is asked is longer than ${LONGEST_COMMAND} characters`),
        );
      return new Promise((resolve, reject) => {
        const parts = new Map<number, string>();
        const end = (act: () => void): void => {
          clearTimeout(timer);
          open.delete(fail);
          forget();
          act();
        };
        const fail = (why: Error): void => end(() => reject(why));
        const late = `the script did not answer ${name} within ${Math.round(ms / 1000)} s`;
        const timer = setTimeout(() => fail(new Error(late)), ms);
        open.add(fail);
        const forget = console.onLine(line => {
          const part = partIn(line);
          if (part?.id !== id) return;
          parts.set(part.part, part.text);
          if (parts.size < part.of) return;
          const whole = Array.from({ length: part.of }, (_, place) => parts.get(place) ?? "").join("");
          end(() => settle(whole, resolve, reject));
        });
        console.type(command);
      });
    },
  };
}

function settle(text: string, resolve: (value: unknown) => void, reject: (error: Error) => void): void {
  try {
    const answer: { value?: unknown; error?: unknown } = JSON.parse(text);
    if (answer.error === undefined) resolve(answer.value);
    else reject(new Error(String(answer.error)));
  } catch {
    reject(new Error("the answer of the script is no JSON"));
  }
}
