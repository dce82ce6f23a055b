import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { BanStore } from "./records.ts";
import { type Ban, keyOf } from "./rules/ban-list.ts";

const ban = (name: string, more: Partial<Ban> = {}): Ban => ({ name, at: 1_000, ...more });
const ALL = 1_000;

type Opened = BanStore & { close(): Promise<void> };

/** Contract of every store of bans; `another` opens the same store again. */
export function describeBans(
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

    it("has no list before the first ban, and the same one for every process afterwards", async () => {
      expect([await store.head(), await store.read(0, ALL)]).toEqual([undefined, []]);
      expect(await store.put(undefined, [ban("Steve")], [])).toBe(true);
      const head = await store.head();
      expect(head).toEqual({ list: expect.any(String), upTo: 1 });
      expect(await store.put(head, [ban("Alex")], [])).toBe(true);
      const other = await another();
      expect(await other.head()).toEqual({ ...head, upTo: 2 });
      expect(await other.read(0, ALL)).toEqual([
        { n: 1, ban: ban("Steve") },
        { n: 2, ban: ban("Alex") },
      ]);
    });

    it("returns stored entries with all fields, in the order of their numbers, a page at a time", async () => {
      const whole: Ban = {
        ...{ name: "Zoë \u{1f600}", uuid: "a-uuid", persistentId: "ABCDEF", on: "", at: 1, until: 2 },
        ...{ reason: 'be "nice"', by: "game:Steve", lifted: true, toldAt: 3, apart: true },
      };
      await store.put(undefined, [ban("A"), whole, ban("B", { on: "lobby" })], []);
      expect(await store.read(0, 2)).toEqual([
        { n: 1, ban: ban("A") },
        { n: 2, ban: whole },
      ]);
      expect(await store.read(2, 2)).toEqual([{ n: 3, ban: ban("B", { on: "lobby" }) }]);
      expect(await store.read(3, 2)).toEqual([]);
    });

    it("keeps one entry of each key, with its newest number", async () => {
      await store.put(undefined, [ban("Steve"), ban("Alex")], []);
      await store.put(await store.head(), [ban("STEVE", { at: 2_000 })], []);
      expect(await store.read(0, ALL)).toEqual([
        { n: 2, ban: ban("Alex") },
        { n: 3, ban: ban("STEVE", { at: 2_000 }) },
      ]);
    });

    it("drops expired entries, and uses no number twice", async () => {
      await store.put(undefined, [ban("Steve"), ban("Alex")], []);
      await store.put(await store.head(), [], [keyOf(ban("Alex")), keyOf(ban("Nobody"))]);
      expect(await store.head()).toMatchObject({ upTo: 2 });
      await store.put(await store.head(), [ban("Kai")], [keyOf(ban("Steve"))]);
      expect(await store.read(0, ALL)).toEqual([{ n: 3, ban: ban("Kai") }]);
    });

    it("continues after a larger number if asked to", async () => {
      const from = 1_800_000_000_000;
      await store.put(undefined, [ban("Steve")], [], undefined, from);
      await store.put(await store.head(), [ban("Alex"), ban("Kai")], [], undefined, from);
      expect(await store.head()).toMatchObject({ upTo: from + 3 });
      expect((await (await another()).read(from + 1, ALL)).map(({ n }) => n)).toEqual([from + 2, from + 3]);
    });

    it("rejects a change that was decided on an outdated list", async () => {
      const stores = [store, await another()];
      const tried = await Promise.all(stores.map(each => each.put(undefined, [ban("Steve")], [])));
      expect(tried.filter(Boolean)).toHaveLength(1);
      const head = await store.head();
      const [one, other] = [ban("Alex"), ban("Kai")];
      expect(await store.put(head, [one], [])).toBe(true);
      expect(await stores[1]?.put(head, [other], [keyOf(one)])).toBe(false);
      expect(await store.put({ list: "another", upTo: 2 }, [other], [])).toBe(false);
      expect((await store.read(0, ALL)).map(({ ban }) => ban.name)).toEqual(["Steve", "Alex"]);
    });
  });
}
