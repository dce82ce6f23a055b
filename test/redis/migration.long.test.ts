import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { until } from "../../lab/scale/until.ts";
import { openKnown } from "../../owner/admin/open-known-players.ts";
import { uuidsOf, walk } from "../../sidecar/features/known-players/testing/known-records.ts";
import { ordered } from "../../sidecar/kernel/storage/records.ts";
import { RecordingLog } from "../helpers/log.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { testConfig } from "../helpers/sidecar.ts";

/** Commands that create the data of a sidecar of format 1 under the prefix `earlier`. */
const EARLIER: string[][] = JSON.parse(readFileSync(new URL("format-1.json", import.meta.url), "utf8"));
const uuidOf = (n: number): string => `${`${n}`.padStart(8, "0")}-0000-5000-8000-${`${n}`.padStart(12, "0")}`;
const FIRST = uuidOf(1);

needs("redis-server", hasRedis).describe("data of an earlier version in Redis", () => {
  const redis = redisForTests();
  const own = { prefix: "earlier", servers: ["lobby"], isStill: true };

  async function restore(): Promise<void> {
    await redis.server().command("FLUSHALL");
    for (const [name = "", ...values] of EARLIER) await redis.server().command(name, ...values);
  }

  it("is migrated, once, and leaves nothing behind", async () => {
    await restore();
    const log = new RecordingLog();
    const sides = await Promise.all([redis.open({ ...own, log }), redis.open({ ...own, log })]);
    expect(log.lines.filter(({ message }) => message.startsWith("Converting"))).toHaveLength(1);
    for (const side of sides) {
      const { links, choices, known, bans, signIn, connection } = side;
      expect(await links.linkedTo(FIRST, 9)).toEqual(["linked"]);
      expect((await links.open(9)).map(({ session }) => session)).toEqual(["pending", "asking"]);
      expect((await links.open(9, "ask")).map(({ session }) => session)).toEqual(["asking"]);
      expect([await links.sessionOf("r1"), await links.sessionOf("r2")]).toEqual(["pending", "asking"]);
      expect(await links.due(4_000_000_000_000, 9)).toEqual(["asking", "pending"]);
      expect(await choices.chosen([FIRST])).toEqual(new Map([[FIRST, { blocked: true, hidden: false }]]));
      expect(uuidsOf(await walk(known, { sort: "name" }))).toEqual([1, 2].map(uuidOf));
      expect(uuidsOf(await walk(known, { sort: "last-seen" }))).toEqual([2, 1].map(uuidOf));
      expect(uuidsOf(await known.present())).toEqual([uuidOf(4)]);
      expect(uuidsOf(await known.named("ÄLEX"))).toEqual([FIRST]);
      expect(await known.visits(FIRST, 9)).toEqual([
        { from: 3, to: 5 },
        { from: 1, to: 2 },
      ]);
      expect(await bans.head()).toEqual({ list: "8cc4408c-9403-43fd-9798-727f6de1860d", upTo: 2 });
      expect((await bans.read(0, 9)).map(({ n, ban }) => [n, ban.name])).toEqual([
        [1, "Steve"],
        [2, "Alex"],
      ]);
      expect([await signIn.get("given"), await signIn.get("code")]).toMatchObject([
        { text: "text 1", isUsed: false },
        { text: "text 2", isUsed: true },
      ]);
      expect(await signIn.secrets()).toBe("the secrets");
      expect(await connection("").last()).toEqual({ run: "r", since: 1 });
      expect(await connection("lobby").last()).toEqual({ run: "r2", since: 2 });
      expect(await side.bridgeId()).toBe("adcd39f2-8b78-58c9-4462-3d1fcdbc46eb");
    }
    const keys = [await redis.server().command("KEYS", "*")]
      .flat()
      .map(key => `${key}`.replace(/^\{earlier\}:/, ""));
    expect(
      keys.filter(key =>
        /^(requests|places|labels|due|player:|ban-numbers|bans$|known-by|known-present)/.test(key),
      ),
    ).toEqual([]);
  });

  it.each(["1", "2"])("has the feed and the plots, under their ids: format %s", async format => {
    await restore();
    const command = (name: string, key: string, ...values: string[]): Promise<unknown> =>
      redis.server().command(name, `{earlier}:${key}`, ...values);
    const event = (content: string): string =>
      JSON.stringify({ event: { event: "chat", at: 1, from: "game", content } });
    if (format === "2") {
      await redis.server().command("FLUSHALL");
      await command("HSET", "meta", "format", "2", "bridge-id", "b");
    }
    await command("SET", "feed-floor", "1000-0");
    for (const [id, content] of Object.entries({ "1000-5": "a", "1001-0": "b", "1001-1": "c" }))
      await command("XADD", "feed", id, "e", event(content));
    const there = { run: "run", isOnline: true, players: [{ id: "1", name: "Steve", uuid: FIRST }] };
    await command("HSET", "world:lobby:presence", "version", "1.2", "told", JSON.stringify(there));
    await command("RPUSH", "feed-keys", "run:7:digest");
    await command("SADD", "feed-known", "run:7:digest");
    await command("RPUSH", "feed-web", "1001-1");
    const point = { at: 9, tps: 20, onlinePlayerCount: 1, memoryUsedMB: null, cpuUsage: null };
    await command("HSET", "history", "3", JSON.stringify(point));
    await command("HSET", "history:1d", "700", "1 2000 2 512 1 0 0 2");
    await command("SET", "history:counted", "77");
    await command("HSET", "hooks", "digest", JSON.stringify({ place: "1001-0" }));
    await command("SET", "web-chat", JSON.stringify({ mode: "linked", mutes: [] }));
    const side = await redis.open(own);
    const after = await side.feedLog.read("1000-5", 9);
    expect([after.gap, after.entries.map(({ id }) => id)]).toEqual([false, ["1001-0", "1001-1"]]);
    expect((await side.feedLog.read("999-0", 9)).gap).toBe(true);
    expect(await side.feedLog.serverFeed("lobby").presence()).toEqual(there);
    const again = {
      event: { event: "server" as const, at: 1, state: "online" as const },
      key: "run:7:digest",
    };
    expect(await side.feedLog.serverFeed("").appendOnce([again])).toEqual([]);
    expect(await side.history("").read()).toEqual([point]);
    const { last, buckets } = await side.history("").rollups();
    expect([last, buckets["1d"]]).toEqual([77, [{ slot: 700, totals: [1, 2000, 2, 512, 1, 0, 0, 2] }]]);
    expect(await side.hooks.get("digest")).toEqual({ place: "1001-0" });
    const keys = `${await redis.server().command("KEYS", "*")}`;
    expect(keys).not.toMatch(
      /\}:(world:lobby:)?(presence|feed-keys|feed-known|feed-web|history|history:)(,|$)/,
    );
  });

  it("is migrated with few commands, however many bans and links there are", async () => {
    const questions = async (many: number): Promise<number> => {
      await restore();
      for (let i = 0; i < many; i++) {
        const player = { id: "1", persistentId: "p", name: "Steve", uuid: uuidOf(i) };
        const link = { link: { status: "accepted", player } };
        await redis.server().command("HSET", "{earlier}:links", `s${i}`, JSON.stringify(link));
        await redis
          .server()
          .command("HSET", "{earlier}:bans", `b${i}`, JSON.stringify({ name: `b${i}`, at: 1 }));
        await redis.server().command("ZADD", "{earlier}:ban-numbers", `${3 + i}`, `b${i}`);
      }
      await redis.server().command("CONFIG", "RESETSTAT");
      const { bans } = await redis.open(own);
      expect(await bans.read(0, 99)).toHaveLength(2 + many);
      const stats = `${await redis.server().command("INFO", "commandstats")}`;
      const called = [...stats.matchAll(/cmdstat_(?:evalsha|unlink|zadd):calls=(\d+)/g)];
      // Each entry counts as one within a script, too.
      return called.reduce((sum, [, calls]) => sum + Number(calls), 0) - many;
    };
    expect((await questions(60)) - (await questions(5))).toBeLessThan(30);
  });

  it("is not changed by the owner's command, which says what to do", async () => {
    await restore();
    const yaml = `storage: { kind: redis, url: "${redis.server().url}", prefix: earlier }`;
    await expect(openKnown(testConfig({ yaml }), { warn: () => undefined })).rejects.toThrow(
      /format 1, expected 3\): start the sidecar of this version first/,
    );
  });

  it("is used, regardless of an earlier migration that was interrupted", async () => {
    await restore();
    const lifted = { n: 1, ban: { name: "Lifted", at: 1 } };
    await redis.server().command("HSET", "{earlier}:ban-entries", "lifted", JSON.stringify(lifted));
    await redis.server().command("ZADD", "{earlier}:ban-entries:by-number", "0", `${ordered(1)}\0lifted`);
    await redis.server().command("ZADD", "{earlier}:links:by-player", "0", `${FIRST}\0unlinked`);
    const { bans, links } = await redis.open(own);
    expect((await bans.read(0, 9)).map(({ ban }) => ban.name)).toEqual(["Steve", "Alex"]);
    expect(await links.linkedTo(FIRST, 9)).toEqual(["linked"]);
  });

  it.each(["old", "own"])(
    "is migrated only after sidecars of that version have stopped, with a log line: %s",
    async name => {
      await restore();
      const other = { name, at: Date.now(), since: 1, version: "0", settings: "" };
      await redis.server().command("HSET", "{earlier}:sidecars", name, JSON.stringify(other));
      const log = new RecordingLog();
      const opening = redis.open({ ...own, name: "own", log });
      await until(async () => /older sidecars are still running/.test(log.text), "nothing is said");
      await redis.server().command("HDEL", "{earlier}:sidecars", name);
      expect(await (await opening).links.linkedTo(FIRST, 9)).toEqual(["linked"]);
    },
  );
});
