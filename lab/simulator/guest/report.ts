import { host } from "./bridge.ts";

/** Writes an uncaught error to the content log. The script continues, except after out of memory. */
export function report(error: unknown, prefix = ""): void {
  if (error instanceof Error) {
    if (error.name === "InternalError" && error.message === "out of memory") host.fatal("out of memory");
    const stack = typeof error.stack === "string" && error.stack !== "" ? `\n${error.stack.trimEnd()}` : "";
    host.log("error", `[Scripting] ${prefix}${error.name}: ${error.message}${stack}`);
    return;
  }
  host.log("error", `[Scripting] ${prefix}${describe(error)}`);
}

/**
 * Calls a callback of the pack. Exceptions and rejections of a returned promise are logged.
 */
export function callPack<A extends readonly unknown[]>(callback: (...args: A) => unknown, ...args: A): void {
  try {
    const result = callback(...args);
    if (result instanceof Promise) {
      result.then(undefined, error => report(error, "Unhandled promise rejection: "));
    }
  } catch (error) {
    report(error);
  }
}

/** A value as the console prints it. Errors have their stack, objects are JSON where possible. */
export function describe(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === "object" && value !== null) {
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return Object.prototype.toString.call(value);
    }
  }
  return String(value);
}
