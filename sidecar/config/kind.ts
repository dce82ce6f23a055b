import { parseDuration } from "../../shared/duration.ts";
import { isObject } from "../../shared/guard.ts";

/** The fault of a part of a value: its path below the value, such as `[1].secret`, and the rest of the line. */
export interface PartFault {
  at: string;
  what: string;
}

/**
 * A value, or why it is not valid: in words that complete "expected ...", or for each of `parts`.
 * `unknown`: keys in it that no kind knows.
 */
type Reading<T> = { value: T; unknown?: PartFault[] } | { fault: string; parts?: PartFault[] };

/** The type of a setting. It reads a value as YAML gives it, and the text of an environment variable. */
export interface Kind<T> {
  /** completes "expected ..." */
  expected: string;
  /**
   * The value in the form of `Config`, or why it is not valid; an empty reason stands for `expected`.
   * @param folder the folder that relative paths count from
   */
  read(raw: unknown, folder: string): Reading<T>;
  /** Converts the text of an environment variable to the form that `read` takes, if that is not a text. */
  fromText?(text: string): unknown;
  /** The part of a value that a fault may show, if not all of it. */
  display?(raw: unknown): string;
  /** of a list of objects */
  items?: Items;
  /** whether the value is the path of a file or a folder */
  isPath?: boolean;
}

/** Objects in a list, as YAML gives them. */
interface Items {
  /** key that identifies an object */
  name: string;
  /** the object without its secrets, on one line */
  display(item: unknown): string;
  /** values by which an owner may name an object: that of this key, and its visible part */
  calledBy(item: unknown): string[];
}

/** Printed instead of a secret. */
export const hidden = (): string => "(hidden)";

/** The end of a fault's line: the value and the expected one. */
export function unexpected(kind: Kind<unknown>, raw: unknown, reason = ""): string {
  const display = kind.display ?? (value => clipped(JSON.stringify(value) ?? String(value)));
  const expected = reason === "" ? kind.expected : reason;
  return `${raw === undefined ? "missing" : display(raw)}: expected ${expected}${otherwise(kind, raw)}`;
}

/** How to write a value that YAML reads as another type. */
function otherwise(kind: Kind<unknown>, raw: unknown): string {
  const fits = (value: unknown): boolean => "value" in kind.read(value, "/");
  if (typeof raw === "number" || typeof raw === "boolean")
    return fits(String(raw)) ? ": put quotes around it" : "";
  if (Array.isArray(raw))
    return raw.every(each => typeof each !== "object") && fits(raw.map(String))
      ? ": put quotes around each"
      : "";
  if (typeof raw === "string" && /^-\S/.test(raw) && Array.isArray(kind.fromText?.(raw)))
    return ": write a space after each dash";
  const meant = typeof raw === "string" ? kind.fromText?.(raw) : undefined;
  if (meant === undefined || meant === raw || !fits(meant)) return "";
  return Array.isArray(meant) ? ": write it as a list, in [ ]" : ": write it without quotes";
}

/** A part of a value, such as one element of a list. `at`: where below the value. */
export interface Part<T = unknown> {
  at: string;
  kind: Kind<T>;
  raw: unknown;
}

/**
 * Reads the parts of a value, each by its own kind.
 * @returns the values, valid only if there are no `faults`; `unknown`: keys that no kind knows
 */
export function readParts<T>(
  parts: readonly Part<T>[],
  folder: string,
): { values: T[]; faults: PartFault[]; unknown: PartFault[] } {
  const [values, faults, unknown]: [T[], PartFault[], PartFault[]] = [[], [], []];
  for (const { at, kind, raw } of parts) {
    const here = (below: PartFault): PartFault => ({ ...below, at: `${at}${below.at}` });
    const read = kind.read(raw, folder);
    if ("value" in read) {
      values.push(read.value);
      unknown.push(...(read.unknown ?? []).map(here));
    } else faults.push(...(read.parts ?? [{ at: "", what: unexpected(kind, raw, read.fault) }]).map(here));
  }
  return { values, faults, unknown };
}

const clipped = (text: string): string => (text.length <= 120 ? text : `${text.slice(0, 120)}...`);

/** The type of a value, without the value, since a value in the wrong place may be a secret. */
export const typeOf = (value: unknown): string =>
  value === null
    ? "nothing"
    : Array.isArray(value)
      ? "a list"
      : isObject(value)
        ? "an object"
        : `a ${typeof value}`;

/** The fault where `expected` says it all. */
export const UNEXPECTED = { fault: "" };

/** Text that passes a check. */
export function text(expected: string, passes: (value: string) => boolean): Kind<string> {
  return {
    expected,
    read: raw => (typeof raw === "string" && passes(raw) ? { value: raw } : UNEXPECTED),
  };
}

/** A whole number from `min` to `max`. */
export function int(min: number, max: number): Kind<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    read: raw =>
      typeof raw === "number" && Number.isInteger(raw) && raw >= min && raw <= max
        ? { value: raw }
        : UNEXPECTED,
    fromText: written => (/^-?\d+$/.test(written.trim()) ? Number(written) : written),
  };
}

export const bool: Kind<boolean> = {
  expected: "true or false",
  read: raw => (typeof raw === "boolean" ? { value: raw } : UNEXPECTED),
  fromText: written => {
    const value = written.trim();
    return value === "true" || value === "false" ? value === "true" : written;
  },
};

/** Exactly one of the given strings. */
export function oneOf<const T extends string>(...values: T[]): Kind<T> {
  return {
    expected: values.length === 1 ? `"${values[0]}"` : `one of ${values.join(", ")}`,
    read: raw => {
      const value = values.find(each => each === raw);
      return value === undefined ? UNEXPECTED : { value };
    },
  };
}

/** At least one of the given strings. */
export function someOf<const T extends string>(...values: T[]): Kind<T[]> {
  return {
    expected: `a list of at least one of ${values.join(", ")}`,
    read: raw => {
      if (!Array.isArray(raw) || raw.length === 0) return UNEXPECTED;
      if (raw.some(each => !values.includes(each))) return UNEXPECTED;
      return { value: values.filter(each => raw.includes(each)) };
    },
  };
}

/** A kind that may be left out; its value is `standard` then. */
export const orElse = <T, S>(kind: Kind<T>, standard: S): Kind<T | S> => ({
  ...kind,
  read: (raw, folder) => (raw === undefined ? { value: standard } : kind.read(raw, folder)),
});

/** A duration from `min` to `max`, read in milliseconds. `whole`: of whole seconds. */
export function duration(min: string, max: string, whole?: "whole seconds"): Kind<number> {
  const [least = 0, most = 0] = [parseDuration(min), parseDuration(max)];
  const form = "written like 500ms, 20s, 2m, 12h or 30d";
  return {
    expected: `a duration from ${min} to ${max}, ${form}${whole ? " and no fraction of a second" : ""}`,
    read: raw => {
      const value = parseDuration(raw);
      if (value === undefined || value < least || value > most) return UNEXPECTED;
      return whole && value % 1000 !== 0 ? UNEXPECTED : { value };
    },
  };
}

/** A list in a variable: with commas, or as JSON. */
export function listText(written: string): unknown {
  try {
    const value: unknown = JSON.parse(written);
    if (Array.isArray(value)) return value;
  } catch {
    // It is with commas.
  }
  return commaList(written);
}

/** The parts of a list written with commas. */
export function commaList(written: string): string[] {
  return written
    .split(",")
    .map(part => part.trim())
    .filter(part => part !== "");
}
