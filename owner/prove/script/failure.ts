/** What can be told of something that was thrown. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly isError: boolean;
  /** numbers and texts that it holds besides */
  readonly fields: Readonly<Record<string, string | number>>;
}

const LONGEST = 200;
const PLAIN = ["name", "message", "stack"];

export function failureOf(error: unknown): Failure {
  if (typeof error !== "object" || error === null)
    return { name: typeof error, message: String(error).slice(0, LONGEST), isError: false, fields: {} };
  const held = (key: string): unknown => (key in error ? Reflect.get(error, key) : undefined);
  const fields: Record<string, string | number> = {};
  // The fields of the game's own errors are accessors of their classes.
  for (let at: object | null = error; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const key of Object.getOwnPropertyNames(at)) {
      const value = PLAIN.includes(key) ? undefined : held(key);
      if (typeof value === "number" || typeof value === "string") fields[key] = value;
    }
  return {
    name: String(held("name") ?? "").slice(0, LONGEST),
    message: String(held("message") ?? "").slice(0, LONGEST),
    isError: error instanceof Error,
    fields,
  };
}

/** What a call gives, or how it fails. */
export function tried<T>(call: () => T): { readonly value: T } | { readonly failure: Failure } {
  try {
    return { value: call() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
