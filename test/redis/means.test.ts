import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "@jest/globals";
import fc from "fast-check";
import { count, LONG, LONG_SPANS, NO_MEANS, slotOf } from "../../sidecar/features/status/rules/means.ts";
import type { Shared } from "../../sidecar/kernel/storage/ports/shared.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { needs } from "../helpers/runner.ts";

needs("redis-server", hasRedis).describe("two sidecars on one Redis", () => {
  const redis = redisForTests();
  let one: Shared;
  let two: Shared;
  beforeEach(async () => {
    const prefix = randomUUID();
    [one, two] = [await redis.open({ prefix }), await redis.open({ prefix })];
  });

  it("have the means that one process has by itself, whoever counts a report and whatever the clock does", async () => {
    const step = fc.record({
      by: fc.constantFrom(0, 1, 2),
      ms: fc.oneof(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -90_000, max: 400 * 86_400_000 })),
      tps: fc.integer({ min: 0, max: 2_000 }).map(hundredths => hundredths / 100),
      onlinePlayerCount: fc.nat(200),
      memoryUsedMB: fc.option(fc.nat(1_000_000)),
      cpuUsage: fc.option(fc.integer({ min: 0, max: 10_000 }).map(hundredths => hundredths / 100)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
        const shared = randomUUID();
        const sides = [await redis.open({ prefix: shared }), await redis.open({ prefix: shared })];
        let [at, means] = [Date.UTC(2026, 0, 1), NO_MEANS];
        for (const { by, ms, ...rest } of steps) {
          at += ms;
          const report = { at, ...rest };
          const counted = count(means, report);
          for (const side of by === 2 ? sides : [sides[by]]) {
            const told = await side?.world.history.count(report, counted);
            const bySpan = LONG_SPANS.map(
              span => counted.slots[span].find(({ slot }) => slot === slotOf(span, at))?.sums,
            );
            expect(told).toEqual(bySpan);
          }
          means = counted;
        }
        for (const side of sides) expect(await side.world.history.means()).toEqual(means);
        for (const side of sides) await side.close();
      }),
      { numRuns: 25 },
    );
  });

  it("keep no more slots of a span than it has points, and drop the oldest", async () => {
    const { history } = one.world;
    const at = (i: number) => i * 86_400_000;
    await Promise.all(
      Array.from({ length: 400 }, (_, i) =>
        history.count(
          { at: at(i), tps: 20, onlinePlayerCount: 1, memoryUsedMB: null, cpuUsage: null },
          NO_MEANS,
        ),
      ),
    );
    const { slots } = await two.world.history.means();
    expect(LONG_SPANS.map(span => slots[span].length)).toEqual(LONG_SPANS.map(span => LONG[span].points));
    expect(slots["365d"][0]?.slot).toBe(35);
  });
});
