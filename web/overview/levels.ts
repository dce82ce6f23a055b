/** How good a figure is: `""` normal, `warn` amber, `bad` red. */
export type Level = "" | "warn" | "bad";

/** Ticks per second: the full speed of the game, and the limits below which it is slow and very slow. */
export const TPS_FULL = 20;
export const TPS_WARN = 18;
export const TPS_BAD = 12;
/** Share of memory or CPU from which on it is high, 0 to 1. */
export const SHARE_WARN = 0.8;

export const levelOfTps = (tps: number): Level => (tps < TPS_BAD ? "bad" : tps < TPS_WARN ? "warn" : "");
export const levelOfShare = (share: number): Level => (share < SHARE_WARN ? "" : "warn");
