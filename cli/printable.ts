/** What a terminal would not show but act by, and what turns the direction of a line. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Characters of a line that are shown. */
const LONGEST = 10_000;

/** A line for a terminal: what came from files and names can give it no commands, and cannot fill it. */
export const printable = (line: string): string =>
  safe(line.length > LONGEST ? `${line.slice(0, LONGEST)} ...` : line);

/** A value as JSON for people and scripts, which reads back as it was. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).split("\n").map(safe).join("\n");

const safe = (line: string): string => line.replace(UNPRINTABLE, escaped);

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
