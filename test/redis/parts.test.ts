import { expect, it } from "@jest/globals";
import { createParts } from "../../sidecar/kernel/bridge/parts.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";

needs("redis-server", hasRedis).describe("names in parts, in Redis", () => {
  const redis = redisForTests();

  it("are deleted by the same number of commands, whatever their number", async () => {
    const { records } = await redis.open({ isStill: true });
    const parts = createParts(records.volatile, "");
    const scripts = async (facts: number): Promise<number> => {
      for (let fact = 0; fact < facts; fact++) await parts.addNames("list", fact, ["Alex"]);
      await redis.server().command("CONFIG", "RESETSTAT");
      await parts.forgetNames("list");
      const stats = `${await redis.server().command("INFO", "commandstats")}`;
      return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]);
    };
    expect(await scripts(25)).toBe(await scripts(1));
    expect(await parts.names("list")).toBeUndefined();
  });
});
