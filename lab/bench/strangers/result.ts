import type { Result } from "../bench.ts";
import { quantile } from "../numbers.ts";
import type { Seen, Waits } from "./visitor.ts";

const MOST_MS = 250;
const MOST_MB = 300;

const WAITS = ["status", "events", "connection", "chat"] as const satisfies (keyof Waits)[];

const p95 = (waits: readonly number[]): number => quantile(waits, 0.95);
const worst = (waits: readonly number[]): number => Math.max(...waits);
const mb = (seen: Seen): string => `${seen.mb.toFixed(0)} MB`;

const missing = ({ missing }: Seen): string =>
  missing.length === 0 ? "" : `; ${missing.length} answered otherwise: ${[...new Set(missing)].join(", ")}`;

/** What a visitor has waited for while a stranger did something, beside the same at rest. */
export function resultOf(rest: Seen, under: Seen): Result {
  const times = (seen: Seen, what: keyof Waits): string =>
    `${p95(seen[what]).toFixed(0)} (${worst(seen[what]).toFixed(0)})`;
  const shown = (seen: Seen): string =>
    `status ${times(seen, "status")}, events ${times(seen, "events")}, new connection ${times(seen, "connection")}, chat ${times(seen, "chat")} ms; ${mb(seen)}`;
  const isInTime = WAITS.every(what => p95(under[what]) <= MOST_MS);
  const values = (seen: Seen, prefix = ""): [string, number][] => [
    ...WAITS.flatMap((what): [string, number][] => [
      [`${prefix}${what}P95Ms`, p95(seen[what])],
      [`${prefix}${what}WorstMs`, worst(seen[what])],
    ]),
    [`${prefix}megabytes`, seen.mb],
  ];
  return {
    figure: shown(under) + missing(under),
    target: `p95 of each <= ${MOST_MS} ms, <= ${MOST_MB} MB`,
    reference: `at rest: ${shown(rest)}`,
    ok: isInTime && under.missing.length === 0 && under.mb <= MOST_MB,
    values: Object.fromEntries([
      ...values(under),
      ["missing", under.missing.length],
      ...values(rest, "rest-"),
    ]),
  };
}
