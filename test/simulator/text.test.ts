import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { Bounded } from "../../lab/simulator/bounded.ts";
import { utf8Length } from "../../lab/simulator/guest/text.ts";
import { randomAt, seededRandom } from "../../lab/simulator/random.ts";

it("counts bytes of UTF-8 as Node does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), text => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text));
    }),
  );
  expect(utf8Length("\ud800x\udc00")).toBe(Buffer.byteLength("\ud800x\udc00"));
});

it("keeps only the newest items of a bounded list", () => {
  const list = new Bounded<number>(3);
  for (const item of [1, 2, 3, 4, 5]) list.push(item);
  expect(list.items).toEqual([3, 4, 5]);
});

it("draws numbers from 0 up to 1 that depend on the seed alone", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(), (seed, index) => {
      const value = randomAt(seed, index);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
      expect(randomAt(seed, index)).toBe(value);
      expect(seededRandom(seed)()).toBe(seededRandom(seed)());
    }),
  );
});
