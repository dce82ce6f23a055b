import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { checkJson } from "../../../../shared/guard.ts";
import {
  compact,
  countReport,
  endMissedVisit,
  endVisit,
  figuresOf,
  forgetPlayer,
  forgottenByPack,
  isListed,
  isPresent,
  type KnownRecord,
  knownRecord,
  type PlayerRowReport,
  pendingForget,
  type Visit,
} from "./known-players.ts";

const FIRST = "";
const sight = (more: Partial<PlayerRowReport> = {}): PlayerRowReport => ({
  ...{
    server: FIRST,
    at: 1_000,
    since: 1_000,
    isJoin: true,
    name: "Steve",
    figures: [0, 0, 0],
    hidden: false,
  },
  ...more,
});
const known = (...sights: Partial<PlayerRowReport>[]): KnownRecord => {
  const [first, ...more] = sights.map(sight);
  if (first === undefined) throw new Error("nobody was seen");
  return more.reduce(
    (record, each) => countReport(record, each).record,
    countReport(undefined, first).record,
  );
};

describe("a player", () => {
  it("is known from the first report on", () => {
    expect(known({ figures: [1, 2, 3] })).toMatchObject({
      name: "Steve",
      first: 1_000,
      last: 1_000,
      visits: 1,
    });
    expect(figuresOf(known({ figures: [1, 2, 3] }))).toEqual([1, 2, 3]);
  });

  it("goes by the newest name", () => {
    expect(known({}, { at: 2_000, name: "Steven" }).name).toBe("Steven");
  });

  it("keeps the last persistent id that the game reported", () => {
    expect(known({})).not.toHaveProperty("persistentId");
    const updated = known({ persistentId: "" }, { at: 2_000, persistentId: "5EED" });
    expect(updated.persistentId).toBe("5EED");
    expect(countReport(updated, sight({ at: 3_000, persistentId: "" })).record.persistentId).toBe("5EED");
    expect(forgetPlayer(updated, { servers: [FIRST], at: 4_000 })).not.toHaveProperty("persistentId");
  });

  it("is in no list while hidden, and again when not", () => {
    const hidden = known({}, { hidden: true });
    expect(isListed(hidden)).toBe(false);
    expect(isListed(countReport(hidden, sight({ at: 3_000 })).record)).toBe(true);
  });

  it("was last seen at the last report or leave event", () => {
    const stays = known({}, { at: 5_000 });
    expect(stays.last).toBe(5_000);
    expect(endVisit(stays, FIRST, 6_000).record.last).toBe(6_000);
    expect(endMissedVisit(stays, FIRST).record.last).toBe(5_000);
  });
});

describe("a visit", () => {
  it("is one as long as its id is the same, however long the game was silent", () => {
    expect(known({}, { at: 90_000_000, isJoin: false }).visits).toBe(1);
  });

  it("is a new one if its id changes, and the previous one ended with its last report", () => {
    const again = countReport(known({}, { at: 4_000 }), sight({ at: 9_000, since: 8_000 }));
    expect(again.record.visits).toBe(2);
    expect(again.ended).toEqual([{ from: 1_000, to: 4_000 }]);
  });

  it("began when the player joined, though the join was not reported", () => {
    const found = (since: number): number | undefined =>
      countReport(undefined, sight({ at: 9_000, since, isJoin: false })).record.servers[FIRST]?.stay?.from;
    expect(found(7_000)).toBe(7_000);
    // The clock of another machine, which is ahead.
    expect(found(12_000)).toBe(9_000);
  });

  it("does not start before the player was last seen elsewhere", () => {
    const left = endVisit(known({}), FIRST, 5_000).record;
    const { record } = countReport(left, sight({ at: 9_000, since: 2_000, isJoin: false, server: "lobby" }));
    expect(record.servers.lobby?.stay?.from).toBe(5_000);
  });

  it("is counted on each game server", () => {
    const both = known({}, { server: "lobby" });
    expect(both.visits).toBe(2);
    expect(isPresent(endVisit(both, FIRST, 2_000).record)).toBe(true);
    expect(isPresent(endVisit(endVisit(both, FIRST, 2_000).record, "lobby", 2_000).record)).toBe(false);
  });

  it("from a pack without visit ids lasts until the player leaves", () => {
    const old = known({ since: undefined }, { since: undefined, at: 3_000 });
    expect(old.visits).toBe(1);
    expect(
      countReport(endVisit(old, FIRST, 4_000).record, sight({ since: undefined, at: 5_000 })).record.visits,
    ).toBe(2);
  });

  it("does not end before it started, even if a clock was set back", () => {
    expect(endVisit(known({ at: 5_000 }), FIRST, 1_000).ended).toEqual([{ from: 5_000, to: 5_000 }]);
  });
});

