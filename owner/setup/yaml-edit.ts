import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isNode, isScalar, isSeq, type Node, Scalar, visit } from "yaml";
import { lineEndOf } from "../../bds/text-encoding.ts";
import { inYaml } from "../../sidecar/config/default-file.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { parseYaml } from "../../sidecar/config/yaml.ts";

/** An edited text, or why it cannot be edited, one line each. */
export type EditResult = { text: string } | { faults: readonly string[] };

/** The text after an edit; the text before it if the edit failed. */
export const textAfter = (edited: EditResult, before: string): string =>
  "text" in edited ? edited.text : before;

type Path = readonly (string | number)[];

/** Edits the list of a setting. `list`: its elements before. */
type ListEdit<T> = (text: string, key: string, list: readonly unknown[], change: T) => EditResult;

/**
 * The text of a configuration with another value of a setting. Comments, order and line ends stay; blanks may change.
 * @param value in the form of the file
 */
export const withValue = (text: string, key: string, value: unknown): EditResult =>
  edited(text, key, value, (document, path) => put(document, path, value));

/** The text with an element added to a list. */
export const withElement: ListEdit<unknown> = (text, key, list, element) =>
  edited(text, key, [...list, element], (document, path) => {
    if (isFilledList(document.getIn(path, true))) document.addIn(path, nodeOf(document, element));
    else put(document, path, [...list, element]);
  });

/** The text without one element of a list. */
export const withoutElement: ListEdit<number> = (text, key, list, index) =>
  edited(text, key, list.toSpliced(index, 1), (document, path) => {
    if (list.length > 1) document.deleteIn([...path, index]);
    else put(document, path, []);
  });

/** The text with another value in one of the objects of a list. */
export const withInElement = (
  text: string,
  key: string,
  list: readonly unknown[],
  index: number,
  inner: string,
  value: unknown,
): EditResult => {
  const keys = inner.split(".");
  const wanted = list.map((each, place) => (place === index ? withPath(each, keys, value) : each));
  return edited(text, key, wanted, (document, path) => put(document, [...path, index, ...keys], value));
};

const isFilledList = (node: unknown): boolean => isSeq(node) && node.items.length > 0;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function withPath(before: unknown, [name = "", ...rest]: readonly string[], value: unknown): unknown {
  const inner: unknown = isObject(before) ? Reflect.get(before, name) : undefined;
  return {
    ...(isObject(before) && before),
    [name]: rest.length === 0 ? value : withPath(inner, rest, value),
  };
}

/** How a document is written: long lines stay. */
const STYLE = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  flowCollectionPadding: false,
} as const;

const BOM = "\uFEFF";

/** Edits a text, and checks that only this value has changed. */
function edited(
  text: string,
  key: string,
  value: unknown,
  edit: (document: Document, path: Path) => void,
): EditResult {
  const before = readFileValues(text);
  const { document, faults } = parseYaml(text.replace(BOM, "").replaceAll("\r\n", "\n"));
  if (faults.length > 0) return { faults: before.faults };
  const wanted = [new Map(before.values).set(key, value), before.faults];
  const isMade = () => {
    edit(document, pathOf(document.contents, key) ?? pathOfNew(document, key));
    return true;
  };
  const after = isEditable(document) && isMade() ? written(document, text) : text;
  const { values, faults: left } = readFileValues(after);
  if (isDeepStrictEqual([values, left], wanted)) return { text: after };
  return { faults: [`${key}: this file's formatting cannot be changed automatically: edit it by hand`] };
}

const isEditable = ({ contents }: Document): boolean =>
  contents === null || isMap(contents) || (isScalar(contents) && contents.value === null);

function written(document: Document, before: string): string {
  const made = document.toString(STYLE).replaceAll("\n", lineEndOf(before));
  return before.startsWith(BOM) ? BOM + made : made;
}

/** Path of a key, whose parts may be nested or written as one with dots. */
function pathOf(node: unknown, key: string): string[] | undefined {
  if (!isMap(node)) return undefined;
  for (const { key: name, value } of node.items) {
    const keyText = isScalar(name) ? String(name.value) : "";
    if (keyText === key) return [keyText];
    const rest = key.startsWith(`${keyText}.`) ? pathOf(value, key.slice(keyText.length + 1)) : undefined;
    if (rest !== undefined) return [keyText, ...rest];
  }
  return undefined;
}

/** Path of a new key: at the end of its section, or of the file. */
function pathOfNew(document: Document, key: string): string[] {
  const dot = key.lastIndexOf(".");
  const section = pathOf(document.contents, key.slice(0, dot));
  return section !== undefined && isMap(document.getIn(section)) ? [...section, key.slice(dot + 1)] : [key];
}

/** Puts a value in its place. The comments around it stay. */
function put(document: Document, path: Path, value: unknown): void {
  const [old, node] = [document.getIn(path, true), nodeOf(document, value)];
  if (isScalar(old) && isScalar(node)) {
    Object.assign(old, { value: node.value, type: node.type, source: undefined });
    return;
  }
  if (isNode(old)) Object.assign(node, { comment: old.comment, commentBefore: old.commentBefore });
  if (!isMap(document.contents)) document.contents = document.createNode({}) as Document["contents"];
  document.setIn(path, node);
}

/** A node for a value: a list of objects on several lines, every other list on one. */
function nodeOf(document: Document, value: unknown): Node {
  const node = document.createNode(value);
  visit(node, {
    Seq: (_at, list) => {
      list.flow = !list.items.some(isMap);
    },
    Scalar: (at, scalar) => {
      if (typeof scalar.value === "string" && at !== "key")
        scalar.type = inYaml(scalar.value) === scalar.value ? Scalar.PLAIN : Scalar.QUOTE_DOUBLE;
    },
  });
  return node;
}
