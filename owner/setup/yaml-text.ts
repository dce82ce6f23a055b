import { isCollection, isNode, isPair, type Node, stringify } from "yaml";
import { lineEndOf } from "../bds/text.ts";

/** Whether a node has lines of its own, and no brackets around it. */
export const isBlock = (node: Node): boolean => isCollection(node) && node.flow !== true;

/** The text with something else between two places. */
export const spliced = (text: string, start: number, end: number, other: string): string =>
  text.slice(0, start) + other + text.slice(end);

export const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** Where the line of a place ends, behind its line end. */
export const endOfLine = (text: string, at: number): number => text.indexOf("\n", at) + 1 || text.length;

/** The blanks that a line begins with. */
export const indentOf = (text: string, at: number): string =>
  /^ */.exec(text.slice(lineStart(text, at), at).replace("\uFEFF", ""))?.[0] ?? "";

/** Where the last line of a node ends. Comments on lines of their own below it are none of it. */
export function endOfLines(text: string, node: Node): number {
  const last = isCollection(node) && isBlock(node) ? node.items.at(-1) : undefined;
  const inner = isPair(last) ? (last.value ?? last.key) : last;
  if (isNode(inner)) return endOfLines(text, inner);
  const end = node.range?.[1] ?? text.length;
  return text[end - 1] === "\n" ? end : endOfLine(text, end);
}

/** The text with lines more at the start of one, or at its end. */
export function withLines(text: string, at: number, lines: readonly string[]): string {
  const eol = lineEndOf(text);
  const gap = at === 0 || text === "\uFEFF" || text[at - 1] === "\n" ? "" : eol;
  return spliced(text, at, at, `${gap}${lines.join(eol)}${eol}`);
}

/** A list in lines of its own. */
export const listed = (list: readonly unknown[], indent: string): string[] =>
  stringify(list, { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map(line => indent + line);
