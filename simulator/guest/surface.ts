import { mode, requireMode } from "./mode.ts";

interface Surface {
  readonly name: string;
  readonly prototype: object;
  readonly members: string;
  readonly others: string;
}

const surfaces: Surface[] = [];

/**
 * Declares what a class of the script API looks like from the pack.
 * @param members the simulated members as `name:modes` or `name:modes/modes` (second part: the setter),
 *   where modes are the additional ones, `r` restricted and `e` early.
 * @param others names the real class has and the simulator does not: touching one throws.
 */
export function surface(name: string, type: { prototype: object }, members: string, others = ""): void {
  surfaces.push({ name, prototype: type.prototype, members, others });
}

/** Puts guards on every declared member and removes the omitted ones. Called once at start. */
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

function words(text: string): string[] {
  return text.split(/\s+/).filter(word => word !== "");
}

function guard(name: string, prototype: object, key: string, modes: string): void {
  const [read = "", write = ""] = modes.split("/");
  const member = Object.getOwnPropertyDescriptor(prototype, key);
  if (!member) throw new Error(`simulator: ${name}.${key} is declared but missing`);
  const what = `[${name}::${key}]`;
  if (typeof member.value === "function") {
    const original: (...args: unknown[]) => unknown = member.value;
    const value = {
      [key](this: unknown, ...args: unknown[]): unknown {
        if (mode !== "normal") requireMode(read, `function ${what}`);
        return original.apply(this, args);
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
      requireMode(write, `property setter ${what}`);
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
