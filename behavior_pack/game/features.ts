import type { Notices } from "../notices.ts";

/** `typeId` of players. */
export const PLAYER = "minecraft:player";

/**
 * A member of an object of the game, or undefined when this version lacks it. Properties of the game can throw when they are read
 * too early; that counts as missing.
 */
export function peek<T extends object, K extends keyof T>(holder: T | undefined, key: K): T[K] | undefined {
  try {
    return holder !== undefined && holder !== null && key in holder ? holder[key] : undefined;
  } catch {
    return undefined;
  }
}

/** A member of an unknown value, such as an error. */
export const field = (holder: unknown, key: string): unknown => peek(holder as Record<string, unknown>, key);

/** The result of `make`, or undefined when it throws. */
export function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Logs once for each missing member what does not work without it. */
export type ReportMissing = (name: string, consequence: string) => void;

export const createReportMissing =
  ({ once }: Pick<Notices, "once">): ReportMissing =>
  (name, consequence) =>
    once(name, `this version of the game does not offer ${name}: ${consequence}`);
