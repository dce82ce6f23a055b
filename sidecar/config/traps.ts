import { type Document, isPair, isScalar, isSeq, Scalar, visit } from "yaml";
import { SETTINGS_BY_PATH } from "./settings.ts";
import { lineFrom, QUOTES, type Trouble } from "./yaml-words.ts";

/** Quotes of word processors. */
const CURLY = /^[\u2018-\u201f].*[\u2018-\u201f]$/u;
/** Blanks that look like spaces, and are none to YAML. */
const ODD_BLANK = /^[^\S ]|^[\u200b-\u200d\u2060\ufeff]/u;
const OWN_TAG = "tag:yaml.org,2002:";

/** What YAML reads in another way than it is meant. */
export interface Traps {
  faults: Trouble[];
  warnings: Trouble[];
}

/** Looks for values of which YAML makes something else: comments, names, tags and text in curly quotes. */
export function trapsIn(document: Document.Parsed, text: string): Traps {
  const found: Traps = { faults: [], warnings: [] };
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
      if (node.tag !== undefined && !node.tag.startsWith(OWN_TAG))
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
      lookBehind(at, pair.key, pair.value, above.some(isSeq), text, found);
    },
  });
  for (const [name, at] of named) if (!used.has(name)) fault(at, `a value that begins with &: ${QUOTES}`);
  return found;
}

/** Looks for a value, or its end, that is a comment to YAML. */
function lookBehind(at: string, key: Scalar, value: unknown, isInList: boolean, text: string, found: Traps) {
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
    const shown = setting !== undefined && setting.shown === undefined ? `, as in "${comment}"` : "";
    found.faults.push({
      at: key.range?.[0] ?? 0,
      what: `# starts a comment, so this key has no value: ${QUOTES}${shown}`,
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
