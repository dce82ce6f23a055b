import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "@jest/globals";
import { contents, line } from "../../sidecar/features/feed/feed-log.contract.ts";
import type { BusEvent } from "../../sidecar/kernel/bridge/ports.ts";
import { ManualClock } from "../helpers/clock.ts";
import { eventually } from "../helpers/eventually.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, type RedisSide, redisForTests } from "../helpers/redis.ts";

/** An id from a Redis whose clock is far ahead. */
const AHEAD = "99999999999999-0";
const WAKE = ["e", '{"kind":"wake"}'];
const EVENT = JSON.stringify({ event: { event: "server", at: 1, state: "online" } });

needs("redis-server", hasRedis).describe("two sidecars whose Redis gives lower ids than before", () => {
  const redis = redisForTests();
  let prefix = "";
  let sides: readonly [RedisSide, RedisSide];
  beforeEach(async () => {
    prefix = randomUUID();
    sides = [await redis.open({ prefix }), await redis.open({ prefix })];
  });

  /** What they have read is gone, and the clock of Redis is far behind. */
  async function takeOver(): Promise<void> {
    await redis.server().restart();
    await eventually(() => expect(sides.map(({ reach }) => reach.isAway())).toEqual([false, false]));
  }

  it("receive new events, and an event that some are gone", async () => {
    await redis.server().command("XADD", `{${prefix}}:feed`, AHEAD, "e", EVENT);
    await Promise.all(sides.map(({ feedLog }) => feedLog.sync()));
    const received: string[][] = [[], []];
    let holes = 0;
    for (const [i, { feedLog }] of sides.entries()) {
      feedLog.subscribe(entries => received[i]?.push(...contents(entries)));
      feedLog.onGap(() => holes++);
    }
    await takeOver();
    await sides[0].feedLog.publish([line("a")]);
    await sides[1].feedLog.sync();
    expect(received).toEqual([["a"], ["a"]]);
    expect(holes).toBe(2);
  });

  it("receive each other's messages", async () => {
    await redis.server().command("XADD", `{${prefix}}:bus`, AHEAD, ...WAKE);
    // Everything up to there was received.
    for (const { bus } of sides.map(({ server }) => server)) {
      const received: BusEvent[] = [];
      bus.subscribe(event => received.push(event));
      await bus.publish({ kind: "outcome", outcome: { id: "before", status: "done" } });
      await eventually(() => expect(received).not.toEqual([]));
    }
    await takeOver();
    const received: BusEvent[] = [];
    sides[1].server.bus.subscribe(event => received.push(event));
    await sides[0].server.bus.publish({ kind: "outcome", outcome: { id: "after", status: "done" } });
    await eventually(() => expect(received).toMatchObject([{ outcome: { id: "after" } }]));
  });
});

needs("redis-server", hasRedis).describe("short-lived events", () => {
  const redis = redisForTests();

  it("wait in Redis for a sidecar that has lost its connection", async () => {
    const clock = new ManualClock();
    const prefix = randomUUID();
    const { feedLog } = await redis.open({ prefix, clock, forMs: 1 });
    await feedLog.publish([line("a")]);
    for (let i = 0; i < 3; i++) {
      await clock.advance(5_000);
      await feedLog.sync();
    }
    expect((await feedLog.newest(10)).entries).toEqual([]);
    expect(await redis.server().command("XLEN", `{${prefix}}:feed`)).toBe(1);
  });
});
