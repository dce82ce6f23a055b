import { COMMAND } from "../../../shared/console-link/frames.ts";

/** Words that are remembered: the game rejects one soon, or never. */
const MAX_WORDS = 32;

/** Shortest part of a word that is recognised. */
const MIN_PART = 8;

/** How the game answers a command that it does not know, or whose words it does not expect. */
const REJECTION = /^(?:Unknown command|Syntax error): /;

/** The words that were typed for the pack, to recognise the lines with which the game rejects them. */
export function createTypedWords() {
  const words: string[] = [];
  let hasRejected = false;

  const isPart = (part: string): boolean => words.some(word => word.includes(part));

  function quotes(text: string): boolean {
    if (!REJECTION.test(text)) return false;
    if (text.includes(COMMAND)) return true;
    return (text.match(/[\w-]+/g) ?? []).some(part => part.length >= MIN_PART && isPart(part));
  }

  return {
    /** @param line with the command */
    add(line: string) {
      words.push(line.slice(COMMAND.length).trim());
      if (words.length > MAX_WORDS) words.shift();
    },
    /** Whether a line of the game rejects such a word. */
    isRejected(text: string): boolean {
      if (words.length === 0 || !quotes(text)) return false;
      hasRejected = true;
      return true;
    },
    hasRejected: (): boolean => hasRejected,
  };
}
