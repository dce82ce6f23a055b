import { expect, it } from "@jest/globals";
import { startRedisServer } from "../../lab/scale/redis-server.ts";
import { ask, newSession } from "../helpers/client.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds, startRedisSide } from "../helpers/redis-sides.ts";
import { eventually, needs } from "../helpers/runner.ts";

// Own connections: asks the bridge listener for figures; all else is checked.

const ends = createEnds();

needs("redis-server", hasRedis).describe("a sidecar that stops", () => {
  it("leaves no request behind that another one hands out, once it has said that it failed", async () => {
    const redis = await startRedisServer();
    ends(() => redis.stop());
    const [one, two] = [await startRedisSide({ url: redis.url }), await startRedisSide({ url: redis.url })];
    ends(() => two.stop());
    const pack = new FakePack(two.bridge);
    await pack.connect();
    await pack.snapshot("Steve");
    const { cookie } = await newSession(one.base);
    const asked = ask(one.base, "/link-player", { cookie, body: { username: "Steve" } });
    await eventually(async () =>
      expect(await (await fetch(`${two.bridge}/metrics`)).text()).toContain("outbox_actions 1"),
    );
    const stopped = one.stop();
    expect((await asked).status).toBe(500);
    expect((await pack.report()).body.actions).toEqual([]);
    await stopped;
  });
});
