import { expect, it } from "@jest/globals";
import { ask, newSession } from "../helpers/client.ts";
import { eventually } from "../helpers/eventually.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds, startScene } from "../helpers/redis-sides.ts";

// Own connections: reads figures of the bridge listener; everything else is checked.

const ends = createEnds();

needs("redis-server", hasRedis).describe("a sidecar that stops", () => {
  it("leaves no request for another sidecar after it has reported the request as failed", async () => {
    const { sides, pack } = await startScene(ends);
    const [two, one] = sides;
    const { cookie } = await newSession(one.base);
    const pending = ask(one.base, "/link-player", { cookie, body: { username: "Steve" } });
    await eventually(async () =>
      expect(await (await fetch(`${two.bridge}/metrics`)).text()).toContain("outbox_actions 1"),
    );
    const stopped = one.stop();
    expect((await pending).status).toBe(500);
    expect((await pack.report()).body.actions).toEqual([]);
    await stopped;
  });
});
