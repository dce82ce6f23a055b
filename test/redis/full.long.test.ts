import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import type { RedisServer } from "../../lab/scale/redis-server.ts";
import type { Fact } from "../../shared/facts.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { errorBody } from "../helpers/errors.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds, type Listeners, type RedisSide, startScene } from "../helpers/redis-sides.ts";

const ends = createEnds();
const said = (text: string): Fact => ({ is: "said", name: "Steve", text });
const STEVE = row("Steve").player;
/** Long enough for a busy machine. */
const BACK_MS = 10_000;

/** How Redis is made to reject changes, and to accept them again, and what each sidecar logs. */
const TROUBLES = [
  {
    how: "is a replica",
    begin: (redis: RedisServer) => redis.command("REPLICAOF", "127.0.0.1", "1"),
    end: (redis: RedisServer) => redis.command("REPLICAOF", "NO", "ONE"),
    line: "storage.url: Redis is a read-only replica: expected the address of its master; trying again",
  },
  {
    how: "lacks replicas",
    begin: (redis: RedisServer) => redis.command("CONFIG", "SET", "min-replicas-to-write", "1"),
    end: (redis: RedisServer) => redis.command("CONFIG", "SET", "min-replicas-to-write", "0"),
    line: "storage.url: Redis has too few replicas and rejects changes (NOREPLICAS); trying again",
  },
  {
    how: "cannot write to its disk",
    async begin(redis: RedisServer) {
      rmSync(join(redis.folder, "data"), { recursive: true });
      await redis.command("CONFIG", "SET", "save", "3600 1");
      await redis.command("BGSAVE").catch(() => undefined);
      await eventually(async () =>
        expect(`${await redis.command("INFO", "persistence")}`).toContain("rdb_last_bgsave_status:err"),
      );
    },
    end: (redis: RedisServer) => redis.command("CONFIG", "SET", "stop-writes-on-bgsave-error", "no"),
    line: "storage.url: Redis cannot write to its disk and rejects changes (MISCONF); trying again",
  },
];

needs("redis-server", hasRedis).describe("where Redis", () => {
  let redis: RedisServer;
  let sides: readonly [RedisSide, RedisSide];
  let pack: FakePack;
  let listeners: Listeners;

  beforeEach(async () => {
    const settings = { "maxmemory-policy": "noeviction" };
    ({ redis, sides, pack, listeners } = await startScene(ends, { settings }));
  });

  const errors = (): string[][] => sides.map(({ log }) => log.of("error").map(({ message }) => message));
  const lines = (texts: string[]): unknown => Array(4).fill(texts.map(text => `§§<Steve> §§${text}`));
  const link = (side: RedisSide, cookie: string) =>
    ask(side.base, "/link-player", { cookie, body: { username: "Steve" } });

  it("without space, game events continue, and web requests get a response to retry later", async () => {
    const [one, two] = sides;
    const [first, second] = [(await newSession(one.base)).cookie, (await newSession(two.base)).cookie];
    const pending = link(one, first);
    const { id } = await pack.carryOut("done", { player: STEVE });
    expect((await pending).status).toBe(202);

    await redis.command("CONFIG", "SET", "maxmemory", "100kb");
    for (const side of sides) {
      const answer = await link(side, second);
      expect([answer.status, answer.json]).toEqual([503, errorBody("server_unavailable")]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await ask(side.base, "/readyz")).json).toMatchObject({ reason: "storage full" });
    }
    const facts: Fact[] = [
      said("a"),
      { is: "answered", request: id, accepted: true },
      { is: "webchat", mode: "linked" },
      { is: "joined", row: row("Alex") },
      { is: "names", id: "an action", names: ["Alex"] },
      { is: "snapshot", tps: 19, part: 0, parts: 2, rows: [row("Steve"), row("Alex")] },
      { is: "snapshot", tps: 19, part: 1, parts: 2, rows: [row("Zoe")] },
      said("b"),
    ];
    expect(await pack.report(...facts)).toMatchObject({ status: 200, body: { received: pack.seq - 1 } });
    await eventually(async () => {
      expect(listeners.lines()).toEqual(lines(["a", "b"]));
      for (const { base } of sides) {
        expect((await ask(base, "/status")).json).toMatchObject({ tps: 19, onlinePlayerCount: 3 });
        expect((await ask(base, "/linked-player", { cookie: first })).json).toMatchObject({
          status: "accepted",
        });
      }
    });
    expect(await new FakePack(two.bridge).connect()).toMatchObject({ session: pack.session });
    const socket = await ChatSocket.open(two.base, { Cookie: first });
    ends(() => socket.close());
    socket.say("hello");
    expect(await socket.next()).toMatchObject({ type: "EXCEPTION", content: "server unavailable" });
    expect(errors()).toEqual(
      Array(2).fill([expect.stringMatching(/^storage full: .* are queued until they can be saved$/)]),
    );

    await redis.command("CONFIG", "SET", "maxmemory", "0");
    await eventually(async () => {
      for (const { base } of sides) expect((await ask(base, "/readyz")).status).toBe(200);
    });
    const again = link(two, second);
    await pack.carryOut("done", { player: STEVE });
    expect((await again).status).toBe(202);
  });

  it.each(TROUBLES)("$how, each sidecar logs it once, and recovers as soon as possible", async trouble => {
    const { cookie } = await newSession(sides[0].base);
    await pack.report(said("a"));
    await trouble.begin(redis);
    await eventually(() => {
      for (const all of errors()) expect(all).toContain(trouble.line);
    });
    for (const side of sides) {
      const answer = await link(side, cookie);
      expect([answer.status, answer.json]).toEqual([503, errorBody("server_unavailable")]);
      expect((await ask(side.base, "/status")).status).toBe(200);
      expect((await ask(side.base, "/readyz")).json).toMatchObject({ reason: "storage failed" });
    }
    expect(await pack.report(said("b"))).toMatchObject({ status: 503, body: { error: "storage_away" } });
    for (const all of errors()) expect(all.filter(line => line === trouble.line)).toHaveLength(1);

    await trouble.end(redis);
    const from = performance.now();
    while ((await pack.report(said("b"))).status !== 200);
    expect(performance.now() - from).toBeLessThan(BACK_MS);
    await eventually(async () => {
      expect(listeners.lines()).toEqual(lines(["a", "b"]));
      for (const { base } of sides) expect((await ask(base, "/readyz")).status).toBe(200);
    });
  });
});
