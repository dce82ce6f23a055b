import { LineCounter, parseDocument, type YAMLParseError } from "yaml";
import type { Result } from "../../shared/result.ts";
import { isMap, typeOf } from "./kind.ts";
import { unknownKey } from "./nearest.ts";
import { SETTINGS_BY_PATH } from "./settings.ts";

/** Values as the file has them, by the setting's path, and what is wrong with the file's shape. */
export interface FileValues {
  values: Map<string, unknown>;
  faults: string[];
}

/** Reads YAML into settings. Keys may be nested, or written as one with dots. A key without a value is not set. */
export function readFileValues(yaml: string): FileValues {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return {
      values: new Map(),
      faults: ownErrors(document.errors).map(error => {
        const { line, col } = lines.linePos(error.pos[0]);
        // What follows a colon may quote the file, and a secret with it.
        return `line ${line}, column ${col}: ${error.message.split(/[:\n]/, 1)[0]}`;
      }),
    };
  }
  const found: FileValues = { values: new Map(), faults: [] };
  const content = toPlain(document);
  if ("fault" in content) found.faults.push(content.fault);
  else if (isMap(content.value)) collect(content.value, "", found);
  else if (content.value !== null && content.value !== undefined)
    found.faults.push(`the file: ${typeOf(content.value)}: expected keys with values`);
  return found;
}

/** Errors without those that only follow from the first one by which what comes after it is read wrongly. */
function ownErrors(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const first = errors.findIndex(({ code }) => code !== "DUPLICATE_KEY");
  return errors.filter(({ code }, i) => first < 0 || i <= first || code === "TAB_AS_INDENT");
}

function toPlain(document: ReturnType<typeof parseDocument>): Result<unknown> {
  try {
    return { value: document.toJS() };
  } catch {
    return { fault: "the file: an alias in it cannot be resolved" };
  }
}

function collect(map: Record<string, unknown>, above: string, found: FileValues): void {
  for (const [key, value] of Object.entries(map)) {
    const at = above === "" ? key : `${above}.${key}`;
    if (SETTINGS_BY_PATH.has(at)) {
      if (found.values.has(at)) found.faults.push(`${at}: given twice: expected once`);
      else if (value !== null) found.values.set(at, value);
    } else if (key.includes(":"))
      // A blank that is missing makes a key of a value, which may be a secret: {token:abc}.
      found.faults.push(
        `${above || "the file"}: a key that is none: expected a blank behind the colon of a key`,
      );
    else if (!isSection(at)) found.faults.push(unknownKey(at, [...SETTINGS_BY_PATH.keys()]));
    else if (isMap(value)) collect(value, at, found);
    else if (value !== null) found.faults.push(`${at}: ${typeOf(value)}: expected keys below it`);
  }
}

const isSection = (at: string): boolean =>
  [...SETTINGS_BY_PATH.keys()].some(each => each.startsWith(`${at}.`));
