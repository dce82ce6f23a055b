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
import { isObject } from "../shared/guard.ts";
import { type Fault, isFault } from "./fault.ts";
import { blanksAt, lineEndOf } from "./text-encoding.ts";

export { isObject };

export type Path = (string | number)[];

/** One change to a JSON text; `undefined` removes the key or the entry. */
export interface Edit {
  path: Path;
  value: unknown;
}

const BOM = "\uFEFF";
/** Deepest nesting, far above that of any server file. */
const MAX_DEPTH = 100;
/** Most characters that all edits together scan: each scans the complete text. */
const MAX_WORK = 4 * 1024 * 1024;
const CLOSED_BY: Record<string, string> = { "[": "]", "{": "}" };

/**
 * Parses JSON that may have comments and a byte order mark, as the server's own parser does.
 * @param commas whether trailing commas are allowed
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
  return { fault: `invalid JSON at line ${before.length}, column ${column}: ${reason}` };
}

/**
 * A fault for a text whose nesting would use up the parser's stack. A bracket closed by the wrong one counts as open, as it
 * may for the parser.
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
 * Edits a JSON text; comments, blanks and everything else stay.
 * @param layout `pretty` spreads what is inserted over lines; `plain` keeps each value on one line
 */
export function editJson(
  text: string,
  edits: readonly Edit[],
  layout: "pretty" | "plain" = "plain",
): { text: string } | Fault {
  const bom = text.startsWith(BOM) ? BOM : "";
  let body = withoutBom(text);
  if (edits.length * text.length > MAX_WORK)
    return { fault: `it has ${edits.length} places to change, too many for a file of its size` };
  for (const { path, value } of edits) {
    try {
      body = applyEdits(body, editsFor(body, path, value, layout));
    } catch {
      return { fault: `${path.join(" / ")}: cannot be added: something else is in its place` };
    }
    const read = parseJson(body);
    if (isFault(read)) return read;
    // If a key appears twice, the edit changes the first one, but the last one counts.
    if (typeof path.at(-1) === "string" && !isSame(valueAt(read.value, path), value))
      return { fault: `${path.join(" / ")} appears twice: delete one` };
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

/** Removes a key or an entry with its comma and blanks. */
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

/** Removes a node that others follow. Comments in between are the owner's and stay. */
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

/** Removes the last of several nodes; comments before it stay. */
function removeAfter(body: string, previous: Node, node: Node): TextEdit[] {
  const start = endOf(previous);
  const between = body.slice(start, node.offset);
  const plain = maskComments(between);
  if (plain === between) return [{ offset: start, length: endOf(node) - start, content: "" }];
  // What follows on this line must not end up inside a comment.
  const isAlone = /^,?[ \t]*\r?\n/.test(body.slice(endOf(node)));
  const blanks = isAlone ? between.length - between.trimEnd().length : blanksAt(between, "end");
  return [
    { offset: start + plain.indexOf(","), length: 1, content: "" },
    { offset: node.offset - blanks, length: node.length + blanks, content: "" },
  ];
}

/** The text between two entries with blanks for its comments. */
const maskComments = (between: string): string =>
  between.replace(/\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/g, comment => " ".repeat(comment.length));

const endOf = ({ offset, length }: Node): number => offset + length;

export const newJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The value at a path; undefined: not found. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** Whether two JSON values are equal, with their keys in the same order. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const isBlank = (text: string | undefined): text is undefined | "" =>
  text === undefined || withoutBom(text).trim() === "";

const withoutBom = (text: string): string => (text.startsWith(BOM) ? text.slice(1) : text);

const indentOf = (text: string): number => /^( +)\S/m.exec(text)?.[1]?.length ?? 2;
