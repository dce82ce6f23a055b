import type { Log } from "../../platform/log.ts";

/** Damaged things of which it is remembered that they were told. */
const MOST_TOLD = 1_000;

/** Says once of each thing, by any name, that it is damaged. */
export function createDamage(log: Pick<Log, "warn">, fields: object) {
  const told = new Set<string>();
  return (what: string, message: string): void => {
    if (told.has(what) || told.size >= MOST_TOLD) return;
    told.add(what);
    log.warn(fields, message);
  };
}
