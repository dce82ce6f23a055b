import { type Document, isPair, isScalar, isSeq, Scalar, visit, type YAMLParseError } from "yaml";
import { SETTINGS_BY_PATH } from "./settings.ts";

/** A mistake in a text and how to fix it, without any part of a value, since that may be a secret. */
export interface Mistake {
  /** offset in the text */
  at: number;
  what: string;
}

const QUOTES = "put quotes around the whole value";

/** An error of the YAML parser, in words for people who do not know YAML. */
export function mistakeOf(error: YAMLParseError, text: string, document: Document.Parsed): Mistake {
  const [at] = error.pos;
  if (error.code !== "DUPLICATE_KEY" && error.code !== "TAB_AS_INDENT") {
    const open = openQuote(error, text, document);
    if (open !== undefined)
      return { at: open, what: "this quote is not closed: expected another at the end of the value" };
  }
  if (error.code === "BLOCK_AS_IMPLICIT_KEY" && !/:([ \t]|$)|^[?]/m.test(lineFrom(text, at)))
    return { at: at + (/^[^\n]*\n(?:\s*\n)*/.exec(text.slice(at))?.[0].length ?? 0), what: INDENT };
  const what = wordsOf(error, text);
  const comment = what === OPEN ? commentBefore(text, at) : undefined;
  return comment === undefined
    ? { at, what }
    : { at: comment, what: `# starts a comment, which takes in the ] or }: ${QUOTES}` };
}

