/** The result of an operation that may fail: a value, or a fault, as a text or a code. */
export type Result<T, F = string> = { value: T } | { fault: F };
