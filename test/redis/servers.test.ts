import { randomUUID } from "node:crypto";
import { expect, it } from "@jest/globals";
import type { NewEntry } from "../../sidecar/features/feed/feed-log.ts";
import { MAX_KEYS } from "../../sidecar/features/feed/records.ts";
import { NEVER_ONLINE } from "../../sidecar/features/players/rules/presence.ts";
import { NO_ROLLUPS } from "../../sidecar/features/status/rules/rollups.ts";
import { createParts } from "../../sidecar/kernel/bridge/parts.ts";
import type { BusEvent } from "../../sidecar/kernel/bridge/ports.ts";
import { StorageAway } from "../../sidecar/kernel/storage/ports.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";

const POINT = { at: 1, tps: 20, onlinePlayerCount: 1, memoryUsedMB: null, cpuUsage: null };

needs("redis-server", hasRedis).describe("two game servers in one Redis", () => {
  const redis = redisForTests();

  async function open() {
    const prefix = randomUUID();
    const own = { prefix, servers: ["second"], isStill: true };
    const { feedLog, history, playerRequests, server, servers, records, connection } = await redis.open(own);
    const second = servers.get("second");
    if (!second) throw new Error("there is no second game server");
    const keys = async (): Promise<string[]> =>
      [await redis.server().command("KEYS", `{${prefix}}:*`)].flat().map(String);
    const more = (name: string) => ({
      parts: createParts(records.volatile, name),
      gameServer: connection(name),
      history: history(name),
      presence: feedLog.serverFeed(name),
    });
    return {
      ...{ keys, feed: feedLog, playerRequests },
      first: { ...server, ...more("") },
      second: { ...second, ...more("second") },
    };
  }

  it("have their own queues, snapshots, parts, plots, players and game servers, and one feed", async () => {
    const { keys, feed, first, second } = await open();
    const before = await keys();
    const received: BusEvent[] = [];
    first.bus.subscribe(event => received.push(event));
    await second.outbox.append({ id: "1", body: { do: "allowlist-read" }, lifeMs: 10_000 });
    await second.bus.publish({ kind: "snapshot", snapshot: { at: 1, tps: 20, rows: [] } });
    await second.parts.setPartial({ parts: 2, rows: [], got: 1, fact: 1 });
    await second.history.add(1, POINT);
    await second.history.count({ ...POINT, freshMs: 15_000 });
    await second.presence.append(() => ({
      presence: { ...NEVER_ONLINE, run: "run" },
      entries: [{ event: { event: "server", at: 1, state: "online" } }],
    }));
    await second.gameServer.setLast({ run: "run", since: 1 });
    expect([await first.outbox.size(), await second.outbox.size()]).toEqual([0, 1]);
    expect(received).toEqual([]);
    expect(await first.bus.lastSnapshot()).toBeUndefined();
    expect(await first.parts.partial()).toBeUndefined();
    expect(await first.history.read()).toEqual([]);
    expect(await first.history.rollups()).toEqual(NO_ROLLUPS);
    expect(await first.presence.presence()).toEqual(NEVER_ONLINE);
    expect(await first.gameServer.last()).toBeUndefined();
    expect((await feed.newest(10)).entries).toHaveLength(1);
    const made = (await keys()).filter(key => !before.includes(key));
    expect(
      made.filter(key => !/:(feed|history-|world:second:|(partial|snapshot):second|game-servers)/.test(key)),
    ).toEqual([]);
  });

  it("keep the keys of facts separately, so that a flood of one affects no other", async () => {
    const { feed, first, second } = await open();
    const keyed = (key: string): NewEntry => ({ event: { event: "server", at: 1, state: "online" }, key });
    const flood = Array.from({ length: 2 * MAX_KEYS }, (_, i) => keyed(`${i}`));
    expect(await first.presence.appendOnce([keyed("0"), keyed("kept")])).toHaveLength(2);
    expect(await second.presence.appendOnce(flood)).toHaveLength(2 * MAX_KEYS);
    expect(await first.presence.appendOnce([keyed("kept"), keyed("1")])).toEqual([keyed("1")]);
    expect(await second.presence.appendOnce(flood.slice(-2))).toEqual([]);
    expect((await feed.newest(1)).entries).toHaveLength(1);
  });

  it("have their own leases, each of which allows changes of the service's data", async () => {
    const { playerRequests: asked, first, second } = await open();
    const note = (turn: { token: string }): Promise<number> =>
      asked.change(
        "Steve",
        (_, at) => ({
          record: {
            requests: [{ request: "r", from: ["a"], open: true, at, until: at + 60_000 }],
            sources: [],
          },
          answer: 1,
        }),
        turn,
      );
    await first.outbox.withLease(async one => {
      await second.outbox.withLease(async other => expect(await note(other)).toBe(1));
      expect(await note(one)).toBe(1);
    });
    const over = await second.outbox.withLease(async lease => lease);
    await expect(note(over)).rejects.toThrow(StorageAway);
  });
});
