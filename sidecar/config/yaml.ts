import { Composer, type CST, type Document, Lexer, LineCounter, Parser, type YAMLParseError } from "yaml";
import { SETTINGS_BY_PATH } from "./settings.ts";
import { trapsIn } from "./traps.ts";
import { inWords, lineFrom, type Trouble } from "./yaml-words.ts";

/** Most lists and keys within each other; those of a configuration are 5 deep. */
export const MOST_LEVELS = 20;
/** Most names, values, signs, line ends and comments; a file with every key and its comment has 1,100. */
export const MOST_LEXEMES = 20_000;

/** A text as YAML, and what is wrong with it, one line each: no value is in it, but for a comment that is meant as one. */
interface Parsed {
  document: Document.Parsed;
  faults: string[];
  /** what is perhaps not meant as it is written */
  warnings: string[];
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
  if (tooMuch !== undefined) return { document, faults: [tooMuch], warnings: [] };
  const told = ({ at, what }: Trouble): string => faultAt(lines, at, what, text);
  const faults = ownErrors(document.errors).map(error => told(inWords(error, text, document)));
  if (second !== undefined)
    faults.push(told({ at: second.range[0], what: "a second document begins here (---): expected one" }));
  if (faults.length > 0) return { document, faults, warnings: [] };
  const traps = trapsIn(document, text);
  return { document, faults: traps.faults.map(told), warnings: traps.warnings.map(told) };
}

/** With the key of the line, where there is one: what stands there otherwise may be a secret. */
const faultAt = (lines: LineCounter, at: number, what: string, text = ""): string => {
  const { line, col } = lines.linePos(at);
  const start = lines.lineStarts[line - 1] ?? 0;
  const [, key = "", rest = ""] =
    /^\s*(?:- +)?["']?([a-z][a-z\d.-]{0,60})(.*)/.exec(lineFrom(text, start)) ?? [];
  const isKey =
    /^["']?:(\s|$)/.test(rest) || [...SETTINGS_BY_PATH.keys()].some(each => `.${each}`.endsWith(`.${key}`));
  return `line ${line}, column ${col}${key !== "" && isKey ? `, at ${key}` : ""}: ${what}`;
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
