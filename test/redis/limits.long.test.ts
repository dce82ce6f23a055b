import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

needs("redis-server", hasRedis).describe("the limits of three sidecars on one Redis", () => {
  const redis = redisForTests();
  const sides: TestSidecar[] = [];
  const open: { close(): unknown }[] = [];
  const clock = new ManualClock();
  afterEach(async () => {
    await Promise.all(open.splice(0).map(each => each.close()));
    await Promise.all(sides.splice(0).map(side => side.stop()));
  });

  /** All that they share is what they count. */
  async function start(limits: string): Promise<string[]> {
    const prefix = randomUUID();
    const yaml = `modules: {api: {limits: {${limits}}}}`;
    for (let i = 0; i < 3; i++) {
      const { rates } = await redis.open({ clock, prefix });
      sides.push(await startTestSidecar({ clock, rates, yaml }));
    }
    return sides.map(({ base }) => base);
  }
  const by = <T>(all: readonly T[], i: number): T => all[i % all.length] as T;

  async function statuses(asked: Promise<{ status: number }>[]): Promise<Record<number, number>> {
    const counted: Record<number, number> = {};
    for (const { status } of await Promise.all(asked)) counted[status] = (counted[status] ?? 0) + 1;
    return counted;
  }

  it("are each sidecar's own while Redis does not answer, and nobody waits for long", async () => {
    const bases = await start("requests-per-minute: 3");
    redis.server().pause();
    const flood = (): Promise<Record<number, number>> =>
      statuses(Array.from({ length: 12 }, (_, i) => ask(by(bases, i), "/healthz")));
    expect(await flood()).toEqual({ 200: 9, 429: 3 });
    redis.server().resume();
    await eventually(async () => {
      // What Redis was asked in vain it has counted all the same.
      clock.advance(60_000);
      expect(await flood()).toEqual({ 200: 3, 429: 9 });
    });
  });
});
