/** A thrown value. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** of network errors */
  readonly errorCode: unknown;
}

const LONGEST = 200;

export function failureOf(error: unknown): Failure {
  const held = (key: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, key) : undefined;
  const message = String(held("message") ?? error).slice(0, LONGEST);
  return { name: String(held("name") ?? typeof error), message, errorCode: held("errorCode") };
}

/** The result of a call, or its failure. */
export function tried<T>(call: () => T): { readonly value: T } | { readonly failure: Failure } {
  try {
    return { value: call() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
