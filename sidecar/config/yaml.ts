import { Composer, type CST, type Document, Lexer, LineCounter, Parser, type YAMLParseError } from "yaml";

/** Most lists and keys within each other; those of a configuration are 5 deep. */
export const MOST_LEVELS = 20;
/** Most names, values, signs, line ends and comments; a file with every key and its comment has 1,100. */
export const MOST_LEXEMES = 20_000;

/** A text as YAML, and what is wrong with it, one line each: nothing of the text is in it. */
interface Parsed {
  document: Document.Parsed;
  faults: string[];
}

/**
 * Reads a text as YAML, as far as one can be a configuration: the time it takes grows with the square of how much is in it.
 * @param options `keepSourceTokens`: for those who edit the text
 */
export function parseYaml(text: string, options: { keepSourceTokens?: boolean } = {}): Parsed {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const composer = new Composer({ ...options, lineCounter: lines, prettyErrors: false });
  const { tokens, tooMuch } = tokensOf(text, lines);
  // What is too much is not looked at further.
  const [document, second] = composer.compose(tooMuch === undefined ? tokens : [], true, text.length);
  if (document === undefined) throw new RangeError("a text has a document, be it empty");
  if (tooMuch !== undefined) return { document, faults: [tooMuch] };
  const faults = ownErrors(document.errors).map(({ pos: [at], message }) => {
    // What follows a colon may quote the file, and a secret with it.
    return faultAt(lines, at, message.split(/[:\n]/, 1)[0] ?? "");
  });
  if (second !== undefined)
    faults.push(faultAt(lines, second.range[0], "Source contains multiple documents: expected one"));
  return { document, faults };
}

const faultAt = (lines: LineCounter, at: number, what: string): string => {
  const { line, col } = lines.linePos(at);
  return `line ${line}, column ${col}: ${what}`;
};

function tokensOf(text: string, lines: LineCounter): { tokens: CST.Token[]; tooMuch?: string } {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    for (const token of parser.next(lexeme)) tokens.push(token);
    const isDeep = parser.stack.length > MOST_LEVELS && levelsOf(parser.stack) > MOST_LEVELS;
    if (!isDeep && ++lexemes <= MOST_LEXEMES) continue;
    const what = isDeep
      ? `it is nested deeper than ${MOST_LEVELS}`
      : `it holds more than ${MOST_LEXEMES} names, values, signs and comments`;
    return { tokens, tooMuch: faultAt(lines, at, `${what}: expected a configuration`) };
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens };
}

/** Besides them, the document and a value may be under way. */
const levelsOf = (stack: readonly CST.Token[]): number =>
  stack.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection")
    .length;

/** Errors without those that only follow from the first one by which what comes after it is read wrongly. */
function ownErrors(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const first = errors.findIndex(({ code }) => code !== "DUPLICATE_KEY");
  return errors.filter(({ code }, i) => first < 0 || i <= first || code === "TAB_AS_INDENT");
}
