import type { GameProcess } from "../bds/game-process.ts";
import type { Fields } from "./probe.ts";
import { fieldsOf, numberOf, parsed, textOf } from "./values.ts";

/** Longest command, in characters. Whether the console accepts longer ones is unknown. */
const MAX_COMMAND = 2_000;
const MAX_PARTS = 200;
const ASK_MS = 30_000;

/** Begins a line of the script, after what the game puts before it. */
const MARK = "[prove] {";
/** The script has loaded. */
export const READY = /\[prove\] \{"ready":1\}/;

/** The part of an answer in a line of the console; undefined: none. */
export function partIn(line: string): { id: number; part: number; of: number; text: string } | undefined {
  const at = line.indexOf(MARK);
  const { id, part, of, text } = fieldsOf(at < 0 ? undefined : parsed(line.slice(at + MARK.length - 1)));
  const isPart =
    [id, part, of].every(Number.isSafeInteger) && typeof text === "string" && numberOf(of) <= MAX_PARTS;
  return isPart
    ? { id: numberOf(id), part: numberOf(part), of: numberOf(of), text: textOf(text) }
    : undefined;
}

/** Writes the command that asks a script. */
type Write = (id: number, name: string, input: Fields | undefined) => string;

/** For the pack that keeps achievements: a custom command with a word, as the console link types them. */
export const consoleCommandOf: Write = (id, name, input) =>
  `bridge:prove ask${Buffer.from(JSON.stringify({ id, name, input })).toString("base64url")}`;

/** A command in ASCII, which every console accepts. */
export function commandOf(id: number, name: string, input: Fields | undefined): string {
  const plain = JSON.stringify({ id, name, input }).replace(
    /[^ -~]/g,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const command = `scriptevent prove:ask ${plain}`;
  if (command.length > MAX_COMMAND)
    throw new Error(`${name}: the question is longer than ${MAX_COMMAND} characters`);
  return command;
}

let last = 0;

/**
 * Asks the script of a running game over its console.
 * @throws where the script fails, the game ends, or no complete answer comes in time
 */
export function askScript(
  { console, ended }: Pick<GameProcess, "console" | "ended">,
  name: string,
  input?: Fields,
  ms = ASK_MS,
  write: Write = commandOf,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const id = ++last;
    const command = write(id, name, input);
    const parts = new Map<number, string>();
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      forget();
      act();
    };
    const fail = (why: string): void => settle(() => reject(new Error(why)));
    const timer = setTimeout(() => fail(`the script did not answer ${name} within ${ms / 1000} s`), ms);
    const forget = console.onLine(line => {
      const found = partIn(line);
      if (found?.id !== id) return;
      parts.set(found.part, found.text);
      if (parts.size < found.of) return;
      const whole = Array.from({ length: found.of }, (_, place) => parts.get(place)).join("");
      const answer = fieldsOf(parsed(whole));
      if ("value" in answer) settle(() => resolve(answer.value));
      else fail(textOf(answer.error) || "the answer of the script is not JSON");
    });
    void ended.then(() => fail("the server ended before the script answered"));
    console.type(command);
  });
}
