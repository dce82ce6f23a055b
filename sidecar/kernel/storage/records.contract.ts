import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { num, object, optional, text } from "../../../shared/guard.ts";
import type { Records } from "./records.ts";
import {
  beginningWith,
  collection,
  compareTexts,
  exactly,
  type IndexEntry,
  type IndexRange,
  ordered,
  parseJson,
} from "./records.ts";

interface Person {
  name: string;
  age?: number | undefined;
}

export const PEOPLE = collection<Person>({
  name: "people",
  parse: parseJson(object({ name: text(100), age: optional(num(-1e9, 1e9)) })),
  indexes: {
    name: ({ name }) => [name],
    age: ({ age }) => [age === undefined ? undefined : ordered(age)],
    letter: ({ name }) => [...name],
  },
});

export const TICKETS = collection<{ seat: number }>({
  name: "tickets",
  expires: true,
  parse: parseJson(object({ seat: num(0, 1_000) })),
});

type Opened = Records & { close?(): void };

/** Contract of every storage of records; `another` opens the same storage again. */
export function describeRecords(
  name: string,
  make: () => Promise<{ records: Opened; another(): Promise<Opened> }>,
): void {
  describe(name, () => {
    let records: Opened;
    let another: () => Promise<Opened>;
    beforeEach(async () => {
      ({ records, another } = await make());
    });
    afterEach(() => records.close?.());

    const put = (people: Record<string, Person>): Promise<void> =>
      records.transact(transaction => {
        for (const [key, person] of Object.entries(people)) transaction.put(PEOPLE, key, person);
      });
    const keys = async (index: string, range: IndexRange = {}): Promise<string[]> =>
      (await records.entries(PEOPLE, index, range)).map(({ key }) => key);

    it("is empty at first", async () => {
      expect(await records.get(PEOPLE, "a")).toBeUndefined();
      expect(await records.getMany(PEOPLE, ["a"])).toEqual(new Map());
      expect([await keys("name"), await records.count(PEOPLE, "name"), await records.size(PEOPLE)]).toEqual([
        [],
        0,
        0,
      ]);
      for await (const slice of records.all(PEOPLE)) expect(slice).toEqual([]);
    });

    it("returns a record until it is deleted", async () => {
      await put({ a: { name: "Ann", age: 5 }, b: { name: "Bo" } });
      expect(await (await another()).get(PEOPLE, "a")).toEqual({ name: "Ann", age: 5 });
      expect(await records.getMany(PEOPLE, ["b", "none", "a"])).toEqual(
        new Map([
          ["b", { name: "Bo" }],
          ["a", { name: "Ann", age: 5 }],
        ]),
      );
      await records.transact(transaction => transaction.delete(PEOPLE, "a"));
      expect([await records.get(PEOPLE, "a"), await records.size(PEOPLE)]).toEqual([undefined, 1]);
      expect(await keys("age")).toEqual([]);
    });

    it("finds records by an index, sorted by value and then by key", async () => {
      await put({
        d: { name: "x", age: 2 },
        c: { name: "x", age: -10 },
        b: { name: "é" },
        a: { name: "x", age: 10 },
      });
      expect(await keys("age")).toEqual(["c", "d", "a"]);
      expect(await keys("name")).toEqual(["a", "c", "d", "b"]);
      expect(await keys("age", { from: ordered(-10), to: ordered(10) })).toEqual(["c", "d"]);
      expect(await keys("name", { ...exactly("x"), limit: 2 })).toEqual(["a", "c"]);
      expect(await keys("name", { after: { value: "x", key: "c" } })).toEqual(["d", "b"]);
      expect(await keys("name", { from: "y", after: { value: "x", key: "c" } })).toEqual(["b"]);
      expect([
        await records.count(PEOPLE, "name"),
        await records.count(PEOPLE, "name", exactly("x")),
      ]).toEqual([4, 3]);
    });

    it("finds a record once by each of its values, and not by earlier ones", async () => {
      await put({ a: { name: "anna" } });
      expect(await keys("letter")).toEqual(["a", "a"]);
      await put({ a: { name: "nora" } });
      expect(await records.entries(PEOPLE, "letter", {})).toEqual(
        ["a", "n", "o", "r"].map(value => ({ value, key: "a" })),
      );
      expect(await keys("name", beginningWith("no"))).toEqual(["a"]);
      expect(await keys("name", beginningWith("an"))).toEqual([]);
    });

    it("sees the changes of a transaction within it, and changes nothing if it throws", async () => {
      await put({ a: { name: "Ann" } });
      const seen = await records.transact(transaction => {
        transaction.put(PEOPLE, "a", { name: "Amy" });
        transaction.delete(PEOPLE, "none");
        return transaction.getMany(PEOPLE, ["a", "none"]);
      });
      expect(seen).toEqual(new Map([["a", { name: "Amy" }]]));
      await expect(
        records.transact(transaction => {
          transaction.put(PEOPLE, "a", { name: "never" });
          throw new Error("changed its mind");
        }),
      ).rejects.toThrow("changed its mind");
      expect(await records.get(PEOPLE, "a")).toEqual({ name: "Amy" });
    });

    it("loses no change of two concurrent writers of a record", async () => {
      const both = [records, await another()];
      await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          both[i % 2]?.transact(transaction => {
            const { age = 0 } = transaction.get(PEOPLE, "a") ?? {};
            transaction.put(PEOPLE, "a", { name: "Ann", age: age + 1 });
          }),
        ),
      );
      expect(await records.get(PEOPLE, "a")).toEqual({ name: "Ann", age: 40 });
      expect(await keys("age", exactly(ordered(40)))).toEqual(["a"]);
      expect(await records.count(PEOPLE, "age")).toBe(1);
      for (const each of both.slice(1)) each.close?.();
    });

    it("reads a record as it is now, even if another process has changed or deleted it", async () => {
      const other = await another();
      try {
        await put({ a: { name: "Ann" }, b: { name: "Ben" } });
        for (const each of [records, other])
          expect([...(await each.getMany(PEOPLE, ["b", "a"])).keys()]).toEqual(["b", "a"]);
        await put({ a: { name: "Anne" } });
        expect([await records.get(PEOPLE, "a"), await other.get(PEOPLE, "a")]).toEqual([
          { name: "Anne" },
          { name: "Anne" },
        ]);
        await other.transact(transaction => transaction.delete(PEOPLE, "a"));
        expect([await records.get(PEOPLE, "a"), await other.get(PEOPLE, "a")]).toEqual([
          undefined,
          undefined,
        ]);
      } finally {
        other.close?.();
      }
    });
    it("iterates over all records, each once", async () => {
      const many = Object.fromEntries(
        Array.from({ length: 1_200 }, (_, i) => [`${i}`, { name: "x", age: i }]),
      );
      for (let at = 0; at < 1_200; at += 100)
        await put(Object.fromEntries(Object.entries(many).slice(at, at + 100)));
      const found: [string, Person][] = [];
      for await (const slice of records.all(PEOPLE)) found.push(...slice);
      expect(found).toHaveLength(1_200);
      expect(Object.fromEntries(found)).toEqual(many);
    });

    it("keeps expiring records for their time, and erases everything on demand", async () => {
      await records.transact(transaction => transaction.put(TICKETS, "t", { seat: 1 }, 60_000));
      expect(await records.get(TICKETS, "t")).toEqual({ seat: 1 });
      await put({ a: { name: "Ann", age: 1 } });
      await records.clear([PEOPLE]);
      expect([await records.get(PEOPLE, "a"), await keys("age"), await records.size(PEOPLE)]).toEqual([
        undefined,
        [],
        0,
      ]);
      await records.checkWritable();
    });

    it("matches a model after any changes", async () => {
      const key = fc.constantFrom("a", "b", "c", "d", "e\u{1f600}");
      const person = fc.record(
        {
          name: fc.string({
            unit: fc.constantFrom("a", "b", "é", "\u{10000}", "\uffff", "\u0001"),
            maxLength: 3,
          }),
          age: fc.integer({ min: -20, max: 20 }),
        },
        { requiredKeys: ["name"] },
      );
      const steps = fc.array(fc.tuple(key, fc.option(person, { nil: undefined })), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(steps, async all => {
          await records.clear([PEOPLE]);
          const model = new Map<string, Person>();
          for (const [key, person] of all) {
            if (person) model.set(key, person);
            else model.delete(key);
            await records.transact(transaction =>
              person ? transaction.put(PEOPLE, key, person) : transaction.delete(PEOPLE, key),
            );
          }
          for (const index of PEOPLE.indexes) {
            const expected = [...model].flatMap(([key, person]) =>
              [...new Set(PEOPLE.valuesIn(index, person, key))].flatMap((value): IndexEntry[] =>
                value === undefined ? [] : [{ value, key }],
              ),
            );
            expected.sort((a, b) => compareTexts(a.value, b.value) || compareTexts(a.key, b.key));
            expect(await records.entries(PEOPLE, index, {})).toEqual(expected);
            expect(await records.count(PEOPLE, index)).toBe(expected.length);
          }
          expect(await records.size(PEOPLE)).toBe(model.size);
        }),
        { numRuns: 25 },
      );
    });
  });
}
