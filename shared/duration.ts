const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `20s`; undefined if it is not a duration. */
export function parseDuration(written: unknown): number | undefined {
  const parts = typeof written === "string" ? /^(\d{1,9})(ms|s|m|h|d)$/.exec(written) : null;
  return parts === null ? undefined : Number(parts[1]) * UNITS[parts[2] as keyof typeof UNITS];
}
