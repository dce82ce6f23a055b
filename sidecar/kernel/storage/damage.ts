import type { Log } from "../../platform/log.ts";

/** Damaged items that are remembered as logged. */
const MAX_LOGGED = 1_000;

/** Logs each damaged item once, by any name. */
export function createDamage(log: Pick<Log, "warn">, fields: object) {
  const logged = new Set<string>();
  return (what: string, message: string): void => {
    if (logged.has(what) || logged.size >= MAX_LOGGED) return;
    logged.add(what);
    log.warn(fields, message);
  };
}
