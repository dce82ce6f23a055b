import { expect, it } from "@jest/globals";
import { createMemoryRecords } from "../../kernel/storage/memory-records.ts";
import { createKnownStore } from "./records.ts";
import { away, MANY, uuidOf } from "./testing/known-records.ts";

it("a page of names with a prefix reads few names, wherever in the order they are", async () => {
  const records = createMemoryRecords(() => 0);
  let looked = 0;
  const counting: typeof records = {
    ...records,
    async entries(...args) {
      const entries = await records.entries(...args);
      looked += entries.length;
      return entries;
    },
  };
  const store = createKnownStore(counting, 2);
  const nameOf = (i: number): string => `Name${i < 400 ? 1 : 5} ${`${i}`.padStart(3, "0")}`;
  const uuids = Array.from({ length: 410 }, (_, i) => uuidOf(i));
  await store.change(uuids, uuid => ({ record: away(nameOf(uuids.indexOf(uuid))) }), MANY);
  looked = 0;
  const page = await store.page({ sort: "name", prefix: "name5", limit: 5 });
  expect(page.map(([, { name }]) => name)).toEqual([400, 401, 402, 403, 404].map(nameOf));
  expect(looked).toBeLessThan(50);
});
