import { boot, host } from "./bridge.ts";
import { ArgumentOutOfBoundsError } from "./errors.ts";
import { utf8Length } from "./text.ts";

/** Longest string of a dynamic property, in bytes of UTF-8. */
const MAX_STRING_BYTES = 32767;

let values: Map<string, unknown> | undefined;

function store(): Map<string, unknown> {
  values ??= new Map(Object.entries(boot.properties));
  return values;
}

function size(value: unknown): number {
  if (typeof value === "string") return utf8Length(value);
  if (typeof value === "boolean") return 1;
  return typeof value === "number" ? 8 : 12;
}

function check(value: unknown): void {
  if (value === undefined || typeof value === "boolean" || typeof value === "number") return;
  if (typeof value === "string") {
    const bytes = utf8Length(value);
    if (bytes > MAX_STRING_BYTES) throw new ArgumentOutOfBoundsError(1, bytes, 0, MAX_STRING_BYTES);
    return;
  }
  if (typeof value === "object" && value !== null && "x" in value && "y" in value && "z" in value) {
    const { x, y, z } = value;
    if (typeof x === "number" && typeof y === "number" && typeof z === "number") return;
  }
  throw new TypeError("Native variant type conversion failed.");
}

function put(id: string, value: unknown): void {
  if (value === undefined) {
    if (store().delete(id)) host.property(id, "");
    return;
  }
  const copy = typeof value === "object" ? { ...value } : value;
  store().set(id, copy);
  host.property(id, JSON.stringify(copy));
}

/** The methods of the world for its dynamic properties. */
export const dynamicProperties = {
  getDynamicProperty(id: string): unknown {
    const value = store().get(id);
    return typeof value === "object" ? { ...value } : value;
  },
  setDynamicProperty(id: string, value?: unknown): void {
    if (typeof id !== "string") throw new TypeError("Native type conversion failed.");
    check(value);
    put(id, value);
  },
  /** All of them, or none if one is invalid. */
  setDynamicProperties(given: Readonly<Record<string, unknown>>): void {
    const entries = Object.entries(given);
    for (const [, value] of entries) check(value);
    for (const [id, value] of entries) put(id, value);
  },
  getDynamicPropertyIds: (): string[] => [...store().keys()],
  getDynamicPropertyTotalByteCount(): number {
    let bytes = 0;
    for (const [id, value] of store()) bytes += utf8Length(id) + size(value);
    return bytes;
  },
  clearDynamicProperties(): void {
    for (const id of [...store().keys()]) put(id, undefined);
  },
};
