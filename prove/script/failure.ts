/** A thrown value. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** of network errors */
  readonly errorCode: unknown;
}

const MAX_MESSAGE = 200;

export function failureOf(error: unknown): Failure {
  const field = (key: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, key) : undefined;
  const message = String(field("message") ?? error).slice(0, MAX_MESSAGE);
  return { name: String(field("name") ?? typeof error), message, errorCode: field("errorCode") };
}

/** The result of a call, or its failure. */
export function tried<T>(call: () => T): { readonly value: T } | { readonly failure: Failure } {
  try {
    return { value: call() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}
