import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { MAX_BANS } from "../../../../shared/limits.ts";
import { activeBans, add, applyChange, applyFromGame, changesFor, entriesOf, remove } from "./ban-changes.ts";
import { type Ban, type BanList, createBanList, draftOf, isActive, keyOf } from "./ban-list.ts";
import { bindEntries, isBanned } from "./banned-players.ts";

const NOW = 1_000;
const STEVE = { name: "Steve", uuid: "uuid-of-steve", persistentId: "5EED" };
const ban = (more: Partial<Ban> = {}): Ban => ({ name: "Steve", at: 10, ...more });
const lifted = (more: Partial<Ban> = {}): Ban => ban({ lifted: true, ...more });

function listOf(...bans: Ban[]): BanList {
  const list = createBanList();
  for (const [i, each] of bans.entries()) list.put(i + 1, each);
  return list;
}
/** A step that adds to the list. */
function puts(existing: readonly Ban[], step: (draft: ReturnType<typeof draftOf>) => unknown): Ban[] {
  const draft = draftOf(listOf(...existing));
  step(draft);
  return draft.puts();
}

it.each([
  [ban(), "*@steve"],
  [ban({ on: "" }), "@steve"],
  [ban({ on: "lobby", persistentId: "5EED" }), "lobby#5eed"],
  [ban({ uuid: "u", apart: true }), "*%u"],
])("%j is the entry %s", (of, key) => {
  expect(keyOf(of)).toBe(key);
});

it.each([
  [ban(), true],
  [ban({ until: NOW + 1 }), true],
  [ban({ until: NOW }), false],
  [lifted(), false],
])("%j holds: %s", (of, holds) => {
  expect(isActive(of, NOW)).toBe(holds);
});

describe("a change", () => {
  it.each([
    ["nothing", [], ban(), "kept", [ban()]],
    ["an earlier one", [ban({ at: 9 })], ban(), "kept", [ban()]],
    ["the same", [ban()], ban({ name: "STEVE" }), "same", []],
    ["another one of that moment", [ban({ reason: "web" })], ban(), "same", [ban({ reason: "web" })]],
    ["a later one", [ban({ at: 11 })], ban(), "late", [ban({ at: 11 })]],
    ["one at the same time", [ban()], lifted(), "kept", [lifted()]],
    ["a lift at the same time", [lifted()], ban(), "late", [lifted()]],
    ["one of another game server", [ban({ on: "lobby", at: 11 })], ban(), "kept", [ban()]],
    ["one from a clock that is ahead", [ban({ toldAt: 99 })], ban({ at: 50, toldAt: 99 }), "same", []],
  ] as const)("meets %s", (_, existing, change, outcome, left) => {
    let came: unknown;
    const put = puts([...existing], draft => {
      came = applyChange(draft, change);
    });
    expect([came, put]).toEqual([outcome, left]);
  });

  it("of a player ends a ban by name, and an unban by name ends those of players", () => {
    const player = ban({ persistentId: "5EED", uuid: "u" });
    expect(puts([ban()], draft => applyChange(draft, player))).toEqual([player, lifted()]);
    expect(puts([ban({ at: 11 })], draft => applyChange(draft, player))).toEqual([player]);
    const lift = lifted({ at: 11, by: "game:Alex" });
    expect(puts([player], draft => applyChange(draft, lift))).toEqual([
      lift,
      { ...player, at: 11, lifted: true, by: "game:Alex" },
    ]);
    expect(puts([lift], draft => applyChange(draft, player))).toEqual([
      { ...player, at: 11, lifted: true, by: "game:Alex" },
    ]);
  });

  it("of a game counts from its arrival if the game's clock is ahead", () => {
    const change = ban({ at: NOW + 5, on: "" });
    const came = { ...change, at: NOW, toldAt: NOW + 5 };
    expect(puts([], draft => applyFromGame(draft, change, { now: NOW, isAgain: false, most: 3 }))).toEqual([
      came,
    ]);
    expect(
      puts([came], draft => applyFromGame(draft, change, { now: NOW + 1, isAgain: true, most: 3 })),
    ).toEqual([]);
  });

  it("of a game that has another player for a ban by uuid ends that ban", () => {
    const existing = ban({ uuid: "other", on: "" });
    const wrong = ban({ uuid: "theirs", persistentId: "other", on: "" });
    const put = puts([existing], draft => applyFromGame(draft, wrong, { now: NOW, isAgain: true, most: 3 }));
    expect(put).toEqual([
      { ...existing, lifted: true },
      { ...existing, apart: true },
      { ...wrong, lifted: true },
    ]);
    expect(put.flatMap(each => changesFor(each, ""))).toMatchObject([{ lifted: true }, { lifted: true }]);
  });
});

