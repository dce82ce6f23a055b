import { expect, it } from "@jest/globals";
import { needs } from "../helpers/needs.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";

needs("redis-server", hasRedis).describe("secrets of sign-in, in Redis", () => {
  const redis = redisForTests({ settings: { "maxmemory-policy": "noeviction" } });

  it("are renewed also without space", async () => {
    const { signIn } = await redis.open({ isStill: true });
    expect(await signIn.replaceSecrets("", "short")).toBe(true);
    await redis.server().command("CONFIG", "SET", "maxmemory", "100kb");
    expect(await signIn.replaceSecrets("short", "longer than before")).toBe(true);
    expect(await signIn.secrets()).toBe("longer than before");
  });
});
