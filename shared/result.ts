/** What came of something that may fail as expected: a value, or what is wrong, in words or as a code to act by. */
export type Result<T, F = string> = { value: T } | { fault: F };
