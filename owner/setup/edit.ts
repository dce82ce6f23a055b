import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from "yaml";
import { inYaml } from "../../sidecar/config/default-file.ts";
import { readFileValues } from "../../sidecar/config/file.ts";
import { parseYaml } from "../../sidecar/config/yaml.ts";
import {
  endOfLine,
  endOfLines,
  indentOf,
  isBlock,
  lineStart,
  listed,
  spliced,
  withLines,
} from "./yaml-text.ts";

/** A text with something else in it, or one line for each thing that keeps it from that. */
export type Edited = { text: string } | { faults: readonly string[] };

type Root = YAMLMap.Parsed | null;

/** A key where it stands. */
interface Place {
  within: YAMLMap.Parsed;
  name: ParsedNode;
  value: ParsedNode | null;
}

/**
 * The text of a configuration with another value of a setting. All else stays: comments, order, line ends. Where the key
 * stands, its value alone changes.
 * @param value in the form of the file
 */
export const withValue = (text: string, key: string, value: unknown): Edited =>
  edited(text, key, value, () => undefined);

/**
 * The same with one element more at the end of a list.
 * @param list what holds without it
 */
export const withElement = (text: string, key: string, list: readonly unknown[], element: unknown): Edited =>
  edited(text, key, [...list, element], node => {
    const last = isSeq(node) ? node.items.at(-1) : undefined;
    if (!isSeq(node) || last === undefined) return undefined;
    if (!isBlock(node)) return spliced(text, last.range[1], last.range[1], `, ${inYaml(element)}`);
    return withLines(text, endOfLines(text, last), listed([element], indentOf(text, node.range[0])));
  });

/** The same without one element of a list. */
export function withoutElement(text: string, key: string, list: readonly unknown[], index: number): Edited {
  const rest = list.filter((_each, place) => place !== index);
  return edited(text, key, rest, node => {
    const item = isSeq(node) && rest.length > 0 ? node.items[index] : undefined;
    if (!isSeq(node) || item === undefined) return undefined;
    const token = node.srcToken?.type === "block-seq" ? node.srcToken.items[index] : undefined;
    const dash = token?.start.find(({ type }) => type === "seq-item-ind");
    if (dash !== undefined) return spliced(text, lineStart(text, dash.offset), endOfLines(text, item), "");
    const [before, after] = [node.items[index - 1], node.items[index + 1]];
    if (after !== undefined) return spliced(text, item.range[0], after.range[0], "");
    return spliced(text, before?.range[1] ?? item.range[0], item.range[1], "");
  });
}

/**
 * The same with another value of a key within one of the objects in a list.
 * @param path of the key in the object, with dots
 */
