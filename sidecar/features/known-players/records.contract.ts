import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createMemoryKnown } from "../../../test/helpers/memory-known.ts";
import type { KnownChange, KnownStore } from "./records.ts";
import { KNOWN_SORTS, lowered } from "./rules/known-list.ts";
import type { KnownRecord, Visit } from "./rules/known-players.ts";
import { itGoesThroughAll } from "./testing/known-all.ts";
import { ODD, oddRecord } from "./testing/known-odd.ts";
import { away, MANY, put, there, uuidOf, uuidsOf, walk } from "./testing/known-records.ts";

type Opened = KnownStore & { close(): Promise<void> };

/** Contract of every store of known players; `another` opens the same store again. */
export function describeKnown(
  name: string,
  make: () => Promise<{ store: Opened; another(): Promise<Opened> }>,
): void {
  describe(name, () => {
    let store: Opened;
    let another: () => Promise<Opened>;
    beforeEach(async () => {
      ({ store, another } = await make());
    });
    afterEach(() => store.close());

    it("passes the stored record to the step, which may keep, replace or delete it", async () => {
      const [one, two, three] = [1, 2, 3].map(uuidOf) as [string, string, string];
      await put(store, one, away("One"));
      await put(store, two, away("Two"));
      const before = new Map<string, string | undefined>();
      await store.change(
        [one, two, three],
        (uuid, record) => {
          before.set(uuid, record?.name);
          if (uuid === one) return undefined;
          return { record: uuid === two ? undefined : away("Three") };
        },
        MANY,
      );
      expect([...before]).toEqual([
        [one, "One"],
        [two, "Two"],
        [three, undefined],
      ]);
      expect(uuidsOf(await store.read([one, two, three]))).toEqual([one, three]);
      expect([await store.count(), await store.count("two"), await store.count("three")]).toEqual([2, 0, 1]);
    });

    it("finds players by every name they have had, except forgotten ones", async () => {
      const [one, two, three] = [1, 2, 3].map(uuidOf) as [string, string, string];
      await put(store, one, { ...away("Alexis"), names: ["Straße", "Steve"] });
      await put(store, two, there("STEVE", { hidden: true }));
      await put(store, three, away("Steven"));
      const named = async (name: string) => (await store.named(name)).map(([uuid]) => uuid).sort();
      expect(await named("strasse")).toEqual([one]);
      expect(await named("Steve ")).toEqual([one, two]);
      expect(await named("Stev")).toEqual([]);
      await put(store, one, away("Zoe"));
      expect([await named("Alexis"), await named("zoe")]).toEqual([[], [one]]);
      await store.change([one, two], () => ({ record: undefined, forgets: true }), MANY);
      expect([await named("zoe"), await named("steve")]).toEqual([[], []]);
    });

    it("changes nothing when a step fails", async () => {
      await put(store, uuidOf(1), away("One"));
      const failing = store.change(
        [uuidOf(1)],
        () => {
          throw new Error("no");
        },
        MANY,
      );
      await expect(failing).rejects.toThrow("no");
      expect(await store.read([uuidOf(1)])).toEqual(new Map([[uuidOf(1), away("One")]]));
    });

    it("loses no change of many concurrent ones, from two users of the store", async () => {
      const stores = [store, await another()];
      const uuids = Array.from({ length: 150 }, (_, i) => uuidOf(i));
      const visit = (uuid: string, record: KnownRecord = away(uuid, { visits: 0 })): KnownChange => {
        const visits = record.visits + 1;
        return { record: { ...record, visits }, ended: [{ from: visits, to: visits }] };
      };
      await Promise.all([0, 1, 2, 3].map(i => stores[i % 2]?.change(uuids, visit, MANY)));
      for (const each of stores) {
        expect([...(await each.read(uuids)).values()].map(({ visits }) => visits)).toEqual(
          Array(150).fill(4),
        );
        expect((await each.visits(uuidOf(7), 9)).map(({ from }) => from)).toEqual([4, 3, 2, 1]);
        expect(await each.count()).toBe(150);
      }
      await stores[1]?.close();
    });

    itGoesThroughAll(() => store);

    it("finds all names with a prefix in order, also beyond ASCII", async () => {
      const letters = ["K", "k", "\u212a", "\u0130", "i\u0307", "x"];
      const all = Array.from({ length: 3_600 }, (_, i) => ({
        uuid: uuidOf(i),
        name: `${letters[i % 6]}${(i * 7919) % 100}`,
      }));
      const names = new Map(all.map(({ uuid, name }) => [uuid, name]));
      const uuids = [...names.keys()];
      await store.change(uuids, uuid => ({ record: away(names.get(uuid) ?? "") }), { most: 9_999 });
      for (const prefix of ["k", "k1", "k77", "i", "i\u0307", "i\u03075", "x"]) {
        const expected = all
          .filter(({ name }) => lowered(name).startsWith(prefix))
          .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name || a.uuid > b.uuid ? 1 : -1))
          .map(({ uuid }) => uuid);
        expect(uuidsOf(await walk(store, { sort: "name", prefix }, 200))).toEqual(expected);
        expect(await store.count(prefix)).toBe(expected.length);
      }
    });

    it("returns every unchanged player exactly once across pages, despite changes between them", async () => {
      const steady = fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 12 });
      const moves = fc.array(fc.tuple(fc.integer({ min: 50, max: 60 }), oddRecord), { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(
          steady,
          moves,
          fc.array(oddRecord, { minLength: 4 }),
          async (numbers, moved, records) => {
            await store.clear();
            const of = (number: number): KnownRecord => ({
              ...away("x"),
              ...records[number % records.length],
              servers: {},
              hidden: false,
              visits: 1 + (number % 3),
            });
            await store.change(
              numbers.map(uuidOf),
              uuid => ({ record: of(Number.parseInt(uuid, 16)) }),
              MANY,
            );
            for (const sort of KNOWN_SORTS) {
              const left = [...moved];
              const between = async (): Promise<void> => {
                for (const [number, record] of left.splice(0, 3)) await put(store, uuidOf(number), record);
              };
              const seen = uuidsOf(await walk(store, { sort }, 2, between)).filter(uuid => uuid < uuidOf(50));
              expect(seen.toSorted()).toEqual(numbers.map(uuidOf).toSorted());
            }
          },
        ),
        { numRuns: 15 },
      );
    });

    it("keeps visits, the newest 500 of each, newest first, until they or the player are forgotten", async () => {
      const stays = Array.from({ length: 499 }, (_, i): Visit => ({ from: i * 10, to: i * 10 + 5 }));
      await put(store, uuidOf(1), away("Steve"), { ended: stays });
      await put(store, uuidOf(1), away("Steve"), { ended: [{ from: 9_000, to: 9_001 }] });
      await put(store, uuidOf(1), away("Steve"), { ended: [{ from: 8_000, to: 8_001 }] });
      const newest = await store.visits(uuidOf(1), 500);
      expect(newest.slice(0, 3)).toEqual([
        { from: 9_000, to: 9_001 },
        { from: 8_000, to: 8_001 },
        { from: 4_980, to: 4_985 },
      ]);
      expect([newest.length, newest.at(-1)]).toEqual([500, { from: 10, to: 15 }]);
      expect(await store.visits(uuidOf(1), 2)).toEqual(newest.slice(0, 2));
      expect(await store.visits(uuidOf(2), 2)).toEqual([]);
      await put(store, uuidOf(1), away("Steve"), { ended: [{ from: 1, to: 2 }], forgets: true });
      expect(await store.visits(uuidOf(1), 9)).toEqual([{ from: 1, to: 2 }]);
      await store.change([uuidOf(1)], () => ({ record: undefined }), MANY);
      await put(store, uuidOf(1), away("Steve"));
      expect(await store.visits(uuidOf(1), 9)).toEqual([]);
    });

    it("erases long unseen players and old visits step by step", async () => {
      const uuids = Array.from({ length: 500 }, (_, i) => uuidOf(i));
      const ended = [
        { from: 1, to: 10 },
        { from: 11, to: 20 },
      ];
      await store.change(
        uuids,
        uuid => {
          const number = Number.parseInt(uuid, 16);
          const make = number % 5 === 0 ? there : away;
          return { record: make("x", { last: number, hidden: number % 3 === 0 }), ended };
        },
        MANY,
      );
      while (!(await store.cleanUp({ unseenSince: 450, endedBefore: 11 })));
      const remaining = uuids.filter((_, i) => i % 5 === 0 || i >= 450);
      expect(uuidsOf(await store.read(uuids))).toEqual(remaining);
      expect(await store.visits(uuidOf(449), 9)).toEqual([]);
      for (const number of [5, 499]) expect(await store.visits(uuidOf(number), 9)).toEqual(ended.slice(1));
      expect(await store.count()).toBe(
        remaining.filter(
          (_, i) =>
            !(
              Number.parseInt(remaining[i] ?? "", 16) % 5 === 0 ||
              Number.parseInt(remaining[i] ?? "", 16) % 3 === 0
            ),
        ).length,
      );
      while (!(await store.cleanUp({ unseenSince: 0, endedBefore: 21 })));
      expect(await store.visits(uuidOf(499), 9)).toEqual([]);
    });

    it("can be closed twice", async () => {
      await store.close();
      await store.close();
    });

    it("agrees with a simple list after any changes", async () => {
      const numbers = [1, 2, 3, 300, 4096, 70_000];
      const change = fc.record({
        is: fc.constant("change" as const),
        uuids: fc.uniqueArray(fc.constantFrom(...numbers).map(uuidOf), { minLength: 1, maxLength: 3 }),
        record: fc.option(oddRecord, { nil: undefined, freq: 6 }),
        ended: fc.array(fc.record({ from: fc.nat(9), to: fc.nat(9) }), { maxLength: 2 }),
        forgets: fc.boolean(),
        most: fc.constantFrom(2, 5, 1_000, 1_000),
      });
      const cleanUp = fc.record({
        is: fc.constant("tidy" as const),
        unseenSince: fc.nat(900),
        endedBefore: fc.nat(10),
      });
      const steps = fc.array(fc.oneof({ weight: 9, arbitrary: change }, { weight: 1, arbitrary: cleanUp }), {
        maxLength: 15,
      });
      await fc.assert(
        fc.asyncProperty(steps, fc.array(ODD, { maxLength: 2 }), async (all, odd) => {
          await store.clear();
          const model = createMemoryKnown();
          for (const [at, step] of all.entries()) {
            for (const each of [store, model])
              if (step.is === "tidy") while (!(await each.cleanUp(step)));
              else
                await each.change(
                  step.uuids,
                  // The order of two players last seen at the same time is undefined.
                  uuid => ({
                    ...step,
                    record: step.record && {
                      ...step.record,
                      last: 100 * at + 10 * step.record.last + step.uuids.indexOf(uuid),
                    },
                  }),
                  step,
                );
          }
          const uuids = numbers.map(uuidOf);
          expect(await store.read(uuids)).toEqual(await model.read(uuids));
          expect(new Map([...(await store.present())].sort())).toEqual(
            new Map([...(await model.present())].sort()),
          );
          for (const uuid of uuids) expect(await store.visits(uuid, 3)).toEqual(await model.visits(uuid, 3));
          for (const sort of KNOWN_SORTS)
            expect(await walk(store, { sort })).toEqual(await walk(model, { sort }));
          for (const prefix of ["", lowered(odd.join("")), ...odd]) {
            const query = { sort: "name", prefix } as const;
            expect(await walk(store, query)).toEqual(await walk(model, query));
            expect(await store.count(prefix)).toBe(await model.count(prefix));
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}
