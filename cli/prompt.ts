import { createInterface } from "node:readline/promises";
import { printable } from "./printable.ts";

/** Whether the user can answer a question. */
export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/**
 * Asks until the answer is one of the words, its first letter, or Enter for the first word. Undefined: the input ended, by
 * Ctrl+C or Ctrl+D for example.
 * @param signal ends the wait for an answer, as the end of the input does
 */
export async function choose<W extends string>(
  question: string,
  words: readonly [W, ...W[]],
  signal?: AbortSignal,
): Promise<W | undefined> {
  for (;;) {
    const answer = (await ask(question, signal))?.toLowerCase();
    if (answer === undefined) return undefined;
    const chosen = answer === "" ? words[0] : words.find(word => [word, word[0]].includes(answer));
    if (chosen !== undefined) return chosen;
    console.log(printable(`"${answer}" is not an answer: type ${words.join(" or ")}`));
  }
}

/** The trimmed answer; undefined: the input ended. */
async function ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>(done => terminal.once("close", () => done(undefined)));
  // An input that ends may cause an error too.
  const answer = await Promise.race([terminal.question(question, { signal }).catch(() => undefined), ended]);
  terminal.close();
  if (answer === undefined) console.log();
  return answer?.trim();
}
