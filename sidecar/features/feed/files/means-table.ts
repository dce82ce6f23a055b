import type { DatabaseSync } from "node:sqlite";
import {
  LONG_SPANS,
  type LongSpan,
  type Means,
  NO_MEANS,
  readSums,
  type Slot,
  writeSums,
} from "../../status/rules/means.ts";
import { MEANS_TABLE } from "./tables.ts";

/** The means of worlds in a database, by their names. The table is made with the first that is written. */
export function createMeansTable(database: DatabaseSync, damaged: (what: string) => void) {
  let written: ReadonlyMap<string, Means> = new Map();

  /** Of a world, what differs from what is there. */
  function put(world: string, means: Means): void {
    const set = database.prepare(
      "INSERT OR REPLACE INTO means (world, span, slot, sums) VALUES (?, ?, ?, ?)",
    );
    const drop = database.prepare("DELETE FROM means WHERE world = ? AND span = ? AND slot = ?");
    const { slots: before } = written.get(world) ?? NO_MEANS;
    for (const span of LONG_SPANS) {
      const [old, now] = [new Set(before[span]), new Set(means.slots[span].map(({ slot }) => slot))];
      for (const one of means.slots[span])
        if (!old.has(one)) set.run(world, span, one.slot, writeSums(one.sums));
      for (const { slot } of old) if (!now.has(slot)) drop.run(world, span, slot);
    }
  }

  return {
    read(): ReadonlyMap<string, Means> {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE name = 'means'").all();
      if (tables.length === 0) return written;
      const rows = database.prepare("SELECT world, span, slot, sums FROM means ORDER BY slot").all();
      const found = new Map<string, { last: number; slots: Record<LongSpan, Slot[]> }>();
      for (const row of rows) {
        const [world, sums] = [String(row.world), readSums(String(row.sums))];
        const means = found.get(world) ?? {
          ...NO_MEANS,
          slots: { "1d": [], "7d": [], "30d": [], "365d": [] },
        };
        found.set(world, means);
        const span = LONG_SPANS.find(each => each === row.span);
        if (sums && span) means.slots[span].push({ slot: Number(row.slot), sums });
        else damaged("a mean of the plots");
      }
      written = found;
      return found;
    },
    /** Whether anything differs from what was written last. */
    lacks: (all: ReadonlyMap<string, Means>): boolean =>
      [...all].some(([world, means]) => written.get(world) !== means),
    /** Writes what differs; `wrote` is to be called once that is kept. */
    write(all: ReadonlyMap<string, Means>): void {
      database.exec(MEANS_TABLE);
      for (const [world, means] of all) if (written.get(world) !== means) put(world, means);
    },
    wrote(all: ReadonlyMap<string, Means>): void {
      written = new Map(all);
    },
  };
}
