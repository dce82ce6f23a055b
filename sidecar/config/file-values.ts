import type { Document } from "yaml";
import { isObject } from "../../shared/guard.ts";
import type { Result } from "../../shared/result.ts";
import { laterBuild } from "./default-file.ts";
import { typeOf } from "./kind.ts";
import { SETTINGS_BY_PATH } from "./settings.ts";
import { unknownKey } from "./unknown-key.ts";
import { parseYaml } from "./yaml.ts";

/** What a configuration file says. Faults and warnings are one line each. */
export interface FileValues {
  /** as the file has them, by the paths of settings */
  readonly values: ReadonlyMap<string, unknown>;
  /** faults of the file's syntax and keys */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  /** version of the later build that wrote the file, whose unknown keys are ignored; undefined: none */
  readonly writtenBy: string | undefined;
}

/** Most faults that are reported at once. */
const MAX_FAULTS = 50;

const SPACED = ", each with a colon and a space after it";

/** Keys that have settings below them. */
const SECTIONS: ReadonlySet<string> = new Set(
  [...SETTINGS_BY_PATH.keys()].flatMap(path =>
    [...path.matchAll(/\./g)].map(({ index }) => path.slice(0, index)),
  ),
);

/** The last result: setup reads one value after the other of one text. */
let last: { yaml: string; found: FileValues } | undefined;

/** Reads YAML into settings. Keys may be nested, or written as one with dots. A key without a value is not set. */
export function readFileValues(yaml: string): FileValues {
  if (last?.yaml !== yaml) last = { yaml, found: valuesIn(yaml) };
  return last.found;
}

function valuesIn(yaml: string): FileValues {
  const { document, faults, warnings } = parseYaml(yaml);
  const found = { values: new Map<string, unknown>(), faults, warnings: clipped(warnings) };
  const writtenBy = laterBuild(yaml);
  if (faults.length === 0) {
    const content = toPlain(document);
    if ("fault" in content) faults.push(content.fault);
    else if (isObject(content.value)) collect(content.value, "", { ...found, writtenBy });
    else if (content.value !== null && content.value !== undefined)
      faults.push(`the file: ${typeOf(content.value)}: expected keys with values${SPACED}`);
  }
  return { ...found, faults: clipped(faults), writtenBy };
}

const clipped = (faults: readonly string[]): string[] =>
  faults.length <= MAX_FAULTS
    ? [...faults]
    : [...faults.slice(0, MAX_FAULTS), "the file: it has more mistakes: fix these first"];

function toPlain(document: Document.Parsed): Result<unknown> {
  try {
    return { value: document.toJS() };
  } catch {
    return { fault: "the file: it has an alias that cannot be resolved" };
  }
}

interface CollectedValues {
  values: Map<string, unknown>;
  faults: string[];
  warnings: string[];
  writtenBy: string | undefined;
}

function collect(map: Record<string, unknown>, above: string, found: CollectedValues): void {
  const { values, faults, warnings, writtenBy } = found;
  for (const [key, value] of Object.entries(map)) {
    if (faults.length > MAX_FAULTS || warnings.length > MAX_FAULTS) return;
    const at = above === "" ? key : `${above}.${key}`;
    if (SETTINGS_BY_PATH.has(at)) {
      if (values.has(at)) faults.push(`${at}: given twice: expected once`);
      else if (value !== null) values.set(at, value);
    } else if (key.includes(":"))
      // Without the space, the value becomes part of the key, and it may be a secret: {token:abc}.
      faults.push(`${above || "the file"}: not a valid key: expected a space after the colon`);
    else if (!SECTIONS.has(at)) {
      const fault = unknownKey(at, [...SETTINGS_BY_PATH.keys(), ...SECTIONS]);
      if (writtenBy === undefined) faults.push(fault);
      else warnings.push(ignored(fault, writtenBy));
    } else if (isObject(value)) collect(value, at, found);
    else if (value !== null) faults.push(`${at}: ${typeOf(value)}: expected keys below it${SPACED}`);
  }
}

/** The warning of an unknown name that is ignored. `by`: version of the build that knows it. */
export const ignored = (fault: string, by?: string): string =>
  `${fault} (ignored${by === undefined ? "" : `: the file was written by version ${by}`})`;
