import type { Result } from "./result.ts";

/**
 * Run-time checks of messages. A guard returns undefined for a valid value, or the path of the first mistake and what was expected
 * there. Guards are built once, when a module loads; a passing check allocates nothing, since it runs on the game tick.
 */
export interface Guard<T> {
  (value: unknown, path?: string): string | undefined;
  /** never set; carries the type */
  readonly checked?: T;
}

/** The type that a guard checks for. */
export type Infer<G> = G extends Guard<infer T> ? T : never;

/** The value with the guard's type, or the path of the first mistake and what was expected there. */
export function check<T>(guard: Guard<T>, value: unknown): Result<T> {
  const fault = guard(value);
  return fault === undefined ? { value: value as T } : { fault };
}

/** Parses and checks JSON. Invalid JSON counts as undefined. */
export function checkJson<T>(guard: Guard<T>, json: string): Result<T> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  return check(guard, value);
}

const fault = (path: string, expected: string): string => `${path}: expected ${expected}`;

/** A string of at least `min` and at most `max` UTF-16 code units. */
export function text(max: number, min = 0): Guard<string> {
  const expected = min > 0 ? `text of ${min} to ${max} characters` : `text of at most ${max} characters`;
  return (value, path = "body") =>
    typeof value === "string" && value.length >= min && value.length <= max
      ? undefined
      : fault(path, expected);
}

/** A whole number from `min` to `max`. */
export function int(min: number, max: number): Guard<number> {
  const expected = `a whole number from ${min} to ${max}`;
  return (value, path = "body") =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
      ? undefined
      : fault(path, expected);
}

/** A number of things, or a time in milliseconds since 1970. */
export const count = int(0, Number.MAX_SAFE_INTEGER);

/** A finite number from `min` to `max`. */
export function num(min: number, max: number): Guard<number> {
  const expected = `a number from ${min} to ${max}`;
  return (value, path = "body") =>
    typeof value === "number" && value >= min && value <= max ? undefined : fault(path, expected);
}

export const bool: Guard<boolean> = (value, path = "body") =>
  typeof value === "boolean" ? undefined : fault(path, "true or false");

/** Any value: it is checked elsewhere, or not at all. */
export const anything: Guard<unknown> = () => undefined;

/** Exactly one of the given strings. */
export function oneOf<const T extends string>(...values: T[]): Guard<T> {
  const expected = values.length === 1 ? `"${values[0]}"` : `one of ${values.join(", ")}`;
  return (value, path = "body") => (values.includes(value as T) ? undefined : fault(path, expected));
}

/** An array of at most `max` elements. */
export function list<T>(element: Guard<T>, max: number): Guard<T[]> {
  const expected = `a list of at most ${max}`;
  return (value, path = "body") => {
    if (!Array.isArray(value) || value.length > max) return fault(path, expected);
    for (let i = 0; i < value.length; i++) {
      // The path is built only when an element has failed without one.
      if (element(value[i], "") !== undefined) return element(value[i], `${path}[${i}]`);
    }
    return undefined;
  };
}

/** A property that may be missing. */
export function optional<T>(guard: Guard<T>): Guard<T | undefined> {
  return (value, path) => (value === undefined ? undefined : guard(value, path));
}

/** Whether a value is an object other than an array or null. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Shape = Record<string, Guard<never> | Guard<unknown>>;
type OptionalKeys<S> = { [K in keyof S]: undefined extends Infer<S[K]> ? K : never }[keyof S];
type Flat<T> = { [K in keyof T]: T[K] };
type FromShape<S> = Flat<
  { [K in Exclude<keyof S, OptionalKeys<S>>]: Infer<S[K]> } & {
    [K in OptionalKeys<S>]?: Exclude<Infer<S[K]>, undefined>;
  }
>;

/** An object with at least these properties; others are ignored. */
export function object<S extends Shape>(shape: S): Guard<FromShape<S>> {
  const keys = Object.keys(shape);
  return (value, path = "body") => {
    if (!isObject(value)) return fault(path, "an object");
    // In the game's engine an iterator costs more than most guards.
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const guard = shape[key] as Guard<unknown>;
      const property = value[key];
      if (guard(property, "") !== undefined) return guard(property, `${path}.${key}`);
    }
    return undefined;
  };
}

/** An object of at most `max` properties with any names, all of one kind. */
export function record<T>(property: Guard<T>, max: number): Guard<Record<string, T>> {
  return (value, path = "body") => {
    if (!isObject(value)) return fault(path, "an object");
    const keys = Object.keys(value);
    if (keys.length > max) return fault(path, `at most ${max} properties`);
    for (const key of keys) {
      const one = value[key];
      if (property(one, "") !== undefined) return property(one, `${path}.${key}`);
    }
    return undefined;
  };
}

/** One of several objects, chosen by the string in the property `tag`; only that one's guard is tried. */
export function tagged<K extends string, A extends Record<string, Guard<never> | Guard<unknown>>>(
  tag: K,
  arms: A,
): Guard<{ [N in keyof A & string]: Flat<Record<K, N> & Infer<A[N]>> }[keyof A & string]> {
  const names = Object.keys(arms);
  const expected = `one of ${names.join(", ")}`;
  const table = new Map(names.map(name => [name, arms[name] as Guard<unknown>]));
  return (value, path = "body") => {
    if (!isObject(value)) return fault(path, "an object");
    const arm = table.get(value[tag] as string);
    return arm === undefined ? fault(`${path}.${tag}`, expected) : arm(value, path);
  };
}
