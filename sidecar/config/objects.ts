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

/** A list of objects, in the environment as JSON. A fault names the object and its key. */
export function listOf<F extends Fields>(fields: F, { max, unique, check }: Rules<F>): Kind<Item<F>[]> {
  const names = Object.keys(fields).map(written);
  const keys = names.join(", ");
  // A blank that is missing makes a key of a value, which may be a secret: {url:https://example.com}.
  const isName = (name: string): boolean => /^[\w-]{1,24}$/.test(name);
  const strange = `a key that is none: expected ${keys}, each with a colon and a blank behind it`;
  const expected = `a list (in the environment: JSON) of at most ${max} objects with ${keys}`;

  /** The fault of a key of the object in this place. */
  function faultOf(list: unknown[], index: number, key: keyof F & string, reason: string): PartFault {
    const [kind, object] = [fields[key], list[index]];
    const raw = isMap(object) ? object[written(key)] : undefined;
    const what = kind === undefined ? reason : unexpected(kind, raw ?? undefined, reason);
    return { at: `[${index}].${written(key)}`, what };
  }

  /** Adds what is wrong with the object in this place to `faults`. */
  function readItem(list: unknown[], index: number, folder: string, faults: PartFault[]): Item<F> {
    const object = list[index];
    const at = `[${index}]`;
    if (!isMap(object)) faults.push({ at, what: `${typeOf(object)}: expected an object with ${keys}` });
    const given = isMap(object) ? object : {};
    for (const name of Object.keys(given))
      if (!names.includes(name)) faults.push({ at, what: isName(name) ? unknownKey(name, names) : strange });
    // Each key has what its own kind has read.
    return Object.fromEntries(
      Object.entries(fields).map(([key, kind]) => {
        const result = kind.read(given[written(key)] ?? undefined, folder);
        if ("value" in result) return [key, result.value];
        if (isMap(object)) faults.push(faultOf(list, index, key, result.fault));
        return [key, undefined];
      }),
    ) as Item<F>;
  }

  function faultsAmong(list: unknown[], items: Item<F>[]): PartFault[] {
    return items.flatMap((item, index) => {
      const wrong = check?.(item);
      const doubled = unique.flatMap(key => {
        const first = items.findIndex(other => other[key] === item[key]);
        return first < index ? [{ key, expected: `another than that of [${first}]` }] : [];
      });
      return [...(wrong ? [wrong] : []), ...doubled].map(fault =>
        faultOf(list, index, fault.key, fault.expected),
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
      if (!Array.isArray(raw) || raw.length > max) return UNEXPECTED;
      const faults: PartFault[] = [];
      const items = raw.map((_each, index) => readItem(raw, index, folder, faults));
      const parts = faults.length > 0 ? faults : faultsAmong(raw, items);
      return parts.length > 0 ? { fault: "", parts } : { value: items };
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
