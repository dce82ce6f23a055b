import { describe, expect, it } from "@jest/globals";
import { type Fault, planWaves } from "../../lab/chaos/plan.ts";

const kindOf = (fault: Fault): string => {
  if (fault.is === "net") return fault.fault.is;
  if (fault.is === "end-sidecar") return fault.signal;
  return "how" in fault ? `${fault.is} ${fault.how}` : fault.is;
};
const kindsOf = (sidecars: number): string[] =>
  [
    ...new Set(
      planWaves(1, 1_000, sidecars)
        .flat()
        .map(({ fault }) => kindOf(fault)),
    ),
  ].sort();

describe("the faults of a seed", () => {
  it("are the same each time, and others for another seed", () => {
    expect(planWaves(7, 100, 3)).toEqual(planWaves(7, 100, 3));
    expect(planWaves(8, 100, 3)).not.toEqual(planWaves(7, 100, 3));
  });

  it("are as many as were asked for, of every kind", () => {
    expect(planWaves(1, 1_000, 3).flat()).toHaveLength(1_000);
    const alone = ["SIGKILL", "SIGTERM", "double", "drop-socket", "end-game kill", "end-game stop"];
    const others = ["freeze-sidecar", "late", "lose-answer", "lose-request", "outage"];
    expect(kindsOf(1)).toEqual([...alone, ...others]);
    const ofRedis = ["end-redis kill", "end-redis stop"];
    expect(kindsOf(3)).toEqual([...alone, ...others, ...ofRedis].sort());
  });

  it("leave one of several sidecars running", () => {
    for (const wave of planWaves(1, 1_000, 3))
      expect(wave.filter(({ fault }) => fault.is === "end-sidecar").length).toBeLessThan(3);
  });
});
