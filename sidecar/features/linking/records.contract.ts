import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { OwnStore } from "../../../test/helpers/memory-store.ts";
import type { LinkStore } from "./records.ts";
import { type LinkRecord, NO_LINK } from "./rules/links.ts";

export const player = {
  id: "-4",
  persistentId: "p",
  name: "Steve",
  uuid: "00000000-0000-5000-8000-000000000000",
};
export const asking = (request: string, until = 100): LinkRecord => ({
  ...NO_LINK,
  asking: { request, until, deadline: until + 100 },
});
export const pending = (request: string, deadline = 200): LinkRecord => ({
  link: { status: "pending", request, player, deadline },
});
export const accepted: LinkRecord = { link: { status: "accepted", player } };
const ended = (until: number): LinkRecord => ({ link: { status: "not_linked", until } });
const declined = (until: number): LinkRecord => ({ link: { status: "declined", until } });

/** Overwrites a record. */
export const put = (store: LinkStore, session: string, record: LinkRecord): Promise<void> =>
  store.change(session, () => ({ record, answer: undefined }));

/** Contract of every link store. */
export function describeStore(name: string, make: () => Promise<OwnStore>): void {
  describe(name, () => {
    let store: OwnStore;
    beforeEach(async () => {
      store = await make();
    });
    afterEach(() => store.close());

    it.each([
      asking("r"),
      pending("r"),
      declined(5),
      accepted,
      { ...accepted, ...asking("r"), link: accepted.link },
      { link: { ...accepted.link, at: 5 } },
      ended(5),
      { ...asking("r"), ...ended(5) },
    ])("returns stored records", async record => {
      await put(store, "s", record);
      expect(await store.read("s")).toEqual(record);
      expect(await store.read("other")).toEqual(NO_LINK);
    });

    it("remembers the game server that was connected last", async () => {
      expect(await store.last()).toBeUndefined();
      const server = { run: "r", since: 1, world: { id: "w", name: "Wält \u4e16" } };
      await store.setLast(server);
      expect(await store.last()).toEqual(server);
      await store.setLast({ run: "r2", since: 2 });
      expect(await store.last()).toEqual({ run: "r2", since: 2 });
    });

    const by = (server: string, most = 100) => ({ server, most });

    it("stores the choices of players, each separately", async () => {
      expect(await store.chosen(["steve"])).toEqual(new Map());
      expect(await store.chosen([])).toEqual(new Map());
      expect(await store.choose("steve", by("main"), { hidden: true })).toBe(true);
      expect(await store.chosen(["steve", "alex"])).toEqual(new Map([["steve", { hidden: true }]]));
      await store.choose("steve", by("lobby"), { blocked: false });
      await store.choose("alex", by("lobby"), { blocked: true, hidden: false });
      await store.choose("steve", by("lobby"), { hidden: false });
      expect(await store.chosen(["alex", "nobody", "steve"])).toEqual(
        new Map([
          ["alex", { blocked: true, hidden: false }],
          ["steve", { blocked: false, hidden: false }],
        ]),
      );
    });

    it("limits the players whose choices one server was the first to report", async () => {
      const two = by("main", 2);
      for (const player of ["a", "b"]) expect(await store.choose(player, two, { hidden: true })).toBe(true);
      expect(await store.choose("c", two, { hidden: true })).toBe(false);
      expect(await store.chosen(["c"])).toEqual(new Map());
      expect(await store.choose("a", two, { hidden: false })).toBe(true);
      expect(await store.choose("c", by("lobby", 2), { hidden: true })).toBe(true);
      expect(await store.choose("c", two, { hidden: false })).toBe(true);
      expect(await store.choose("d", two, { hidden: true })).toBe(false);
    });

    it("passes the stored record to the step, and the step's answer to the caller", async () => {
      await put(store, "s", pending("r"));
      const answer = await store.change("s", record => ({ record: accepted, answer: record.link.status }));
      expect(answer).toBe("pending");
      expect(await store.read("s")).toEqual(accepted);
    });

    it("keeps the record when a step fails", async () => {
      await put(store, "s", pending("r"));
      const failing = store.change("s", () => {
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await store.read("s")).toEqual(pending("r"));
      await put(store, "s", accepted);
      expect(await store.read("s")).toEqual(accepted);
    });

    it("loses no change of many concurrent ones", async () => {
      const more = (record: LinkRecord) => ({
        record: declined(record.link.status === "declined" ? record.link.until + 1 : 1),
        answer: undefined,
      });
      await Promise.all(Array.from({ length: 50 }, () => store.change("s", more)));
      expect(await store.read("s")).toEqual(declined(50));
    });

    it("finds the session of a request as long as it is open", async () => {
      await put(store, "a", asking("r1"));
      await put(store, "b", asking("r2"));
      expect(await store.sessionOf("r1")).toBe("a");
      await put(store, "a", pending("r1"));
      expect(await store.sessionOf("r1")).toBe("a");
      await put(store, "a", accepted);
      expect(await store.sessionOf("r1")).toBeUndefined();
      expect(await store.sessionOf("r2")).toBe("b");
      expect(await store.sessionOf("none")).toBeUndefined();
    });

    it("lists open requests, oldest first, up to the limit", async () => {
      await put(store, "z", asking("r1", 100));
      await put(store, "m", asking("r2", 101));
      await put(store, "a", pending("r3", 202));
      await put(store, "linked", accepted);
      await put(store, "z", pending("r1", 200));
      expect((await store.open(10)).map(each => each.session)).toEqual(["z", "m", "a"]);
      expect(await store.open(1)).toEqual([{ session: "z", record: pending("r1") }]);
    });

    it("moves a session that sends another request to the end", async () => {
      await put(store, "a", asking("r1", 100));
      await put(store, "b", asking("r2", 101));
      await put(store, "a", declined(900));
      await put(store, "a", asking("r3", 102));
      expect((await store.open(10)).map(each => each.session)).toEqual(["b", "a"]);
    });

    it("lists records that are due, and none without a due time", async () => {
      await put(store, "linked", accepted);
      await put(store, "late", declined(300));
      await put(store, "soon", asking("r1", 100));
      await put(store, "now", pending("r2", 200));
      expect(await store.due(99, 10)).toEqual([]);
      expect(await store.due(100, 10)).toEqual(["soon"]);
      expect((await store.due(300, 10)).toSorted()).toEqual(["late", "now", "soon"]);
      expect(await store.due(300, 2)).toHaveLength(2);
    });

    it("lists the sessions linked to a player, up to the limit", async () => {
      const alex = "11111111-0000-5000-8000-000000000000";
      const toAlex: LinkRecord = { link: { status: "accepted", player: { ...player, uuid: alex } } };
      await put(store, "a", accepted);
      await put(store, "b", { ...accepted, ...asking("r1"), link: accepted.link });
      await put(store, "c", toAlex);
      await put(store, "waiting", pending("r2"));
      expect((await store.linkedTo(player.uuid, 10)).toSorted()).toEqual(["a", "b"]);
      expect(await store.linkedTo(player.uuid, 1)).toHaveLength(1);
      expect(await store.linkedTo(alex, 10)).toEqual(["c"]);
      await put(store, "a", toAlex);
      await put(store, "b", NO_LINK);
      expect(await store.linkedTo(player.uuid, 10)).toEqual([]);
      expect((await store.linkedTo(alex, 10)).toSorted()).toEqual(["a", "c"]);
    });

    it("keeps an ended link until it is due", async () => {
      await put(store, "s", accepted);
      await put(store, "s", ended(300));
      expect(await store.linkedTo(player.uuid, 10)).toEqual([]);
      expect([await store.due(299, 10), await store.due(300, 10)]).toEqual([[], ["s"]]);
      await put(store, "s", NO_LINK);
      expect(await store.due(300, 10)).toEqual([]);
    });

    it("has one bridge id", async () => {
      const id = await store.bridgeId();
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(await store.bridgeId()).toBe(id);
    });

    it("can be closed twice", async () => {
      await store.close();
      await store.close();
    });

    it("agrees with a plain map after any changes", async () => {
      const step = fc.record({
        session: fc.constantFrom("a", "b", "c"),
        record: fc.oneof(
          fc.constant(NO_LINK),
          fc.constant(accepted),
          fc.nat(50).map(ended),
          fc.nat(50).map(declined),
          fc.tuple(fc.constantFrom("r1", "r2", "r3"), fc.nat(50)).map(([r, t]) => asking(r, t)),
        ),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async steps => {
          const fresh = await make();
          const model = new Map<string, LinkRecord>();
          for (const { session, record } of steps) {
            await put(fresh, session, record);
            model.set(session, record);
          }
          for (const [session, record] of model) expect(await fresh.read(session)).toEqual(record);
          const open = [...model]
            .filter(([, record]) => record.asking !== undefined)
            .map(([session]) => session);
          expect((await fresh.open(10)).map(each => each.session).toSorted()).toEqual(open.toSorted());
          await fresh.close();
        }),
        { numRuns: 25 },
      );
    });
  });
}