describe("a player's statistics", () => {
  it("[KNOWN-8] are added up when a counter of the pack restarts", () => {
    const restarted = known(
      { figures: [5, 1, 100] },
      { since: 50_000, at: 80_000, figures: [1, 1, 30] },
      { since: 50_000, at: 90_000, figures: [2, 3, 40] },
    );
    expect(figuresOf(restarted)).toEqual([7, 3, 140]);
    // An older pack, which does not report when the visit began.
    const old = known({ since: undefined, figures: [5, 1, 100] }, { since: undefined, figures: [0, 1, 99] });
    expect(figuresOf(old)).toEqual([5, 1, 199]);
  });

  it("[KNOWN-8] continue after a script reload and after a crash", () => {
    const reloaded = known(
      { figures: [5, 5, 3_600] },
      { figures: [4, 5, 3_590] },
      { figures: [5, 6, 3_620] },
    );
    expect(figuresOf(reloaded)).toEqual([6, 6, 3_630]);
    const crashed = known({ figures: [5, 5, 3_600] }, { since: 9_000, at: 20_000, figures: [5, 5, 3_580] });
    expect(figuresOf(crashed)).toEqual([5, 5, 3_600]);
  });

  it("are the sum over all game servers", () => {
    expect(figuresOf(known({ figures: [1, 2, 3] }, { server: "lobby", figures: [10, 20, 30] }))).toEqual([
      11, 22, 33,
    ]);
  });

  it("are numbers that can be stored, for any report of a pack", () => {
    const most = Number.MAX_SAFE_INTEGER;
    const lies = Array.from({ length: 6 }, (_, i) => ({
      ...{ server: "lobby", since: i, at: i },
      figures: i % 2 === 0 ? [most, most, most] : [0, 0, 0],
    }));
    const record = known({ figures: [1, 2, 3] }, ...lies);
    expect(checkJson(knownRecord, JSON.stringify(record))).toEqual({ value: record });
    expect(figuresOf(record)).toEqual([most, most, most]);
  });
});

