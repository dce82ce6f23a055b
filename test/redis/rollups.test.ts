import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  averagesAt,
  count,
  LONG,
  LONG_SPANS,
  NO_ROLLUPS,
  slotOf,
} from "../../sidecar/features/status/rules/rollups.ts";
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

  it("have the same averages as one process, whichever sidecar counts a report, even if some are late", async () => {
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
        let [now, rollups] = [Date.UTC(2026, 0, 1), NO_ROLLUPS];
        for (const { by, ms, lateMs, ...rest } of steps) {
          now += ms;
          const report = { at: now - lateMs, freshMs: 15_000, ...rest };
          const counted = count(rollups, report);
          for (const side of by === 2 ? sides : [sides[by]]) {
            const changed = await side?.count(report);
            const bySpan = LONG_SPANS.map(
              span => counted.buckets[span].find(({ slot }) => slot === slotOf(span, report.at))?.totals,
            );
            expect(changed).toEqual(bySpan);
          }
          rollups = counted;
        }
        for (const side of sides) {
          const { last, buckets } = await side.rollups();
          expect(last).toBe(rollups.last);
          for (const span of LONG_SPANS)
            expect(averagesAt(span, buckets[span], now)).toEqual(
              averagesAt(span, rollups.buckets[span], now),
            );
        }
      }),
      { numRuns: 25 },
    );
  });

  it("keep at most as many intervals of a span as it has points, dropping the oldest", async () => {
    const at = (i: number) => i * 86_400_000;
    const none = { memoryUsedMB: null, cpuUsage: null };
    for (let i = 0; i < 400; i++)
      await one.history("").count({ at: at(i), tps: 20, onlinePlayerCount: 1, freshMs: 15_000, ...none });
    const { buckets } = await two.history("").rollups();
    for (const span of LONG_SPANS) expect(buckets[span].length).toBeLessThanOrEqual(LONG[span].points);
    expect(buckets["365d"].map(({ slot }) => slot)).toEqual(Array.from({ length: 365 }, (_, i) => 35 + i));
  });
});
