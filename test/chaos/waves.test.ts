import { describe, expect, it } from "@jest/globals";
import { type Fault, isOfAll } from "../../lab/chaos/plan.ts";
import { planWaves } from "../../lab/chaos/waves.ts";

const kindOf = (fault: Fault): string => {
  if (fault.is === "net") return fault.fault.is;
  if (fault.is === "spoil-line") return fault.how;
  if (fault.is === "end-sidecar") return fault.signal;
  return fault.is === "end-redis" ? `${fault.is} ${fault.how}` : fault.is;
};

describe("waves of faults for three sidecars", () => {
  it("are the same for the same seed, and others for another one", () => {
    expect(planWaves(7, 100, 3)).toEqual(planWaves(7, 100, 3));
    expect(planWaves(8, 100, 3)).not.toEqual(planWaves(7, 100, 3));
  });

  it("have as many faults as they were asked for, of every kind", () => {
    const faults = planWaves(1, 2_000, 3).flat();
    expect(faults).toHaveLength(2_000);
    expect([...new Set(faults.map(({ fault }) => kindOf(fault)))].sort()).toEqual([
      ...["SIGKILL", "SIGTERM", "cut", "deaf", "double", "drop-socket", "end-game"],
      ...["end-redis kill", "end-redis stop", "freeze-sidecar", "hang-game", "held", "lag-game", "late"],
      ...["lose-answer", "lose-request", "outage", "pause-redis", "quit", "silent", "slow-socket"],
    ]);
  });

  it("send requests to two sidecars at once, and leave one of them running", () => {
    const waves = planWaves(1, 2_000, 3);
    const isAtOnce = ({ fault }: { fault: Fault }): boolean =>
      fault.is === "net" && fault.fault.is === "double" && fault.fault.afterMs === 0;
    expect(waves.flat().some(isAtOnce)).toBe(true);
    for (const wave of waves)
      expect(wave.filter(({ fault }) => fault.is === "end-sidecar").length).toBeLessThan(3);
  });

  it("have none that meets everybody among the first, where a game server is to be left alone by those", () => {
    const meetAll = planWaves(1, 200, 3, 100)
      .flat()
      .map(({ fault }) => isOfAll(fault));
    expect(meetAll).toHaveLength(200);
    expect(meetAll.indexOf(true)).toBeGreaterThanOrEqual(100);
  });
});
