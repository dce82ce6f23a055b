import { expect, it } from "@jest/globals";
import { ask, newSession } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds, startScene } from "../helpers/redis-sides.ts";

// Own connections: asks the bridge listener for figures; all else is checked.

const ends = createEnds();

needs("redis-server", hasRedis).describe("a sidecar that stops", () => {
  it("leaves no request behind that another one hands out, once it has said that it failed", async () => {
    const { sides, pack } = await startScene(ends);
    const [two, one] = sides;
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
