/** The result of an operation that may fail: a value, or a fault, in words or as a code to act by. */
export type Result<T, F = string> = { value: T } | { fault: F };
