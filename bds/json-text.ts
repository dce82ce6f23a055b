import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { type Fault, isFault } from "./fault.ts";
import { lineEndOf } from "./text.ts";

export type Path = (string | number)[];

/** One change to a JSON text; `undefined` takes the key or the entry out. */
export interface Edit {
  path: Path;
  value: unknown;
}

const BOM = "\uFEFF";

/** Reads JSON that may have comments and a byte order mark, as the server's own reader allows. */
export function parseJson(text: string): { value: unknown } | Fault {
  const body = withoutBom(text);
  const errors: ParseError[] = [];
  const value: unknown = parse(body, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return { value };
  const before = body.slice(0, first.offset).split(/\r\n|\n|\r/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  const reason = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return { fault: `it is no JSON: line ${before.length}, column ${column}: ${reason}` };
}

/** Changes places of a JSON text and leaves everything else in it as it is, comments and blanks included. */
export function editJson(text: string, edits: readonly Edit[]): { text: string } | Fault {
  const bom = text.startsWith(BOM) ? BOM : "";
  let body = withoutBom(text);
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(body),
    tabSize: indentOf(body),
    eol: lineEndOf(body),
  };
  for (const { path, value } of edits) {
    try {
      body = applyEdits(body, modify(body, path, value, { formattingOptions }));
    } catch {
      return { fault: `${path.join(" / ")}: there is no place for it` };
    }
    const read = parseJson(body);
    if (isFault(read)) return read;
    // What is given twice is changed in its first place and read from its last.
    if (typeof path.at(-1) === "string" && !isSame(valueAt(read.value, path), value))
      return { fault: `${path.join(" / ")}: it is there twice: delete one` };
  }
  return { text: bom + body };
}

/** Text of a new file. */
export const newJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The value at a path; undefined when there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** Whether two JSON values are the same, the order of keys included. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a text has nothing but blanks in it. */
export const isBlank = (text: string | undefined): text is undefined | "" =>
  text === undefined || withoutBom(text).trim() === "";

const withoutBom = (text: string): string => (text.startsWith(BOM) ? text.slice(1) : text);

const indentOf = (text: string): number => /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
