/** What a terminal would not show but act by, and what turns the direction of a line. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A line for a terminal: what came from files and names can give it no commands. */
export const printable = (line: string): string => line.replace(UNPRINTABLE, escaped);

/** A value as JSON for people and scripts, which reads back as it was. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).split("\n").map(printable).join("\n");

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
