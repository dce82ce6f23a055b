import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type BanChange, banChange, endsBan, entryKey, replaces } from "./bans.ts";
import { check } from "./guard.ts";
import { BAN_REASON_LENGTH, BANS_PER_FRAME, MAX_BODY_BYTES } from "./limits.ts";
import { bansFrame } from "./requests.ts";

const ban = (more: Partial<BanChange> = {}): BanChange => ({ name: "Steve", at: 100, ...more });
const identified = (more: Partial<BanChange> = {}): BanChange => ban({ persistentId: "AB12", ...more });

describe("an entry of the ban list", () => {
  it("[BAN-1] is one player, by persistent id ignoring case if known and else by name, on one server or on all", () => {
    expect(entryKey(ban())).toBe(entryKey(ban({ name: "sTEVE", reason: "spam", lifted: true })));
    expect(entryKey(identified())).toBe(entryKey(identified({ name: "Alex", persistentId: "ab12" })));
    const keys = [ban(), identified(), ban({ everywhere: true }), identified({ everywhere: true })].map(
      entryKey,
    );
    // A name that looks like an id is still a name.
    expect(new Set([...keys, entryKey(ban({ name: "#ab12" })), entryKey(ban({ name: "*" }))]).size).toBe(6);
  });

  it("[BAN-2] has the state of its latest change, and of two with the same time the unban", () => {
    expect(replaces(ban({ at: 101 }), ban({ lifted: true }))).toBe(true);
    expect(replaces(ban({ at: 99, lifted: true }), ban())).toBe(false);
    expect(replaces(ban({ lifted: true }), ban())).toBe(true);
    expect(replaces(ban(), ban({ lifted: true }))).toBe(false);
    expect(replaces(ban({ reason: "other" }), ban())).toBe(false);
  });

  it("[BAN-2] is the same for any order of its changes, and for repeated ones", () => {
    const change = fc.record({ at: fc.integer({ min: 0, max: 9 }), lifted: fc.boolean() });
    const last = (changes: readonly BanChange[]): BanChange | undefined =>
      changes.reduce<BanChange | undefined>(
        (existing, next) => (existing === undefined || replaces(next, existing) ? next : existing),
        undefined,
      );
    const inAnyOrder = fc
      .array(change, { minLength: 1 })
      .chain(changes =>
        fc.tuple(
          fc.constant(changes),
          fc.shuffledSubarray([...changes, ...changes], { minLength: 2 * changes.length }),
        ),
      );
    fc.assert(
      fc.property(inAnyOrder, ([some, shuffled]) => {
        const [one, other] = [last(some.map(ban)), last(shuffled.map(ban))];
        expect([other?.at, other?.lifted]).toEqual([one?.at, one?.lifted]);
      }),
    );
  });
});

describe("a change of an entry", () => {
  it("[BAN-3] ends the entry by name if it identifies the player, unless that is later", () => {
    expect(endsBan(identified(), ban({ name: "STEVE" }))).toBe(true);
    expect(endsBan(identified({ lifted: true }), ban())).toBe(true);
    expect(endsBan(identified(), ban({ at: 101 }))).toBe(false);
    expect(endsBan(identified(), identified({ persistentId: "cd34" }))).toBe(false);
  });

  it("[BAN-3] unbans by name everybody banned under it earlier", () => {
    expect(endsBan(ban({ at: 101, lifted: true }), identified())).toBe(true);
    expect(endsBan(ban({ lifted: true }), identified())).toBe(false);
    expect(endsBan(ban({ at: 101 }), identified())).toBe(false);
  });

  it("[BAN-3] does not end an entry of another name, or of one server if it is for all", () => {
    expect(endsBan(identified({ everywhere: true }), ban())).toBe(false);
    expect(endsBan(identified(), ban({ everywhere: true }))).toBe(false);
    expect(endsBan(identified({ name: "Alex" }), ban())).toBe(false);
  });
});

describe("the guard of a change", () => {
  it("accepts a reason of sixty characters, however wide, and rejects a longer one", () => {
    const reason = "🐟".repeat(BAN_REASON_LENGTH);
    expect(check(banChange, ban({ reason }))).toEqual({ value: ban({ reason }) });
    expect(check(banChange, ban({ reason: `${reason}🐟` }))).toHaveProperty("fault");
  });

  it("[BAN-4] accepts as many changes as a frame may have, which fit into a body", () => {
    const widest = {
      name: "\uffff".repeat(64),
      persistentId: "f".repeat(16),
      at: Date.now(),
      until: Date.now(),
    };
    const most = {
      ...widest,
      reason: "🐟".repeat(BAN_REASON_LENGTH),
      by: `game:${widest.name}`,
      again: true,
    };
    const frame = { session: "s", after: 0, changes: Array.from({ length: BANS_PER_FRAME }, () => most) };
    expect(check(bansFrame, frame)).toEqual({ value: frame });
    expect(Buffer.byteLength(JSON.stringify(frame))).toBeLessThan(MAX_BODY_BYTES);
    expect(check(bansFrame, { ...frame, changes: [...frame.changes, most] })).toHaveProperty("fault");
  });
});
