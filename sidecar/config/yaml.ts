import { Composer, type CST, type Document, Lexer, LineCounter, Parser, type YAMLParseError } from "yaml";
import { SETTINGS_BY_PATH } from "./settings.ts";
import { lineFrom, type Mistake, misreadValues, mistakeOf } from "./yaml-mistakes.ts";

/** Most lists and keys within each other; a configuration is 5 deep. */
export const MAX_LEVELS = 20;
/** Most names, values, signs, line ends and comments; a file with every key and its comment has 1,100. */
export const MAX_TOKENS = 20_000;

/** A text as YAML. Faults and warnings are one line each, without values, except a comment that was meant as one. */
interface ParsedYaml {
  document: Document.Parsed;
  faults: string[];
  /** values that may not be what was meant */
  warnings: string[];
}

/** Parses a text up to the size of a configuration: parsing time grows with the square of the content. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const composer = new Composer({ lineCounter: lines, prettyErrors: false });
  const { tokens, tooMuch } = tokensOf(text, lines);
  const [document, second] = composer.compose(tooMuch === undefined ? tokens : [], true, text.length);
  if (document === undefined) throw new RangeError("a text has a document, be it empty");
  if (tooMuch !== undefined) return { document, faults: [tooMuch], warnings: [] };
  const lineOf = ({ at, what }: Mistake): string => faultAt(lines, at, what, text);
  const faults = firstErrors(document.errors).map(error => lineOf(mistakeOf(error, text, document)));
  if (second !== undefined)
    faults.push(lineOf({ at: second.range[0], what: "a second document begins here (---): expected one" }));
  if (faults.length > 0) return { document, faults, warnings: [] };
  const misread = misreadValues(document, text);
  return { document, faults: misread.faults.map(lineOf), warnings: misread.warnings.map(lineOf) };
}

/** A fault with its place, and with the key of the line where there is one: other text there may be a secret. */
function faultAt(lines: LineCounter, at: number, what: string, text = ""): string {
  const { line, col } = lines.linePos(at);
  const start = lines.lineStarts[line - 1] ?? 0;
  const [, key = "", rest = ""] =
    /^\s*(?:- +)?["']?([a-z][a-z\d.-]{0,60})(.*)/.exec(lineFrom(text, start)) ?? [];
  const isKey =
    /^["']?:(\s|$)/.test(rest) || [...SETTINGS_BY_PATH.keys()].some(each => `.${each}`.endsWith(`.${key}`));
  return `line ${line}, column ${col}${key !== "" && isKey ? `, at ${key}` : ""}: ${what}`;
}

function tokensOf(text: string, lines: LineCounter): { tokens: CST.Token[]; tooMuch?: string } {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    tokens.push(...parser.next(lexeme));
    const isDeep = parser.stack.length > MAX_LEVELS && levelsOf(parser.stack) > MAX_LEVELS;
    if (!isDeep && ++lexemes <= MAX_TOKENS) continue;
    const what = isDeep
      ? `it is nested deeper than ${MAX_LEVELS}`
      : `it has more than ${MAX_TOKENS} names, values, signs and comments`;
    return { tokens, tooMuch: faultAt(lines, at, `${what}: expected a configuration`) };
  }
  return { tokens: [...tokens, ...parser.end()] };
}

/** The stack also has the document and a value that is being parsed. */
const levelsOf = (stack: readonly CST.Token[]): number =>
  stack.filter(({ type }) => type === "block-map" || type === "block-seq" || type === "flow-collection")
    .length;

/** Errors without those that only follow from the first one. */
function firstErrors(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const first = errors.findIndex(({ code }) => code !== "DUPLICATE_KEY");
  return errors.filter(({ code }, i) => first < 0 || i <= first || code === "TAB_AS_INDENT");
}