describe("a player who is forgotten", () => {
  const servers = [FIRST, "lobby"];
  const here = known({ figures: [5, 5, 500] });
  const gone = (record: KnownRecord | undefined): KnownRecord => {
    if (record === undefined) throw new Error("nothing is remembered");
    return record;
  };

  it("leaves no earlier name, statistic or time", () => {
    const after = gone(forgetPlayer(here, { servers, by: FIRST, at: 2_000 }));
    expect(after).toMatchObject({ name: "", first: 0, visits: 0 });
    expect(figuresOf(after)).toEqual([0, 0, 0]);
    expect(isListed(after)).toBe(false);
  });

  it("leaves nothing if there is one game server and the player is offline", () => {
    const away = endVisit(here, FIRST, 2_000).record;
    expect(forgetPlayer(away, { servers: [FIRST], by: FIRST, at: 3_000 })).toBeUndefined();
  });

  it("is not counted until the visit is over", () => {
    let record = gone(forgetPlayer(here, { servers: [FIRST], by: FIRST, at: 2_000 }));
    record = countReport(record, sight({ at: 3_000, figures: [9, 9, 900], isJoin: false })).record;
    expect(isListed(record)).toBe(false);
    expect(figuresOf(record)).toEqual([0, 0, 0]);
    const over = endVisit(record, FIRST, 4_000);
    expect(over.ended).toEqual([]);
    expect(compact(over.record)).toBeUndefined();
  });

  it("is counted from zero from the next visit on", () => {
    const record = gone(forgetPlayer(here, { servers: [FIRST], by: FIRST, at: 2_000 }));
    const next = countReport(record, sight({ at: 5_000, since: 5_000, figures: [0, 0, 2] })).record;
    expect(next).toMatchObject({ name: "Steve", first: 5_000, visits: 1 });
    expect(figuresOf(next)).toEqual([0, 0, 2]);
  });

  it("is sent to the other game servers when the player joins there, whose earlier figures do not count", () => {
    let record = gone(forgetPlayer(here, { servers, by: FIRST, at: 2_000 }));
    expect(pendingForget(record, "lobby")).toBeUndefined();
    record = countReport(
      record,
      sight({ server: "lobby", at: 5_000, since: 5_000, figures: [7, 7, 700] }),
    ).record;
    expect(pendingForget(record, "lobby")).toEqual({ counts: true });
    expect(figuresOf(record)).toEqual([0, 0, 0]);
    record = countReport(
      record,
      sight({ server: "lobby", at: 6_000, since: 5_000, figures: [7, 8, 710] }),
    ).record;
    expect(figuresOf(record)).toEqual([0, 1, 10]);
    record = gone(forgottenByPack(record, "lobby"));
    record = countReport(
      record,
      sight({ server: "lobby", at: 7_000, since: 5_000, figures: [0, 0, 3] }),
    ).record;
    expect(figuresOf(record)).toEqual([0, 1, 13]);
    expect(pendingForget(record, "lobby")).toBeUndefined();
  });

  it("is not counted for the rest of a visit on another game server either", () => {
    const both = known({}, { server: "lobby", since: 1_500, at: 1_500, figures: [1, 1, 1] });
    let record = gone(forgetPlayer(both, { servers, by: FIRST, at: 2_000 }));
    record = countReport(
      record,
      sight({ server: "lobby", since: 1_500, at: 3_000, figures: [4, 4, 4] }),
    ).record;
    expect(pendingForget(record, "lobby")).toEqual({ counts: false });
    expect(isListed(record)).toBe(false);
  });
});

/** Actions of a player on two servers, with changes of the clock and of the packs' counters. */
const step = fc.record({
  server: fc.constantFrom(FIRST, "lobby"),
  does: fc.constantFrom("plays", "plays", "plays", "leaves", "comes", "vanishes", "restarts"),
  ms: fc.integer({ min: -5_000, max: 60_000 }),
  more: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(60)),
});

describe("any sequence of events", () => {
  it("counts every visit and statistic once, and nothing negative", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        let record: KnownRecord | undefined;
        let at = 1_000_000;
        const stays: Visit[] = [];
        const counters = new Map([FIRST, "lobby"].map(name => [name, [0, 0, 0]]));
        const there = new Map<string, number>();
        // Counted independently, from the player's actions.
        const played = [0, 0, 0];
        let visits = 0;
        for (const [i, { server, does, ms, more }] of steps.entries()) {
          at = Math.max(1, at + ms);
          const counter = counters.get(server) ?? [];
          const report = (isJoin: boolean): void => {
            const since = there.get(server);
            const counted = countReport(record, sight({ server, at, since, isJoin, figures: [...counter] }));
            record = counted.record;
            stays.push(...counted.ended);
          };
          if (does === "comes" && !there.has(server)) {
            there.set(server, i);
            visits++;
            report(true);
          } else if (there.has(server) && record !== undefined) {
            if (does === "plays") {
              more.forEach((value, k) => {
                counter[k] = (counter[k] ?? 0) + value;
                played[k] = (played[k] ?? 0) + value;
              });
              report(false);
            }
            if (does !== "plays") {
              // In another world, counters start at 0 with the next visit.
              if (does === "restarts") counters.set(server, [0, 0, 0]);
              const known = does === "leaves" ? endVisit(record, server, at) : endMissedVisit(record, server);
              record = known.record;
              stays.push(...known.ended);
              there.delete(server);
            }
          }
        }
        expect(record?.visits ?? 0).toBe(visits);
        expect(record ? figuresOf(record) : [0, 0, 0]).toEqual(played);
        expect(stays.length).toBe(visits - there.size);
        expect(stays.every(({ from, to }) => from >= 0 && to >= from)).toBe(true);
        if (record) {
          expect(record.last).toBeGreaterThanOrEqual(record.first);
          expect(checkJson(knownRecord, JSON.stringify(record))).toEqual({ value: record });
        }
      }),
    );
  });
});
