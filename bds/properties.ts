import { blanksAt, isNotUtf8, lineEndOf } from "./text-encoding.ts";

const BOM = "\uFEFF";
/** A line with its end, or the last one without. */
const LINES = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g;

/** All keys of server.properties with their values, trimmed. Of a key given twice the last value counts. */
export function readProperties(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of linesOf(text)) {
    const pair = pairIn(line);
    if (pair !== undefined) values.set(pair.key, pair.value);
  }
  return values;
}

/** The world that the game opens. */
export const levelNameOf = (properties: ReadonlyMap<string, string>): string =>
  properties.get("level-name") || "Bedrock level";

/** All values of a key that may be given several times, in order. */
export const valuesOf = (text: string, key: string): string[] =>
  linesOf(text).flatMap(line => {
    const pair = pairIn(line);
    return pair?.key === key ? [pair.value] : [];
  });

/** Lines with a key that are not UTF-8 in a file of UTF-8, counted from 1. */
export const nonUtf8LinesOf = (text: string): { line: number; key: string }[] =>
  linesOf(text).flatMap((line, index) => {
    const key = isNotUtf8(line) ? pairIn(line)?.key : undefined;
    return key === undefined ? [] : [{ line: index + 1, key }];
  });

/**
 * Sets keys, and adds those that are missing at the end; `undefined` removes a key. Comments, order, blanks and line ends
 * stay.
 */
export function setProperties(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const missing = new Map(Object.entries(values));
  const bom = text.startsWith(BOM) ? BOM : "";
  const lines = linesOf(text).flatMap(line => {
    const pair = pairIn(line);
    if (pair === undefined || !Object.hasOwn(values, pair.key)) return [line];
    missing.delete(pair.key);
    const value = values[pair.key];
    if (value === undefined) return [];
    return [value === pair.value ? line : `${pair.before}${value}${pair.after}`];
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

/** The key and value of a line, and the text before and after the value; undefined: the line has none. */
function pairIn(line: string): { key: string; value: string; before: string; after: string } | undefined {
  const body = line.replace(/[\r\n]+$/, "");
  const equals = body.indexOf("=");
  const key = trimmed(body, 0, equals);
  if (equals < 0 || /^(?:[#\s]|$)/.test(key.text)) return undefined;
  const value = trimmed(body, equals + 1, body.length);
  return { key: key.text, value: value.text, before: line.slice(0, value.from), after: line.slice(value.to) };
}

/** A part of a line without the blanks around it, and its offsets. */
function trimmed(line: string, start: number, end: number): { text: string; from: number; to: number } {
  const part = line.slice(start, end);
  const from = start + blanksAt(part, "start");
  const to = Math.max(from, end - blanksAt(part, "end"));
  return { text: line.slice(from, to), from, to };
}

const linesOf = (text: string): string[] => (text.startsWith(BOM) ? text.slice(1) : text).match(LINES) ?? [];
