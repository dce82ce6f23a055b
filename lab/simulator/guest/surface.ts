import { mode, requireMode } from "./mode.ts";

interface Surface {
  readonly name: string;
  readonly prototype: object;
  readonly members: string;
  readonly others: string;
}

const surfaces: Surface[] = [];

/**
 * Declares the members of a class of the script API.
 * @param members the simulated members as `name:modes` or `name:modes/modes` (second part: the setter),
 *   where modes are the additional ones, `r` restricted and `e` early.
 * @param others members that the real class has and the simulator does not: using one throws.
 */
export function surface(name: string, type: { prototype: object }, members: string, others = ""): void {
  surfaces.push({ name, prototype: type.prototype, members, others });
}

/**
 * Adds properties to a class.
 * @param fields data for `get` and `set` beside the object, by the name of the property
 * @param set stores a written value; without it the properties are read-only
 */
export function accessors<T extends object, const F>(
  type: { prototype: T },
  fields: Readonly<Record<string, F>>,
  get: (self: T, field: F, name: string) => unknown,
  set?: (self: T, field: F, name: string, value: unknown) => void,
): void {
  for (const [name, field] of Object.entries(fields)) {
    const member: PropertyDescriptor & ThisType<T> = {
      configurable: true,
      get() {
        return get(this, field, name);
      },
    };
    if (set)
      member.set = function (this: T, value) {
        set(this, field, name, value);
      };
    Object.defineProperty(type.prototype, name, member);
  }
}

/** The only object of a class that has only values, which can always be read. `others`: as in `declare`. */
export function holder(name: string, values: Readonly<Record<string, unknown>>, others = ""): object {
  class Holder {}
  Object.defineProperty(Holder, "name", { value: name });
  accessors(Holder, values, (_, value) => value);
  surface(
    name,
    Holder,
    Object.keys(values)
      .map(key => `${key}:re`)
      .join(" "),
    others,
  );
  return new Holder();
}

/** Adds guards to every declared member and removes omitted ones. Called once at start. */
export function applySurfaces(omit: ReadonlySet<string>): void {
  for (const { name, prototype, members, others } of surfaces) {
    for (const entry of words(members)) {
      const [key = "", modes = ""] = entry.split(":");
      if (omit.has(`${name}.${key}`)) Reflect.deleteProperty(prototype, key);
      else guard(name, prototype, key, modes);
    }
    for (const key of words(others)) {
      if (!omit.has(`${name}.${key}`)) unsimulated(name, prototype, key);
    }
  }
}

/** The words of a text. */
export function words(text: string): string[] {
  return text.split(/\s+/).filter(word => word !== "");
}

function guard(name: string, prototype: object, key: string, modes: string): void {
  const [read = "", write = ""] = modes.split("/");
  const member = Object.getOwnPropertyDescriptor(prototype, key);
  if (!member) throw new Error(`simulator: ${name}.${key} is declared but missing`);
  const what = `[${name}::${key}]`;
  if (typeof member.value === "function") {
    const original: (...args: unknown[]) => unknown = member.value;
    // Two modes at most: a list of any length would cost as much time as most members.
    const value = {
      [key](this: unknown, first?: unknown, second?: unknown, third?: unknown): unknown {
        if (mode !== "normal") requireMode(read, `function ${what}`);
        return original.call(this, first, second, third);
      },
    }[key];
    Object.defineProperty(prototype, key, { configurable: true, writable: true, value });
    return;
  }
  const { get, set } = member;
  const guarded: PropertyDescriptor = {
    configurable: true,
    enumerable: true,
    get(this: unknown): unknown {
      if (mode !== "normal") requireMode(read, `property getter ${what}`);
      return get?.call(this);
    },
  };
  if (set) {
    guarded.set = function (this: unknown, value: unknown): void {
      if (mode !== "normal") requireMode(write, `property setter ${what}`);
      set.call(this, value);
    };
  }
  Object.defineProperty(prototype, key, guarded);
}

function unsimulated(name: string, prototype: object, key: string): void {
  const fail = (): never => {
    throw new Error(`simulator: ${name}.${key} is not simulated`);
  };
  Object.defineProperty(prototype, key, { configurable: true, enumerable: true, get: fail, set: fail });
}
