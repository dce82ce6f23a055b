import { isMap, type Kind, type PartFault, typeOf, UNEXPECTED, unexpected } from "./kind.ts";
import { unknownKey } from "./nearest.ts";
import { written } from "./setting.ts";

type Fields = Record<string, Kind<unknown>>;

/** An object that was read: the values of its keys. */
export type Item<F extends Fields> = { [K in keyof F]: F[K] extends Kind<infer T> ? T : never };

interface Rules<F extends Fields> {
  /** how many objects there may be */
  max: number;
  /** keys whose value only one object may have */
  unique: readonly [keyof F & string, ...(keyof F & string)[]];
  /** what is wrong with an object whose values are right one by one: the key, and what is expected of it */
  check?(item: Item<F>): { key: keyof F & string; expected: string } | undefined;
}

// A space that is missing makes a key of a value, which may be a secret: {url:https://example.com}.
const isName = (name: string): boolean => /^[\w-]{1,24}$/.test(name);

/** The fault of a key of an object. */
function faultOf<F extends Fields>(
  fields: F,
  object: unknown,
  key: keyof F & string,
  reason: string,
): PartFault {
  const kind = fields[key];
  const raw = isMap(object) ? object[written(key)] : undefined;
  return { at: `.${written(key)}`, what: kind ? unexpected(kind, raw ?? undefined, reason) : reason };
}

/** An object within a list. A fault names its key. */
export function objectOf<F extends Fields>(fields: F): Kind<Item<F>> {
  const names = Object.keys(fields).map(written);
  const keys = names.join(", ");
  const strange = `a key that is none: expected ${keys}, each with a colon and a space after it`;
  return {
    expected: `an object with ${keys}`,
    shown: typeOf,
    read: (raw, folder) => {
      if (!isMap(raw)) return UNEXPECTED;
      const parts: PartFault[] = [];
      const unknown: PartFault[] = Object.keys(raw)
        .filter(name => !names.includes(name))
        .map(name => ({ at: "", what: isName(name) ? unknownKey(name, names) : strange }));
      // Each key has what its own kind has read.
      const value = Object.fromEntries(
        Object.entries(fields).map(([key, kind]) => {
          const result = kind.read(raw[written(key)] ?? undefined, folder);
          const below = ({ at, what }: PartFault): PartFault => ({ at: `.${written(key)}${at}`, what });
          if ("value" in result) {
            unknown.push(...(result.unknown ?? []).map(below));
            return [key, result.value];
          }
          const whole = [faultOf(fields, raw, key, result.fault)];
          parts.push(...(result.parts?.map(below) ?? whole));
          return [key, undefined];
        }),
      ) as Item<F>;
      return parts.length > 0 ? { fault: "", parts: [...unknown, ...parts] } : { value, unknown };
    },
  };
}

/** What is missing where one object, or text, stands instead of a list of objects. */
function howToWrite(raw: unknown): string {
  if (isMap(raw)) return ': write it in [ ], or "- " before its first key';
  return typeof raw === "string" && /^\s*[[{]/.test(raw) ? ": it is not valid JSON" : "";
}

/** A list of objects, in the environment as JSON. A fault names the object and its key. */
export function listOf<F extends Fields>(fields: F, { max, unique, check }: Rules<F>): Kind<Item<F>[]> {
  const object = objectOf(fields);
  const keys = Object.keys(fields).map(written).join(", ");
  const expected = `a list (in the environment: JSON) of at most ${max} objects with ${keys}`;
  const inPlace = (index: number, { at, what }: PartFault): PartFault => ({ at: `[${index}]${at}`, what });

  function faultsAmong(list: unknown[], items: Item<F>[]): PartFault[] {
    return items.flatMap((item, index) => {
      const wrong = check?.(item);
      const doubled = unique.flatMap(key => {
        const first = items.findIndex(other => other[key] === item[key]);
        // What is left out is nobody's.
        return first < index && item[key] !== ""
          ? [{ key, expected: `another than that of [${first}]` }]
          : [];
      });
      return [...(wrong ? [wrong] : []), ...doubled].map(fault =>
        inPlace(index, faultOf(fields, list[index], fault.key, fault.expected)),
      );
    });
  }

  /** The value of a key that may be shown; undefined: the object has none. */
  function shownOf(item: unknown, key: string): string | undefined {
    const raw = isMap(item) ? item[written(key)] : undefined;
    return raw === undefined ? undefined : (fields[key]?.shown ?? JSON.stringify)(raw);
  }

  const [name] = unique;
  return {
    expected,
    shown: typeOf,
    items: {
      name: written(name),
      shown: item => {
        const parts = Object.keys(fields).map(key => ({ key: written(key), shown: shownOf(item, key) }));
        const held = parts.filter(({ shown }) => shown !== undefined);
        return `{${held.map(({ key, shown }) => `${key}: ${shown}`).join(", ")}}`;
      },
      calledBy: item => [
        ...(isMap(item) ? [String(item[written(name)])] : []),
        ...(fields[name]?.shown ? [shownOf(item, name) ?? ""] : []),
      ],
    },
    read: (raw, folder) => {
      if (!Array.isArray(raw) || raw.length > max) return { fault: `${expected}${howToWrite(raw)}` };
      const faults: PartFault[] = [];
      const unknown: PartFault[] = [];
      const items = raw.flatMap((each, index) => {
        const result = object.read(each, folder);
        if ("value" in result) {
          unknown.push(...(result.unknown ?? []).map(part => inPlace(index, part)));
          return [result.value];
        }
        const whole = [{ at: "", what: unexpected(object, each) }];
        for (const part of result.parts ?? whole) faults.push(inPlace(index, part));
        return [];
      });
      const parts = faults.length > 0 ? faults : faultsAmong(raw, items);
      return parts.length > 0 ? { fault: "", parts: [...unknown, ...parts] } : { value: items, unknown };
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
