/** Control characters, line separators, and characters that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Longest line, in characters. */
const LONGEST = 10_000;

/** A line that is safe to print: text from files and names cannot control the terminal or fill it. */
export const printable = (line: string): string =>
  safe(line.length > LONGEST ? `${line.slice(0, LONGEST)} ...` : line);

/** A value as JSON with the same escapes, which parses to the same value. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).split("\n").map(safe).join("\n");

const safe = (line: string): string => line.replace(UNPRINTABLE, escaped);

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
