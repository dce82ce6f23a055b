import { type Document, isScalar, Scalar, visit, type YAMLParseError } from "yaml";

/** What is wrong in a text and what to write there. Nothing of a value is in it, which may be a secret. */
export interface Trouble {
  /** offset in the text */
  at: number;
  what: string;
}

export const QUOTES = "put quotes around the whole value";

/** What the reader of YAML says, for people who do not know its words. */
export function inWords(error: YAMLParseError, text: string, document: Document.Parsed): Trouble {
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

/** Where a comment begins within brackets on the last line before a place; undefined: there is none. */
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
  return "no key with a colon: expected a key, a colon, a space and a value";
}

/** The rest of a line. */
export const lineFrom = (text: string, at: number): string => /[^\r\n]*/.exec(text.slice(at))?.[0] ?? "";

/** Where a quote begins that is not closed, or in another line only, which is why what follows cannot be read. */
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