describe("a change by key", () => {
  const how = { on: undefined, now: NOW, decision: { by: "moderator" } };

  it("wins over all existing changes", () => {
    const existing = [ban({ at: 2_000 }), ban({ at: 3_000, persistentId: "5eed", uuid: STEVE.uuid })];
    const [put, ...others] = puts(existing, draft => add(draft, STEVE, how));
    expect(put).toEqual({ ...STEVE, at: 3_001, by: "moderator" });
    expect(others).toEqual([lifted({ at: 3_001, by: "moderator" })]);
  });

  it("replaces a ban by the uuid alone", () => {
    const apart = ban({ name: "", uuid: STEVE.uuid, apart: true });
    expect(puts([apart], draft => add(draft, STEVE, how))).toMatchObject([
      { persistentId: "5EED", at: NOW },
      { apart: true, lifted: true },
    ]);
  });

  it("distinguishes two players who were seen with one name", () => {
    const draft = draftOf(listOf());
    for (const uuid of ["one", "other"]) add(draft, { name: "Sam", uuid }, how);
    const [one, other] = draft.puts();
    expect([one?.uuid, one?.apart, other?.uuid, other?.apart]).toEqual(["one", undefined, "other", true]);
  });

  it("is accepted up to ten thousand, not counting expired bans", () => {
    const full = Array.from({ length: MAX_BANS }, (_, i) => ban({ name: `n${i}` }));
    const player = { name: "one more" };
    expect(add(draftOf(listOf(...full)), player, how)).toBeUndefined();
    expect(add(draftOf(listOf(...full)), { name: "N7" }, how)).toMatchObject({ name: "N7" });
    expect(add(draftOf(listOf(...full.slice(1), lifted())), player, how)).toBeDefined();
    const reported = full.map(each => ({ ...each, from: "lobby" }));
    expect(add(draftOf(listOf(...reported)), player, how)).toBeDefined();
  });

  it("has a separate limit for each game server, apart from others and the website", () => {
    const own = ["a", "b", "c"].map(name => ban({ name, on: "lobby", from: "lobby" }));
    const one = ban({ name: "d", on: "lobby", from: "lobby" });
    const tell = (change: Ban, ...existing: Ban[]) =>
      applyFromGame(draftOf(listOf(...existing)), change, { now: NOW, isAgain: false, most: 3 });
    expect(tell(one, ...own)).toBe("full");
    expect(tell({ ...one, lifted: true }, ...own)).toBe("kept");
    expect(tell({ ...one, from: "mines", on: "mines" }, ...own)).toBe("kept");
    expect(tell(one, ...own.slice(1), ban({ name: "e" }))).toBe("kept");
    // It does not copy the decisions of others either.
    expect(tell({ ...one, at: NOW }, ...own, ban({ name: "d", on: "lobby" }))).toBe("full");
  });

  it("is found by name or uuid, for all game servers or one", () => {
    const list = listOf(ban({ uuid: "u" }), ban({ uuid: "u", on: "lobby" }), lifted({ on: "" }));
    expect(entriesOf(list, { name: "STEVE" }, { now: NOW })).toHaveLength(2);
    expect(entriesOf(list, { uuid: "u" }, { now: NOW, on: "lobby" })).toEqual([
      ban({ uuid: "u", on: "lobby" }),
    ]);
    expect(activeBans(list, { now: NOW, on: "" })).toEqual([ban({ uuid: "u" })]);
    const draft = draftOf(list);
    remove(draft, [ban({ uuid: "u" })], { now: 5, by: "moderator" });
    expect(draft.puts()).toEqual([lifted({ uuid: "u", at: 11, by: "moderator" })]);
  });
});

describe("a player", () => {
  it.each([
    ["by the id, without case", ban({ persistentId: "5eed", name: "Before" }), true],
    ["by the uuid", ban({ name: "", uuid: STEVE.uuid, apart: true }), true],
    ["by name", ban({ name: "STEVE" }), true],
    ["by name here", ban({ on: "" }), true],
    ["by name elsewhere", ban({ on: "lobby" }), false],
    ["by name, who is somebody else", ban({ uuid: "another" }), false],
    ["who is another of that name", ban({ uuid: "another", persistentId: "0" }), false],
    ["no longer", lifted(), false],
  ])("is banned %s: %j %s", (_, of, expected) => {
    expect(isBanned(listOf(of), STEVE, { on: "", now: NOW })).toBe(expected);
  });

  it("who is seen gets the bans by their name or uuid", () => {
    const meet = (existing: Ban, player = STEVE) =>
      puts([existing], draft => bindEntries(draft, player, { on: "", now: NOW }));
    expect(meet(ban({ by: "x" }))).toEqual([{ ...STEVE, at: 10, by: "x" }, lifted({ by: "x" })]);
    const apart = ban({ name: "", uuid: STEVE.uuid, apart: true });
    expect(meet(apart)).toEqual([
      { ...apart, lifted: true },
      { ...STEVE, at: 10 },
    ]);
    expect(meet(ban({ uuid: "another" }))).toEqual([
      lifted({ uuid: "another" }),
      ban({ uuid: "another", apart: true }),
    ]);
    const { name, uuid } = STEVE;
    expect(meet(ban(), { name, uuid, persistentId: "" })).toEqual([ban({ uuid })]);
    expect(meet(ban({ persistentId: "5EED", uuid }))).toEqual([]);
    const before = { persistentId: "5EED", uuid, name: "Before" };
    expect(meet(ban(before))).toEqual([ban({ ...before, name: "Steve", names: ["Before"] })]);
    expect(meet(ban({ until: NOW }))).toEqual([]);
  });
});

it("of expired bans the oldest are forgotten, and none that is active", () => {
  const over = Array.from({ length: 10_000 }, (_, i) => ban({ name: `n${i}`, until: 1 }));
  expect(listOf(ban(), ...over).expired(NOW)).toEqual([]);
  expect(listOf(ban(), ...over, lifted({ name: "x" })).expired(NOW)).toEqual(["*@n0"]);
});

it("a list finds its entries in any order of changes", () => {
  const any = fc.record({
    name: fc.constantFrom("a", "A", "b"),
    uuid: fc.constantFrom("1", "2"),
    at: fc.nat(5),
  });
  fc.assert(
    fc.property(fc.array(any), bans => {
      const list = listOf(...bans);
      const newest = new Map(bans.map(each => [keyOf(each), each]));
      for (const name of ["a", "b"])
        expect(new Set(list.named(name))).toEqual(
          new Set([...newest.values()].filter(each => each.name.toLowerCase() === name)),
        );
      for (const uuid of ["1", "2"])
        expect(new Set(list.of(uuid))).toEqual(
          new Set([...newest.values()].filter(each => each.uuid === uuid)),
        );
    }),
  );
});
