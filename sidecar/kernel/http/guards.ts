import type { Guard } from "../../../shared/guard.ts";

/** A text that may be missing or null. */
export const maybeText: Guard<string | null | undefined> = (value, path = "body") =>
  value === undefined || value === null || typeof value === "string" ? undefined : `${path}: expected a text`;

/** For values that the handler checks itself. */
export const anything: Guard<unknown> = () => undefined;
