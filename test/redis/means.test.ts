import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  count,
  LONG,
  LONG_SPANS,
  meansAt,
  NO_MEANS,
  slotOf,
} from "../../sidecar/features/status/rules/means.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, type RedisSide, redisForTests } from "../helpers/redis.ts";

needs("redis-server", hasRedis).describe("two sidecars on one Redis", () => {
  const redis = redisForTests();
  let one: RedisSide;
  let two: RedisSide;
  beforeEach(async () => {
    const prefix = randomUUID();
    [one, two] = [await redis.open({ prefix }), await redis.open({ prefix })];
  });

  it("have the averages that one process has, whichever sidecar counts a report, and if some are late", async () => {
    const step = fc.record({
      by: fc.constantFrom(0, 1, 2),
      ms: fc.oneof(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 0, max: 400 * 86_400_000 })),
      lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90_000 })),
      tps: fc.integer({ min: 0, max: 2_000 }).map(hundredths => hundredths / 100),
      onlinePlayerCount: fc.nat(200),
      memoryUsedMB: fc.option(fc.nat(1_000_000)),
      cpuUsage: fc.option(fc.integer({ min: 0, max: 10_000 }).map(hundredths => hundredths / 100)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
        const server = randomUUID();
        const sides = [one.history(server), two.history(server)];
        let [now, means] = [Date.UTC(2026, 0, 1), NO_MEANS];
        for (const { by, ms, lateMs, ...rest } of steps) {
          now += ms;
          const report = { at: now - lateMs, freshMs: 15_000, ...rest };
          const counted = count(means, report);
          for (const side of by === 2 ? sides : [sides[by]]) {
            const changed = await side?.count(report);
            const bySpan = LONG_SPANS.map(
              span => counted.slots[span].find(({ slot }) => slot === slotOf(span, report.at))?.sums,
            );
            expect(changed).toEqual(bySpan);
          }
          means = counted;
        }
        for (const side of sides) {
          const { last, slots } = await side.means();
          expect(last).toBe(means.last);
          for (const span of LONG_SPANS)
            expect(meansAt(span, slots[span], now)).toEqual(meansAt(span, means.slots[span], now));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("keep at most as many intervals of a span as it has points, and drop the oldest", async () => {
    const at = (i: number) => i * 86_400_000;
    const none = { memoryUsedMB: null, cpuUsage: null };
    for (let i = 0; i < 400; i++)
      await one.history("").count({ at: at(i), tps: 20, onlinePlayerCount: 1, freshMs: 15_000, ...none });
    const { slots } = await two.history("").means();
    for (const span of LONG_SPANS) expect(slots[span].length).toBeLessThanOrEqual(LONG[span].points);
    expect(slots["365d"].map(({ slot }) => slot)).toEqual(Array.from({ length: 365 }, (_, i) => 35 + i));
  });
});
