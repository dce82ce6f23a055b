import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { findRedisServer, type RedisServer, startRedisServer } from "../../../../lab/scale/redis-server.ts";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { eventually } from "../../../../test/helpers/eventually.ts";
import { RecordingLog } from "../../../../test/helpers/log.ts";
import { needs } from "../../../../test/helpers/needs.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { Rates } from "../ports.ts";
import { bucket, describeRates, given, rate, type TestRates } from "../rates.contract.ts";
import { createConnection, type RedisConnection } from "./connection.ts";
import { createRedisRates } from "./rates.ts";

const ALONE = "Shared rate limits unavailable: this sidecar counts on its own for now";

needs("redis-server", findRedisServer() !== undefined).all(() => {
  let server: RedisServer;
  let prefixes = 0;
  const connections: RedisConnection[] = [];
  beforeAll(async () => {
    server = await startRedisServer();
  });
  const end = (): void => {
    for (const connection of connections.splice(0)) connection.close();
  };
  afterAll(() => server.stop());

  /** Rates with a separate connection. */
  async function connect(
    prefix = `bridge-${prefixes++}`,
    clock = new ManualClock(),
    log = new RecordingLog(),
  ): Promise<TestRates & { redis: RedisConnection; log: RecordingLog; prefix: string }> {
    const settings = { url: server.url, prefix, sentinel: "", ca: "" };
    const redis = createConnection({ settings, clock: systemClock, log });
    connections.push(redis);
    await redis.start();
    redis.started();
    return { rates: createRedisRates({ redis, now: clock.now, clock, log }), clock, redis, log, prefix };
  }

  const warnings = (log: RecordingLog): unknown[] =>
    log.of("warn").filter(({ message }) => message === ALONE);

  describeRates("rates in Redis", () => connect(), end);

  describe("rates that three sidecars share", () => {
    afterEach(end);

    async function three(behindMs = [0, 0, 0]): Promise<{ all: Rates[]; clocks: ManualClock[] }> {
      const clocks = behindMs.map(ms => new ManualClock(Date.UTC(2026, 0, 1) - ms));
      const all = await Promise.all(clocks.map(clock => connect(`three-${prefixes}`, clock)));
      prefixes++;
      return { all: all.map(({ rates }) => rates), clocks };
    }

    it("let through exactly as much as one would", async () => {
      const { all, clocks } = await three();
      const everybody = bucket("", rate(10, 60, "everybody"));
      const ask = async (count: number): Promise<number> => {
        const answers = Array.from({ length: count }, (_, i) => all[i % 3]?.take(everybody));
        return (await Promise.all(answers)).filter(over => over === -1).length;
      };
      expect(await ask(300)).toBe(60);
      for (const clock of clocks) clock.advance(1_000);
      expect(await ask(300)).toBe(10);
      all[1]?.giveBack(everybody);
      await eventually(async () => expect(await ask(3)).toBe(1));
    });

    it("let through no more if their clocks differ a little", async () => {
      const { all } = await three([0, 40, 80]);
      const everybody = bucket("", rate(1, 30, "everybody"));
      const answers = await Promise.all(Array.from({ length: 90 }, (_, i) => all[i % 3]?.take(everybody)));
      expect(answers.filter(over => over === -1)).toHaveLength(30);
    });
  });

  describe("rates in Redis", () => {
    afterEach(end);

    it("leave only keys that expire soon after they are no longer needed", async () => {
      const { rates, redis } = await connect();
      const slow = bucket("Steve", rate(1 / 60, 5));
      await rates.take(slow, bucket("Alex", rate(100, 5)));
      await rates.take(slow);
      rates.giveBack(bucket("Eve", rate(1, 5)));
      rates.remember("Steve", 5_000);
      const lives = async (name: string): Promise<number> => Number(await redis.ask("PTTL", redis.key(name)));
      expect((await lives("rate:test:Steve")) - 120_000).toBeLessThanOrEqual(10_000);
      expect((await lives("rate:test:Steve")) - 120_000).toBeGreaterThan(0);
      for (const name of ["rate:test:Alex", "rate:test:Eve", "until:Steve"]) {
        expect(await lives(name)).toBeGreaterThan(0);
        expect(await lives(name)).toBeLessThanOrEqual(15_000);
      }
    });

    it("send Redis one request at a time for an address, and none while it has no token", async () => {
      const { redis, clock, log } = await connect();
      let [calls, underWay, most] = [0, 0, 0];
      const run: RedisConnection["run"] = async (...question) => {
        calls++;
        most = Math.max(most, ++underWay);
        return redis.run(...question).finally(() => underWay--);
      };
      const rates = createRedisRates({ redis: { ...redis, run }, now: clock.now, clock, log });
      const everybody = bucket("", rate(1, 1_000, "everybody"));
      const address = bucket("1.2.3.4", rate(10, 600));
      const flood = async (): Promise<number> => {
        const answers = await Promise.all(
          Array.from({ length: 9_000 }, () => rates.take(address, everybody)),
        );
        const given = answers.filter(over => over === -1).length;
        expect(answers.slice(given).every(over => over === 0)).toBe(true);
        return given;
      };
      expect([await flood(), most]).toEqual([600, 1]);
      expect(calls).toBe(7);
      expect(await flood()).toBe(0);
      expect(calls).toBe(7);
      clock.advance(99);
      expect(rates.take(address, everybody)).toBe(0);
      clock.advance(1);
      expect(await flood()).toBe(1);
      expect([calls, most]).toEqual([9, 1]);
      // Others are requested immediately, in one batch.
      const others = ["a", "b", "c"].map(key => rates.take(bucket(key, rate(10, 600)), everybody));
      expect(underWay).toBe(3);
      expect(await Promise.all(others)).toEqual([-1, -1, -1]);
    });

    it("reject nothing after the process was suspended between request and answer", async () => {
      const asleep = await connect();
      const awake = await connect(asleep.prefix);
      const everybody = bucket("", rate(10_000, 10_000, "everybody"));
      const run: RedisConnection["run"] = async (...question) => {
        for (const { clock } of [asleep, awake]) clock.advance(3_000);
        expect(await awake.rates.take(everybody)).toBe(-1);
        return asleep.redis.run(...question);
      };
      const { redis, clock, log } = asleep;
      const rates = createRedisRates({ redis: { ...redis, run }, now: clock.now, clock, log });
      expect(await rates.take(everybody)).toBe(-1);
      expect(warnings(log)).toEqual([]);
    });

    it("are counted locally while Redis is full, with one line in the log", async () => {
      const { rates, log } = await connect();
      const steve = bucket("Steve", rate(1, 3));
      await server.command("CONFIG", "SET", "maxmemory", "1");
      expect(await given(rates, steve, 9)).toBe(3);
      expect(warnings(log)).toHaveLength(1);
      await server.command("CONFIG", "SET", "maxmemory", "0");
      // Local counts were not added to Redis.
      expect(await given(rates, steve, 9)).toBe(3);
      await server.command("CONFIG", "SET", "maxmemory", "1");
      await rates.take(bucket("Alex", rate(1, 3)));
      expect(warnings(log)).toHaveLength(2);
      await server.command("CONFIG", "SET", "maxmemory", "0");
    });

    it("are counted locally, without waiting, while Redis is unreachable, and in Redis when it is back", async () => {
      const { rates, redis, log } = await connect();
      const steve = bucket("Steve", rate(1, 3));
      expect(await given(rates, steve, 1)).toBe(1);
      await server.kill();
      await eventually(() => expect(redis.reach.isAway()).toBe(true));
      expect([1, 2, 3, 4].map(() => rates.take(steve))).toEqual([-1, -1, -1, 0]);
      rates.giveBack(steve);
      expect(rates.take(steve)).toBe(-1);
      rates.remember("Steve", 10_000);
      expect([rates.remembers("Steve"), rates.remembers("Alex")]).toEqual([true, false]);
      await server.restart();
      await eventually(() => expect(redis.reach.isAway()).toBe(false));
      expect(await given(rates, steve, 9)).toBe(3);
      expect(warnings(log).length).toBeLessThanOrEqual(1);
    });

    it("are counted locally for pending calls when Redis becomes unreachable", async () => {
      const { rates, redis, log } = await connect();
      const steve = bucket("Steve", rate(1, 3));
      await rates.take(steve);
      server.pause();
      const answers = Promise.all([
        rates.take(steve),
        rates.take(steve),
        rates.take(steve),
        rates.take(steve),
      ]);
      const remembered = rates.remembers("Steve");
      expect(await answers).toEqual([-1, -1, -1, 0]);
      expect(await remembered).toBe(false);
      expect(warnings(log)).toHaveLength(1);
      expect(redis.reach.isAway()).toBe(true);
      server.resume();
      await eventually(() => expect(redis.reach.isAway()).toBe(false));
    });
  });
});
