import type { Document } from "yaml";
import type { Result } from "../../shared/result.ts";
import { laterBuild } from "./default-file.ts";
import { isMap, typeOf } from "./kind.ts";
import { unknownKey } from "./nearest.ts";
import { SETTINGS_BY_PATH } from "./settings.ts";
import { parseYaml } from "./yaml.ts";

/** Values as the file has them, by the setting's path, and what is wrong with the file's shape. */
export interface FileValues {
  readonly values: ReadonlyMap<string, unknown>;
  readonly faults: readonly string[];
  /** what is perhaps not meant so, one line each */
  readonly warnings: readonly string[];
  /** version of the later build that has written the file; undefined: none has. What it has unknown to this one is ignored */
  readonly writtenBy: string | undefined;
}

/** So many things that are wrong with a file are told at once; who mends them sees the next. */
const MOST_FAULTS = 50;

/** Keys that have settings below them. */
const SECTIONS: ReadonlySet<string> = new Set(
  [...SETTINGS_BY_PATH.keys()].flatMap(path =>
    [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index)),
  ),
);

/** What was read last: whoever sets up a server asks for one value after the other of the same text. */
let last: { yaml: string; found: FileValues } | undefined;

/** Reads YAML into settings. Keys may be nested, or written as one with dots. A key without a value is not set. */
export function readFileValues(yaml: string): FileValues {
  if (last?.yaml !== yaml) last = { yaml, found: valuesIn(yaml) };
  return last.found;
}

interface FileSettings {
  values: Map<string, unknown>;
  faults: string[];
  warnings: string[];
  writtenBy: string | undefined;
}

function valuesIn(yaml: string): FileValues {
  const { document, faults, warnings } = parseYaml(yaml);
  const writtenBy = laterBuild(yaml);
  if (faults.length > 0) return { values: new Map(), faults: firstOf(faults), warnings: [], writtenBy };
  const found: FileSettings = { values: new Map(), faults: [], warnings: firstOf(warnings), writtenBy };
  const content = toPlain(document);
  if ("fault" in content) found.faults.push(content.fault);
  else if (isMap(content.value)) collect(content.value, "", found);
  else if (content.value !== null && content.value !== undefined)
    found.faults.push(`the file: ${typeOf(content.value)}: expected keys with values${SPACED}`);
  return { ...found, faults: firstOf(found.faults) };
}

const SPACED = ", each with a colon and a space after it";

/** What is said of what is unknown and nothing is refused for. `by`: version of the build that knows it. */
export const ignored = (fault: string, by?: string): string =>
  `${fault} (ignored${by === undefined ? "" : `: version ${by} has written the file`})`;

const firstOf = (faults: readonly string[]): string[] =>
  faults.length <= MOST_FAULTS
    ? [...faults]
    : [...faults.slice(0, MOST_FAULTS), "the file: more than that is wrong with it: mend this first"];

function toPlain(document: Document.Parsed): Result<unknown> {
  try {
    return { value: document.toJS() };
  } catch {
    return { fault: "the file: an alias in it cannot be resolved" };
  }
}

function collect(map: Record<string, unknown>, above: string, found: FileSettings): void {
  for (const [key, value] of Object.entries(map)) {
    if (found.faults.length > MOST_FAULTS || found.warnings.length > MOST_FAULTS) return;
    const at = above === "" ? key : `${above}.${key}`;
    if (SETTINGS_BY_PATH.has(at)) {
      if (found.values.has(at)) found.faults.push(`${at}: given twice: expected once`);
      else if (value !== null) found.values.set(at, value);
    } else if (key.includes(":"))
      // A space that is missing makes a key of a value, which may be a secret: {token:abc}.
      found.faults.push(
        `${above || "the file"}: a key that is none: expected a space after the colon of a key`,
      );
    else if (!SECTIONS.has(at)) {
      const fault = unknownKey(at, [...SETTINGS_BY_PATH.keys(), ...SECTIONS]);
      if (found.writtenBy === undefined) found.faults.push(fault);
      else found.warnings.push(ignored(fault, found.writtenBy));
    } else if (isMap(value)) collect(value, at, found);
    else if (value !== null) found.faults.push(`${at}: ${typeOf(value)}: expected keys below it${SPACED}`);
  }
}