export function withInElement(
  text: string,
  key: string,
  list: readonly unknown[],
  index: number,
  path: string,
  value: unknown,
): Edited {
  const wanted = list.map((each, place) => (place === index ? withPath(each, path.split("."), value) : each));
  return edited(text, key, wanted, node => {
    const item = isSeq(node) ? node.items[index] : undefined;
    if (!isMap(item)) return text;
    const place = placeOf(item, path);
    return place === undefined
      ? withPairIn(text, item, path.split("."), value)
      : withOther(text, place, value);
  });
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function withPath(held: unknown, [name = "", ...rest]: readonly string[], value: unknown): unknown {
  const inner: unknown = isObject(held) ? Reflect.get(held, name) : undefined;
  return { ...(isObject(held) && held), [name]: rest.length === 0 ? value : withPath(inner, rest, value) };
}

/**
 * What an edit has made of a text, where that says then what it is to say, and nothing else in it has changed.
 * @param inside edits the value where it stands; undefined: another one takes its place
 */
function edited(
  text: string,
  key: string,
  value: unknown,
  inside: (node: ParsedNode | null) => string | undefined,
): Edited {
  const before = readFileValues(text);
  const { document, faults } = parseYaml(text, { keepSourceTokens: true });
  if (faults.length > 0) return { faults: before.faults };
  const { contents } = document;
  const after = ((): string | undefined => {
    if (contents !== null && !isMap(contents)) return undefined;
    const place = placeOf(contents, key);
    if (place === undefined) return withPair(text, contents, key, value);
    return inside(place.value) ?? withOther(text, place, value);
  })();
  const wanted = [new Map(before.values).set(key, value), before.faults];
  const { values, faults: left } = readFileValues(after ?? text);
  if (after !== undefined && isDeepStrictEqual([values, left], wanted)) return { text: after };
  return { faults: [`${key}: the file is written in a way in which only an editor can change this`] };
}

/** Where a key stands, whose parts may be nested, or written as one with dots. */
function placeOf(root: Root, key: string): Place | undefined {
  if (root === null) return undefined;
  for (const { key: name, value } of root.items) {
    const written = isScalar(name) ? String(name.value) : "";
    if (written === key) return { within: root, name, value };
    const inner = isMap(value) && key.startsWith(`${written}.`) ? value : null;
    const found = placeOf(inner, key.slice(written.length + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** With a key that is not there: at the end of its section, or of the file. */
function withPair(text: string, root: Root, key: string, value: unknown): string {
  const dot = key.lastIndexOf(".");
  const section = placeOf(root, key.slice(0, dot))?.value;
  const isThere = isMap(section) && isBlock(section);
  const lines = (name: string, indent: string): string[] =>
    isListOfObjects(value)
      ? [`${indent}${name}:`, ...listed(value, `${indent}  `)]
      : [`${indent}${name}: ${inYaml(value)}`];
  if (isThere)
    return withLines(
      text,
      endOfLines(text, section),
      lines(key.slice(dot + 1), indentOf(text, section.range[0])),
    );
  if (root === null || isBlock(root)) return withLines(text, text.length, lines(key, ""));
  const [start] = root.range;
  return spliced(text, start + 1, start + 1, `${key}: ${inYaml(value)}${root.items.length > 0 ? ", " : ""}`);
}

/** With a key that is not there in an object that stands in a list. */
function withPairIn(text: string, object: YAMLMap.Parsed, path: readonly string[], value: unknown): string {
  const [name = "", ...rest] = path;
  const inner = placeOf(object, name)?.value;
  if (rest.length > 0 && isMap(inner)) return withPairIn(text, inner, rest, value);
  const [start] = object.range;
  if (!isBlock(object)) {
    const pair = (names: readonly string[]): string =>
      names.length > 1 ? `${names[0]}: { ${pair(names.slice(1))} }` : `${names[0]}: ${inYaml(value)}`;
    const last = object.items.at(-1);
    const end = (last?.value ?? last?.key)?.range[1];
    return end === undefined
      ? spliced(text, start + 1, start + 1, ` ${pair(path)} `)
      : spliced(text, end, end, `, ${pair(path)}`);
  }
  const indent = " ".repeat(start - lineStart(text, start));
  const lines = path.map((each, depth) => `${indent}${"  ".repeat(depth)}${each}:`);
  return withLines(text, endOfLines(text, object), [
    ...lines.slice(0, -1),
    `${lines.at(-1)} ${inYaml(value)}`,
  ]);
}

/** With another value in the place of one. */
function withOther(text: string, { within, name, value: old }: Place, value: unknown): string | undefined {
  if (old === null) return undefined;
  const [start, end] = old.range;
  const asLines = isBlock(within) && isListOfObjects(value) ? value : undefined;
  if (!isBlock(old) && asLines === undefined) {
    const gap = start === end ? " " : "";
    // The last line of a text over several lines belongs to it.
    const eol = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? "";
    return spliced(text, start, end, `${gap}${inYaml(value)}${eol}`);
  }
  const bare = isBlock(old)
    ? spliced(text, lineStart(text, start), endOfLines(text, old), "")
    : spliced(text, text.slice(0, start).trimEnd().length, end, "");
  const colon = text.indexOf(":", name.range[1]) + 1;
  return asLines === undefined
    ? spliced(bare, colon, colon, ` ${inYaml(value)}`)
    : withLines(bare, endOfLine(bare, colon), listed(asLines, `${indentOf(text, name.range[0])}  `));
}

const isListOfObjects = (value: unknown): value is object[] =>
  Array.isArray(value) && value.some(each => typeof each === "object");
