import { describe, expect, it } from "@jest/globals";
import { isOfAll, plan } from "../../lab/chaos/plan.ts";

describe("a plan of faults", () => {
  it("is the same for the same seed, and another for another one", () => {
    expect(plan(7, 100)).toEqual(plan(7, 100));
    expect(plan(8, 100)).not.toEqual(plan(7, 100));
  });

  it("has every kind of fault, one every 100 to 400 ms", () => {
    const planned = plan(1, 2_000);
    const gaps = planned.slice(1).map(({ at }, i) => at - (planned[i]?.at ?? 0));
    expect(Math.min(...gaps)).toBe(100);
    expect(Math.max(...gaps)).toBe(400);
    const kinds = planned.map(({ fault }) => (fault.is === "net" ? fault.fault.is : fault.is));
    expect([...new Set(kinds)].sort()).toEqual([
      ...[
        "double",
        "drop-socket",
        "end-game",
        "end-sidecar",
        "freeze-sidecar",
        "hang-game",
        "lag-game",
        "late",
      ],
      ...["lose-answer", "lose-request", "outage", "quit", "slow-socket"],
    ]);
  });

  it("has none that meets everybody among the first, where a game server is to be left alone by those", () => {
    const meetAll = plan(1, 200, 100).map(({ fault }) => isOfAll(fault));
    expect(meetAll).toHaveLength(200);
    expect(meetAll.indexOf(true)).toBeGreaterThanOrEqual(100);
    expect(plan(1, 200).some(({ fault }, i) => i < 100 && isOfAll(fault))).toBe(true);
  });
});
