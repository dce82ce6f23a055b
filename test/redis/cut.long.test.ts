import { beforeEach, expect, it } from "@jest/globals";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { errorBody } from "../helpers/errors.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { RedisLine } from "../helpers/redis-line.ts";
import { createEnds, type Listeners, type RedisSide, startScene } from "../helpers/redis-sides.ts";

const ends = createEnds();
/** Long enough for a busy machine. */
const ANSWERED_MS = 10_000;
const BACK_MS = 10_000;

needs("redis-server", hasRedis).describe("one of two sidecars that is disconnected from Redis", () => {
  let line: RedisLine;
  let cut: RedisSide;
  let other: RedisSide;
  let pack: FakePack;
  let listeners: Listeners;
  let said: string[];

  beforeEach(async () => {
    const scene = await startScene(ends, {}, async ({ port }) => {
      line = new RedisLine(port);
      ends(() => line.close());
      return { url: await line.open() };
    });
    ({ pack, listeners } = scene);
    [cut, other] = scene.sides;
    pack.goTo(other.bridge);
    said = [];
  });

  async function say(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const text = `${said.length}`;
      said.push(`§§<Steve> §§${text}`);
      expect((await pack.report({ is: "said", name: "Steve", text })).status).toBe(200);
    }
  }
  const receivedAll = (): Promise<void> =>
    eventually(() => expect(listeners.lines()).toEqual(Array(4).fill(said)));

  it.each(["cut", "silent", "deaf", "held"] as const)(
    "logs it, and receives everything that it missed, in order, once (%s)",
    async how => {
      const { cookie } = await newSession(cut.base);
      await say(5);
      await receivedAll();
      const socket = await ChatSocket.open(cut.base);
      ends(() => socket.close());

      line.spoil(how);
      const from = performance.now();
      const answer = await ask(cut.base, "/linked-player", { cookie });
      expect([answer.status, answer.json]).toEqual([503, errorBody("server_unavailable")]);
      expect(performance.now() - from).toBeLessThan(ANSWERED_MS);
      expect((await ask(other.base, "/linked-player", { cookie })).status).toBe(200);
      await say(20);
      socket.say("nobody hears this");
      expect(await socket.next()).toMatchObject({ content: "server unavailable" });
      const report = await new FakePack(cut.bridge).post("/bridge/facts", {
        ...{ session: pack.session, after: pack.after, first: pack.seq },
        facts: [],
      });
      expect(report).toMatchObject({ status: 503, body: { error: "storage_away" } });
      expect(listeners.areOpen).toBe(true);

      const saying = say(20);
      line.heal();
      const healed = performance.now();
      await eventually(async () =>
        expect((await ask(cut.base, "/linked-player", { cookie })).status).toBe(200),
      );
      expect(performance.now() - healed).toBeLessThan(BACK_MS);
      await saying;
      await say(5);
      await receivedAll();
      expect(listeners.receivedAway).toBe(false);
      expect(cut.log.of("error").length).toBeLessThan(4);
      expect(other.log.of("error")).toEqual([]);
    },
  );

  it("does not report the game as offline, since it has no data", async () => {
    line.spoil("silent");
    await eventually(async () => {
      await pack.snapshot("Steve");
      expect((await ask(cut.base, "/status")).status).toBe(503);
    });
    await say(1);
    line.heal();
    await eventually(async () => expect((await ask(cut.base, "/status")).status).toBe(200));
    await receivedAll();
    expect(listeners.receivedAway).toBe(false);
  });
});
