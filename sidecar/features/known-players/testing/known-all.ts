import { expect, it } from "@jest/globals";
import type { KnownStore } from "../records.ts";
import type { KnownRecord } from "../rules/known-players.ts";
import { away, there, uuidOf, uuidsOf } from "./known-records.ts";

/** Contract for iterating over all known players. */
export function itGoesThroughAll(storeOf: () => KnownStore): void {
  it("returns every unchanged player exactly once", async () => {
    const most = 9_999;
    const others = [there("There"), away("Hidden", { hidden: true }), away("", { visits: 0 })];
    const numbers = Array.from({ length: 1_300 }, (_, i) => i);
    const recordOf = (uuid: string): KnownRecord =>
      others[Number.parseInt(uuid.slice(0, 8), 16)] ?? away("Steve");
    await storeOf().change(numbers.map(uuidOf), uuid => ({ record: recordOf(uuid) }), { most });
    const found: (readonly [string, KnownRecord])[] = [];
    let [slices, come] = [0, 2_000];
    for await (const slice of storeOf().all()) {
      found.push(...slice);
      slices++;
      const changed = slice.slice(-2).map(([uuid]) => uuid);
      await storeOf().change(changed, uuid => ({ record: uuid === changed[0] ? there("Alex") : undefined }), {
        most,
      });
      const more = Array.from({ length: 100 }, () => uuidOf(come++));
      if (slices < 4) await storeOf().change(more, () => ({ record: away("Come") }), { most });
    }
    expect(slices).toBeGreaterThan(2);
    expect(new Set(uuidsOf(found)).size).toBe(found.length);
    const byUuid = new Map(found);
    for (const uuid of numbers.map(uuidOf)) expect(byUuid.get(uuid)).toEqual(recordOf(uuid));
  });
}
