import { expect, it } from "@jest/globals";
import { RecordingLog } from "../helpers/log.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { needs } from "../helpers/runner.ts";

/** Longer than Redis may leave anything without an answer. */
const LONG_MS = 2_500;

function standStill(): void {
  const end = performance.now() + LONG_MS;
  while (performance.now() < end);
}

needs("redis-server", hasRedis).describe("a sidecar that stands still for a while", () => {
  const redis = redisForTests();

  it("goes on as if nothing had been, on its connections", async () => {
    const log = new RecordingLog();
    const { store, feedLog, world, reach } = await redis.open({ log });
    const changes: boolean[] = [];
    reach.onChange(isAway => changes.push(isAway));
    const line = { event: { event: "chat", at: 1, from: "web", content: "hi" } } as const;
    for (let i = 0; i < 3; i++) {
      const asked = [
        store.read("session"),
        feedLog.tell([line]),
        feedLog.sync(),
        world.bus.publish({ kind: "snapshot", snapshot: { at: i, tps: 20, rows: [] } }),
      ];
      standStill();
      await Promise.all(asked);
      expect((await world.bus.lastSnapshot())?.at).toBe(i);
    }
    expect((await feedLog.newest(10)).entries).toHaveLength(3);
    expect(changes).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toEqual(["connected to Redis"]);
  });
});
