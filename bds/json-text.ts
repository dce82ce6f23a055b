import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  modify,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
  type Edit as TextEdit,
} from "jsonc-parser";
import { type Fault, isFault } from "./fault.ts";
import { blanksAt, lineEndOf } from "./text-encoding.ts";

export type Path = (string | number)[];

/** One change to a JSON text; `undefined` takes the key or the entry out. */
export interface Edit {
  path: Path;
  value: unknown;
}

const BOM = "\uFEFF";
/** Most lists and objects within each other: no file of a server has nearly as many. */
const MAX_DEPTH = 100;
/** Most characters that edits go over, each of them over the whole text. */
const MAX_WORK = 4 * 1024 * 1024;
const CLOSED_BY: Record<string, string> = { "[": "]", "{": "}" };

/**
 * Reads JSON that may have comments and a byte order mark, as the server's own reader allows.
 * @param commas whether one may stand after the last entry of a list or object
 */
export function parseJson(
  text: string,
  commas: "lenient" | "strict" = "lenient",
): { value: unknown } | Fault {
  const body = withoutBom(text);
  const deep = depthFault(body);
  if (deep !== undefined) return deep;
  const errors: ParseError[] = [];
  const value: unknown = parse(body, errors, { allowTrailingComma: commas === "lenient" });
  const [first] = errors;
  if (first === undefined) return { value };
  const before = body.slice(0, first.offset).split(/\r\n|\n|\r/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  const reason = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return { fault: `it is no JSON: line ${before.length}, column ${column}: ${reason}` };
}

/**
 * Why a text may not be parsed, which takes more of the stack the deeper it is nested. What is closed in the wrong way
 * counts as open, as it may for the parser.
 */
function depthFault(text: string): Fault | undefined {
  const scanner = createScanner(text, true);
  const open: string[] = [];
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const letter = text.charAt(scanner.getTokenOffset());
    const end = CLOSED_BY[letter];
    if (end !== undefined) open.push(end);
    else if (letter === open.at(-1)) open.pop();
    if (open.length > MAX_DEPTH) return { fault: `it is nested deeper than ${MAX_DEPTH}` };
  }
  return undefined;
}

/**
 * Changes places of a JSON text and leaves everything else in it as it is, comments and blanks included.
 * @param layout `pretty` spreads what is put in, and the lines it joins, over lines; `plain` keeps each value on one
 */
export function editJson(
  text: string,
  edits: readonly Edit[],
  layout: "pretty" | "plain" = "plain",
): { text: string } | Fault {
  const bom = text.startsWith(BOM) ? BOM : "";
  let body = withoutBom(text);
  if (edits.length * text.length > MAX_WORK)
    return { fault: `it has ${edits.length} places to change, more than can be done at its size` };
  for (const { path, value } of edits) {
    try {
      body = applyEdits(body, editsFor(body, path, value, layout));
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

function editsFor(body: string, path: Path, value: unknown, layout: "pretty" | "plain"): TextEdit[] {
  if (value === undefined) return removalOf(body, path);
  const eol = lineEndOf(body);
  if (layout === "pretty") {
    const formattingOptions = { insertSpaces: !/^\t/m.test(body), tabSize: indentOf(body), eol };
    return modify(body, path, value, { formattingOptions });
  }
  return modify(body, path, value, {}).map(edit => {
    if (edit.length > 0 || !edit.content.startsWith(",")) return edit;
    const line = body.slice(body.lastIndexOf("\n", edit.offset - 1) + 1, edit.offset);
    const isAlone = /^\s*[{}\]"\d]/.test(line) && edit.offset > line.length;
    const gap = isAlone ? eol + (/^\s*/.exec(line)?.[0] ?? "") : " ";
    return { ...edit, content: `,${gap}${edit.content.slice(1).trimStart()}` };
  });
}

/** Takes out a key or an entry with the comma and the blanks that go with it. */
function removalOf(body: string, path: Path): TextEdit[] {
  const tree = parseTree(body, [], { allowTrailingComma: true });
  const found = tree && findNodeAtLocation(tree, path);
  const node = found?.parent?.type === "property" ? found.parent : found;
  const all = node?.parent?.children;
  if (node === undefined || all === undefined) return [];
  const [previous, next] = [all[all.indexOf(node) - 1], all[all.indexOf(node) + 1]];
  if (next !== undefined) return removeUpTo(body, node, next);
  if (previous !== undefined) return removeAfter(body, previous, node);
  const comma = /^\s*,/.exec(body.slice(endOf(node)))?.[0].length ?? 0;
  return [{ offset: node.offset, length: node.length + comma, content: "" }];
}

/** Takes out a node with others after it. Comments in between are the owner's and stay. */
function removeUpTo(body: string, node: Node, next: Node): TextEdit[] {
  const between = body.slice(endOf(node), next.offset);
  const plain = maskComments(between);
  if (plain === between) return [{ offset: node.offset, length: next.offset - node.offset, content: "" }];
  const comma = plain.indexOf(",");
  const blanks = /^,\s*/.exec(between.slice(comma))?.[0].length ?? 1;
  return [
    { offset: node.offset, length: node.length, content: "" },
    { offset: endOf(node) + comma, length: blanks, content: "" },
  ];
}

/** The same for the last of several. */
function removeAfter(body: string, previous: Node, node: Node): TextEdit[] {
  const start = endOf(previous);
  const between = body.slice(start, node.offset);
  const plain = maskComments(between);
  if (plain === between) return [{ offset: start, length: endOf(node) - start, content: "" }];
  // What follows on the same line must not get into a comment.
  const isAlone = /^,?[ \t]*\r?\n/.test(body.slice(endOf(node)));
  const blanks = isAlone ? between.length - between.trimEnd().length : blanksAt(between, "end");
  return [
    { offset: start + plain.indexOf(","), length: 1, content: "" },
    { offset: node.offset - blanks, length: node.length + blanks, content: "" },
  ];
}

/** Blanks in the place of comments, in a text between two entries. */
const maskComments = (between: string): string =>
  between.replace(/\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/g, comment => " ".repeat(comment.length));

const endOf = ({ offset, length }: Node): number => offset + length;

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
