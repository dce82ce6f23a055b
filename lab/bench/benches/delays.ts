import { type Result, TICK_MS } from "../bench.ts";
import { median, quantile } from "../numbers.ts";

export interface Limits {
  /** in ticks */
  median?: number;
  /** in ticks */
  p95: number;
}

/** The result of delays in milliseconds whose limits are given in ticks. */
export function delays(milliseconds: readonly number[], limits: Limits): Result {
  const middle = median(milliseconds) / TICK_MS;
  const p95 = quantile(milliseconds, 0.95) / TICK_MS;
  const target = `p95 <= ${limits.p95}`;
  return {
    figure: `median ${middle.toFixed(2)}, p95 ${p95.toFixed(2)} ticks`,
    target: limits.median === undefined ? `${target} ticks` : `median <= ${limits.median}, ${target} ticks`,
    ok: p95 <= limits.p95 && middle <= (limits.median ?? Number.POSITIVE_INFINITY),
    values: { medianTicks: middle, p95Ticks: p95, samples: milliseconds.length },
  };
}
