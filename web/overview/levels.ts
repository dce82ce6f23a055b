/** How a figure is: `""` as it should be, `warn` amber, `bad` red. */
export type Level = "" | "warn" | "bad";

/** Ticks per second: what the game is made for, and below what it is slow and very slow. */
export const TPS_FULL = 20;
export const TPS_WARN = 18;
export const TPS_BAD = 12;
/** Share of memory or processor from which on it is high. */
export const SHARE_WARN = 0.8;

export const levelOfTps = (tps: number): Level => (tps < TPS_BAD ? "bad" : tps < TPS_WARN ? "warn" : "");
export const levelOfShare = (share: number): Level => (share < SHARE_WARN ? "" : "warn");
