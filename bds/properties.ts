import { lineEndOf } from "./text.ts";

const BOM = "\uFEFF";
/** A line with its end, or the last one without. */
const LINES = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g;
/** Blanks, key, blanks around the equals sign, value, blanks, line end. */
const PAIR = /^([ \t]*)([^=#\s][^=\r\n]*?)([ \t]*=[ \t]*)([^\r\n]*?)([ \t]*(?:\r\n|\n|\r)?)$/;

/** Every key of server.properties with its value, both without blanks around them. A key given twice has its last value. */
export function readProperties(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of linesOf(text)) {
    const [, , key, , value] = PAIR.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values.set(key, value);
  }
  return values;
}

/** Every value of a key that may be given several times, in order. */
export const valuesOf = (text: string, key: string): string[] =>
  linesOf(text).flatMap(line => {
    const [, , name, , value] = PAIR.exec(line) ?? [];
    return name === key && value !== undefined ? [value] : [];
  });

/**
 * Gives keys values, wherever they stand, and adds those that are missing at the end. `undefined` takes a key out.
 * Comments, order, blanks and line ends stay as they are.
 */
export function setProperties(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const missing = new Map(Object.entries(values));
  const bom = text.startsWith(BOM) ? BOM : "";
  const lines = linesOf(text).flatMap(line => {
    const [, blank = "", key = "", equals = "", old, end = ""] = PAIR.exec(line) ?? [];
    if (old === undefined || !Object.hasOwn(values, key)) return [line];
    missing.delete(key);
    const value = values[key];
    if (value === undefined) return [];
    return [value === old ? line : `${blank}${key}${equals}${value}${end}`];
  });
  const eol = lineEndOf(text);
  let result = lines.join("");
  for (const [key, value] of missing) {
    if (value === undefined) continue;
    const gap = result === "" || /[\r\n]$/.test(result) ? "" : eol;
    result += `${gap}${key}=${value}${eol}`;
  }
  return bom + result;
}

const linesOf = (text: string): string[] => (text.startsWith(BOM) ? text.slice(1) : text).match(LINES) ?? [];