/** Where a comment begins within brackets, on the last line before a place. */
function commentBefore(text: string, at: number): number | undefined {
  const before = text.slice(0, at).trimEnd();
  const start = before.lastIndexOf("\n") + 1;
  const place = before.slice(start).search(/[ \t]#\S/);
  return place >= 0 && /[[{]/.test(before.slice(start, start + place)) ? start + place + 1 : undefined;
}

const OPEN = "a [ or { above is not closed: expected ] or }";
const INDENT = "not indented like the keys next to it: expected the same column";

function wordsOf({ code, message, pos: [at] }: YAMLParseError, text: string): string {
  const sign = text.charAt(at);
  switch (code) {
    case "DUPLICATE_KEY":
      return "a key that is given twice: expected once";
    case "TAB_AS_INDENT":
      return "a tab: expected spaces";
    case "BAD_SCALAR_START":
    case "BAD_ALIAS":
      return `a value that begins with ${sign}: ${QUOTES}`;
    case "BAD_DQ_ESCAPE":
      return "a backslash in double quotes: put single quotes around the value instead";
    case "BLOCK_AS_IMPLICIT_KEY":
      return `a value with a colon and a space in it: ${QUOTES}`;
    case "MULTILINE_IMPLICIT_KEY":
      return withoutKey(text, at);
    case "BLOCK_IN_FLOW":
      return OPEN;
    case "BAD_INDENT":
      return isOpen(message) ? OPEN : INDENT;
    case "MISSING_CHAR":
      if (isOpen(message)) return OPEN;
      if (message.startsWith("Implicit map keys")) return withoutKey(text, at);
      if (message.startsWith("Sequence item")) return `${INDENT}, or a dash in front of a list item`;
      if (message.startsWith("Missing directives-end")) return `a line above begins with %: ${QUOTES}`;
      return sign === "#"
        ? `a # without a space before it: ${QUOTES}, or write a space before a comment`
        : "expected a comma before this";
    case "UNEXPECTED_TOKEN":
      if (/[\]}]/.test(sign)) return `a ${sign} that closes nothing: remove it`;
      if (sign === "-") return `a dash after a key: ${QUOTES}, or write the list on the lines below`;
      return `text after the end of a value in quotes or brackets, or after | or >: ${QUOTES}`;
    default:
      return "this is not YAML: expected a key, a colon, a space and a value";
  }
}

const isOpen = (message: string): boolean => /^Flow |end with|must end/.test(message);

/** A line where a key is expected. */
function withoutKey(text: string, at: number): string {
  const line = lineFrom(text, at);
  if (/^["']?[\w.-]+["']?:\S/.test(line)) return "no space after the colon of a key: expected one";
  if (/^[\w.-]+\s*=/.test(line)) return "an = after the key: expected a colon and a space";
  if (/^(\/|;)/.test(line)) return "expected a # in front of a comment";
  return "no colon after the key: expected a key, a colon, a space and a value";
}

/** The rest of a line. */
export const lineFrom = (text: string, at: number): string => /[^\r\n]*/.exec(text.slice(at))?.[0] ?? "";

/** Offset of a quote that is not closed, or is closed on another line, so that the rest cannot be parsed. */
function openQuote({ message, pos: [at] }: YAMLParseError, text: string, document: Document.Parsed) {
  const isMissing = message.startsWith("Missing closing");
  let found: number | undefined;
  visit(document, (_key, node) => {
    if (!isScalar(node) || !(node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE)) return;
    const [start, end] = node.range ?? [at, at];
    const isBefore = start < at && end <= at && !text.slice(end, at).includes("\n");
    if (isBefore && (isMissing || text.slice(start, end).includes("\n"))) found = start;
  });
  return found;
}

/** Quotes of word processors. */
const CURLY = /^[\u2018-\u201f].*[\u2018-\u201f]$/u;
/** Blanks that look like spaces and are none in YAML. */
const ODD_BLANK = /^[^\S ]|^[\u200b-\u200d\u2060\ufeff]/u;
const YAML_TAG = "tag:yaml.org,2002:";

interface MisreadValues {
  faults: Mistake[];
  warnings: Mistake[];
}

/** Values that YAML misinterprets: as comments, anchors or tags, or with curly quotes. */
export function misreadValues(document: Document.Parsed, text: string): MisreadValues {
  const found: MisreadValues = { faults: [], warnings: [] };
  const fault = (at: number, what: string): void => void found.faults.push({ at, what });
  const named = new Map<string, number>();
  const used = new Set<string>();
  const startOf = (node: { range?: readonly number[] | null }): number => node.range?.[0] ?? 0;
  visit(document, {
    Alias(_key, node) {
      used.add(node.source);
      if (!named.has(node.source)) fault(startOf(node), `a value that begins with *: ${QUOTES}`);
    },
    Value(_key, node) {
      if (node.anchor !== undefined) named.set(node.anchor, startOf(node));
      if (node.tag !== undefined && !node.tag.startsWith(YAML_TAG))
        fault(startOf(node), `a value that begins with !: ${QUOTES}`);
      if (!isScalar(node) || node.type !== Scalar.PLAIN || typeof node.value !== "string") return;
      if (CURLY.test(node.value)) fault(startOf(node), "curly quotes: expected straight ones, \" or '");
      if (ODD_BLANK.test(node.value))
        fault(startOf(node), "a space that is not a plain one: expected plain spaces");
    },
    Pair(_key, pair, above) {
      if (!isScalar(pair.key)) return;
      const names = [...above.filter(isPair).map(({ key }) => key), pair.key];
      const at = names.map(name => (isScalar(name) ? name.value : "")).join(".");
      findComment(at, pair.key, pair.value, above.some(isSeq), text, found);
    },
  });
  for (const [name, at] of named) if (!used.has(name)) fault(at, `a value that begins with &: ${QUOTES}`);
  return found;
}

/** Finds a value, or the end of one, that YAML reads as a comment. */
function findComment(
  at: string,
  key: Scalar,
  value: unknown,
  isInList: boolean,
  text: string,
  found: MisreadValues,
) {
  const setting = SETTINGS_BY_PATH.get(at);
  if (setting === undefined && !isInList) return;
  const isTaken = (written: string): boolean =>
    setting === undefined
      ? /\.(name|title|token|secret)$/.test(at)
      : "value" in setting.read(setting.fromText?.(written) ?? written, "/");
  const behind = (end = text.length): string | undefined =>
    /^[ \t]*:?[ \t]+(#[^\s#].*?)(?=[ \t]+#|[ \t]*$)/.exec(lineFrom(text, end))?.[1];
  if (value === null || (isScalar(value) && value.value === null && value.source === "")) {
    const comment = behind(key.range?.[1]);
    if (comment === undefined || !isTaken(comment)) return;
    const example = setting !== undefined && setting.display === undefined ? `, as in "${comment}"` : "";
    found.faults.push({
      at: key.range?.[0] ?? 0,
      what: `# starts a comment, so this key has no value: ${QUOTES}${example}`,
    });
  } else if (isScalar(value) && value.type === Scalar.PLAIN && typeof value.value === "string") {
    const comment = behind(value.range?.[1]);
    if (comment === undefined || !isTaken(`${value.value} ${comment}`)) return;
    found.warnings.push({
      at: key.range?.[0] ?? 0,
      what: `the value ends before the #, which starts a comment: ${QUOTES}, or write a space after the #`,
    });
  }
}
