import { createInterface } from "node:readline/promises";
import { printable } from "./printable.ts";

/** Whether somebody is there who can be asked. */
export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/**
 * The word that somebody chooses by it or by its first letter, or by Enter the first one; an answer that is none of them is asked
 * for again. Undefined when the input ends, by Ctrl+C or Ctrl+D for example.
 */
export async function choose<W extends string>(
  question: string,
  words: readonly [W, ...W[]],
): Promise<W | undefined> {
  for (;;) {
    const answer = (await ask(question))?.toLowerCase();
    if (answer === undefined) return undefined;
    const chosen = answer === "" ? words[0] : words.find(word => [word, word[0]].includes(answer));
    if (chosen !== undefined) return chosen;
    console.log(printable(`"${answer}" is none of the answers: type ${words.join(" or ")}`));
  }
}

/** The answer without blanks around it; undefined when the input ends, by Ctrl+C or Ctrl+D for example. */
async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>(done => terminal.once("close", () => done(undefined)));
  // An input that ends may be told as an error, too.
  const answer = await Promise.race([terminal.question(question).catch(() => undefined), ended]);
  terminal.close();
  if (answer === undefined) console.log();
  return answer?.trim();
}
