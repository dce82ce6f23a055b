/** Microseconds since some moment. Not in every version of the engine. */
declare const __date_clock: (() => number) | undefined;
