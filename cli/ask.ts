import { createInterface } from "node:readline/promises";

/** Whether somebody is there who can be asked. */
export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

/** Whether an answer is a yes. */
export const isYes = (answer: string | undefined): boolean => /^y(es)?$/i.test(answer ?? "");

/** The answer without blanks around it; undefined when the input ends, by Ctrl+C or Ctrl+D for example. */
export async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>(done => terminal.once("close", () => done(undefined)));
  // An input that ends may be told as an error, too.
  const answer = await Promise.race([terminal.question(question).catch(() => undefined), ended]);
  terminal.close();
  if (answer === undefined) console.log();
  return answer?.trim();
}
