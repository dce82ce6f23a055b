import { isObject } from "../../shared/guard.ts";
import { type Kind, type Part, type PartFault, readParts, typeOf, UNEXPECTED, unexpected } from "./kind.ts";
import { written } from "./setting.ts";
import { unknownKey } from "./unknown-key.ts";

type Fields = Record<string, Kind<unknown>>;

/** An object that was read: the values of its keys. */
export type Item<F extends Fields> = { [K in keyof F]: F[K] extends Kind<infer T> ? T : never };

interface Rules<F extends Fields> {
  /** how many objects there may be */
  max: number;
  /** keys whose value only one object may have */
  unique: readonly [keyof F & string, ...(keyof F & string)[]];
  /** the fault of an object with valid values that do not fit together: the key, and its expected value */
  check?(item: Item<F>): KeyFault<F> | undefined;
}

interface KeyFault<F extends Fields> {
  key: keyof F & string;
  expected: string;
}

const keysOf = (fields: Fields): string => Object.keys(fields).map(written).join(", ");

/** The value of a key of an object as YAML gives it; undefined: it has none. */
const valueIn = (object: unknown, key: string): unknown =>
  isObject(object) ? (object[written(key)] ?? undefined) : undefined;

// Without the space, the value becomes part of the key, and it may be a secret: {url:https://example.com}.
const isName = (name: string): boolean => /^[\w-]{1,24}$/.test(name);

/** An object within a list. A fault names its key. */
export function objectOf<F extends Fields>(fields: F): Kind<Item<F>> {
  const names = Object.keys(fields).map(written);
  const keys = keysOf(fields);
  const invalidKey = `not a valid key: expected ${keys}, each with a colon and a space after it`;
  return {
    expected: `an object with ${keys}`,
    display: typeOf,
    read: (raw, folder) => {
      if (!isObject(raw)) return UNEXPECTED;
      const unknownHere = Object.keys(raw)
        .filter(name => !names.includes(name))
        .map(name => ({ at: "", what: isName(name) ? unknownKey(name, names) : invalidKey }));
      const parts = Object.entries(fields).map(
        ([key, kind]): Part => ({ at: `.${written(key)}`, kind, raw: valueIn(raw, key) }),
      );
      const { values, faults, unknown } = readParts(parts, folder);
      const allUnknown = [...unknownHere, ...unknown];
      if (faults.length > 0) return { fault: "", parts: [...allUnknown, ...faults] };
      // Each value has the type of its key's kind.
      const value = Object.fromEntries(Object.keys(fields).map((key, i) => [key, values[i]])) as Item<F>;
      return { value, unknown: allUnknown };
    },
  };
}

/** How to write one object, or a text, as a list of objects. */
function howToWrite(raw: unknown): string {
  if (isObject(raw)) return ': write it in [ ], or "- " before its first key';
  return typeof raw === "string" && /^\s*[[{]/.test(raw) ? ": it is not valid JSON" : "";
}

/** A list of objects, in the environment as JSON. A fault names the object and its key. */
export function listOf<F extends Fields>(fields: F, { max, unique, check }: Rules<F>): Kind<Item<F>[]> {
  const object = objectOf(fields);
  const [name] = unique;
  const expected = `a list (in the environment: JSON) of at most ${max} objects with ${keysOf(fields)}`;

  /** Keys whose value an earlier object already has. Blank values do not count. */
  const repeated = (items: Item<F>[], index: number): KeyFault<F>[] =>
    unique.flatMap(key => {
      const value = items[index]?.[key];
      const first = items.findIndex(each => each[key] === value);
      return first < index && value !== ""
        ? [{ key, expected: `a value other than that of [${first}]` }]
        : [];
    });

  const faultsAmong = (list: unknown[], items: Item<F>[]): PartFault[] =>
    items.flatMap((item, index) =>
      [check?.(item), ...repeated(items, index)].flatMap(wrong => {
        const kind = wrong && fields[wrong.key];
        if (wrong === undefined || kind === undefined) return [];
        const what = unexpected(kind, valueIn(list[index], wrong.key), wrong.expected);
        return [{ at: `[${index}].${written(wrong.key)}`, what }];
      }),
    );

  /** The visible value of a key; undefined: the object has none. */
  function displayOf(item: unknown, key: string): string | undefined {
    const raw = isObject(item) ? item[written(key)] : undefined;
    return raw === undefined ? undefined : (fields[key]?.display ?? JSON.stringify)(raw);
  }

  return {
    expected,
    display: typeOf,
    items: {
      name: written(name),
      display: item => {
        const parts = Object.keys(fields).map(key => ({ key: written(key), display: displayOf(item, key) }));
        const present = parts.filter(({ display }) => display !== undefined);
        return `{${present.map(({ key, display }) => `${key}: ${display}`).join(", ")}}`;
      },
      calledBy: item => [
        ...(isObject(item) ? [String(item[written(name)])] : []),
        ...(fields[name]?.display ? [displayOf(item, name) ?? ""] : []),
      ],
    },
    read: (raw, folder) => {
      if (!Array.isArray(raw) || raw.length > max) return { fault: `${expected}${howToWrite(raw)}` };
      const parts = raw.map((each, index) => ({ at: `[${index}]`, kind: object, raw: each }));
      const { values, faults, unknown } = readParts(parts, folder);
      const wrong = faults.length > 0 ? faults : faultsAmong(raw, values);
      return wrong.length > 0 ? { fault: "", parts: [...unknown, ...wrong] } : { value: values, unknown };
    },
    fromText: text => {
      try {
        return text.trim() === "" ? [] : JSON.parse(text);
      } catch {
        return text;
      }
    },
  };
}
