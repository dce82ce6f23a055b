import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type BanChange, banChange, endsBan, entryKey, replaces } from "./bans.ts";
import { check } from "./guard.ts";
import { BAN_REASON_LENGTH, BANS_PER_FRAME, MAX_BODY_BYTES } from "./limits.ts";
import { bansFrame } from "./requests.ts";

const ban = (more: Partial<BanChange> = {}): BanChange => ({ name: "Steve", at: 100, ...more });
const known = (more: Partial<BanChange> = {}): BanChange => ban({ persistentId: "AB12", ...more });

describe("an entry of the list of bans", () => {
  it("[BAN-1] is one player, without case by persistent id where that is known and else by name, on one server or on all", () => {
    expect(entryKey(ban())).toBe(entryKey(ban({ name: "sTEVE", reason: "spam", lifted: true })));
    expect(entryKey(known())).toBe(entryKey(known({ name: "Alex", persistentId: "ab12" })));
    const keys = [ban(), known(), ban({ everywhere: true }), known({ everywhere: true })].map(entryKey);
    // A name that looks like an id is none.
    expect(new Set([...keys, entryKey(ban({ name: "#ab12" })), entryKey(ban({ name: "*" }))]).size).toBe(6);
  });

  it("[BAN-2] is what was decided last, and of two things at once no ban", () => {
    expect(replaces(ban({ at: 101 }), ban({ lifted: true }))).toBe(true);
    expect(replaces(ban({ at: 99, lifted: true }), ban())).toBe(false);
    expect(replaces(ban({ lifted: true }), ban())).toBe(true);
    expect(replaces(ban(), ban({ lifted: true }))).toBe(false);
    expect(replaces(ban({ reason: "other" }), ban())).toBe(false);
  });

  it("[BAN-2] is the same whatever the order in which changes come, and however often", () => {
    const change = fc.record({ at: fc.integer({ min: 0, max: 9 }), lifted: fc.boolean() });
    const last = (changes: readonly BanChange[]): BanChange | undefined =>
      changes.reduce<BanChange | undefined>(
        (held, next) => (held === undefined || replaces(next, held) ? next : held),
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
  it("[BAN-3] ends the one by name where it says who has the name, but for a later one", () => {
    expect(endsBan(known(), ban({ name: "STEVE" }))).toBe(true);
    expect(endsBan(known({ lifted: true }), ban())).toBe(true);
    expect(endsBan(known(), ban({ at: 101 }))).toBe(false);
    expect(endsBan(known(), known({ persistentId: "cd34" }))).toBe(false);
  });

  it("[BAN-3] lifts by name what was decided earlier of whoever was banned under it", () => {
    expect(endsBan(ban({ at: 101, lifted: true }), known())).toBe(true);
    expect(endsBan(ban({ lifted: true }), known())).toBe(false);
    expect(endsBan(ban({ at: 101 }), known())).toBe(false);
  });

  it("[BAN-3] ends none of another name, nor of one server where it is of all", () => {
    expect(endsBan(known({ everywhere: true }), ban())).toBe(false);
    expect(endsBan(known(), ban({ everywhere: true }))).toBe(false);
    expect(endsBan(known({ name: "Alex" }), ban())).toBe(false);
  });
});

describe("the guard of a change", () => {
  it("takes a reason of sixty characters, however wide they are, and no longer one", () => {
    const reason = "🐟".repeat(BAN_REASON_LENGTH);
    expect(check(banChange, ban({ reason }))).toEqual({ value: ban({ reason }) });
    expect(check(banChange, ban({ reason: `${reason}🐟` }))).toHaveProperty("fault");
  });

  it("[BAN-4] takes as many of them as a frame has, which fit into a body", () => {
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
