import { expect, it } from "@jest/globals";
import type { RedisServer } from "../../lab/scale/redis-server.ts";
import type { Fact } from "../../shared/facts.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { type Answer, ask, newSession } from "../helpers/client.ts";
import { errorBody } from "../helpers/errors.ts";
import { eventually } from "../helpers/eventually.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { needs } from "../helpers/needs.ts";
import { hasRedis } from "../helpers/redis.ts";
import { createEnds, startScene } from "../helpers/redis-sides.ts";

/** Delay of a busy machine in milliseconds. The test shows that no request waits until Redis is back. */
const BUSY_MS = 4_000;
/** Timeout of Redis: a request waits at most this long. */
const REDIS_MS = 1_000;
const ANSWERED_MS = 2_000 + BUSY_MS;
const PACK_ANSWERED_MS = 4_000 + BUSY_MS;
const BACK_MS = 2_000 + BUSY_MS;

/** Everything is an error then. */
const EXPECTED =
  /^(storage\.url: (the connection was lost|connection refused \(ECONNREFUSED\)|no answer within a second|Redis is still reading its data from the disk); trying again|storage failed: .* are queued until they can be saved)$/;

const ends = createEnds();
const watch = (): (() => number) => {
  const from = performance.now();
  return () => performance.now() - from;
};

const said = (text: string): Fact => ({ is: "said", name: "Steve", text });

const KEEPS_ALL = { settings: { appendonly: "yes", appendfsync: "always" } };

const OUTAGES = [
  {
    how: "killed",
    begin: (redis: RedisServer) => redis.kill(),
    end: (redis: RedisServer) => redis.restart(),
  },
  {
    how: "stopped for a while",
    begin: (redis: RedisServer) => redis.pause(),
    end: (redis: RedisServer) => redis.resume(),
  },
];

/** Whether a 503 with this code came, in time. */
async function refused(pending: Promise<Answer>): Promise<void> {
  const elapsed = watch();
  const { status, headers, json } = await pending;
  expect([status, json]).toEqual([503, errorBody("server_unavailable")]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(elapsed()).toBeLessThan(ANSWERED_MS);
}

needs("redis-server", hasRedis).describe("while Redis is offline", () => {
  it.each(OUTAGES)(
    "and was $how, every request gets a response, and afterwards everything works again",
    async outage => {
      const { redis, sides, pack, listeners } = await startScene(ends, KEEPS_ALL);
      const [first, second] = sides;
      const { cookie } = await newSession(second.base);
      await eventually(async () => expect((await ask(second.base, "/status")).status).toBe(200));
      const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
      const say = async (text: string): Promise<void> => {
        while ((await pack.report(said(text))).status !== 200);
      };
      for (const line of lines.slice(0, 10)) await say(line);
      // Pending, without a response.
      const underWay = ask(first.base, "/link-player", { cookie, body: { username: "Steve" } });
      const [open] = await pack.take();
      expect(open).toMatchObject({ body: { do: "link-open" } });
      const poll = pack.take().catch((error: Error) => error.message);
      const other = (await newSession(first.base)).cookie;
      const socket = await ChatSocket.open(second.base);
      ends(() => socket.close());

      await outage.begin(redis);
      const saying = (async () => {
        for (const line of lines.slice(10, 30)) await say(line);
      })();
      socket.say("nobody hears this at once");
      const chat = watch();
      const exception = socket.next().then(message => {
        expect(message).toMatchObject({ type: "EXCEPTION", content: "server unavailable" });
        expect(chat()).toBeLessThan(ANSWERED_MS);
      });
      const pending = sides.flatMap(({ base }) => [
        refused(ask(base, "/linked-player", { cookie })),
        refused(ask(base, "/link-player", { cookie: other, body: { username: "Steve" } })),
        refused(ask(base, "/unlink-player", { cookie, method: "POST" })),
        refused(ask(base, "/events?format=json")),
      ]);
      const waits = sides.flatMap(({ bridge }) => [awayFor(bridge, pack), awayFor(bridge, pack)]);
      const known = sides.map(({ base }) => knownWithoutCookie(base, cookie));
      await Promise.all([...pending, ...waits, ...known, refused(underWay), exception]);
      for (const { base } of sides) {
        expect((await ask(base, "/status")).status).toBe(200);
        expect((await ask(base, "/players")).json).toHaveLength(1);
        const ready = await ask(base, "/readyz");
        expect([ready.status, ready.json]).toMatchObject([
          503,
          { status: "unavailable", reason: "storage failed" },
        ]);
      }
      // The next request does not wait for a Redis that has not responded before.
      const again = watch();
      await refused(ask(first.base, "/linked-player", { cookie }));
      expect(again()).toBeLessThan(REDIS_MS);
      expect(listeners.areOpen).toBe(true);

      await outage.end(redis);
      const back = watch();
      await Promise.all(
        sides.map(({ base }) =>
          eventually(async () => expect((await ask(base, "/linked-player", { cookie })).status).toBe(200)),
        ),
      );
      expect(back()).toBeLessThan(BACK_MS);
      await saying;
      socket.say("this is heard");
      expect(await poll).toMatch(/^poll: 503 .*storage_away/);
      const got = await eventually(() => pack.take());
      expect(got.filter(({ body }) => body.do === "chat").length).toBeGreaterThan(0);
      for (const line of lines.slice(30)) await say(line);
      await eventually(() =>
        expect(listeners.lines().map(lines => lines.filter(line => line.includes("line")))).toEqual(
          Array.from({ length: 4 }, () => lines.map(line => `§§<Steve> §§${line}`)),
        ),
      );
      expect(listeners.receivedAway).toBe(false);
      expect(listeners.areOpen).toBe(true);
      await eventually(async () => {
        // The game counts as online as long as it reports.
        await pack.snapshot("Steve");
        for (const { base } of sides) expect((await ask(base, "/readyz")).status).toBe(200);
      });
      for (const { log } of sides)
        for (const { message } of log.of("error")) expect(message).toMatch(EXPECTED);
    },
  );
});

/** The browser gets its session in time, though the link cannot be read. */
async function knownWithoutCookie(base: string, cookie: string): Promise<void> {
  const elapsed = watch();
  const { status, json, headers } = await ask(base, "/initialize", { cookie });
  expect([status, json]).toMatchObject([200, { status: "existing" }]);
  expect(headers.get("set-cookie")).toBeNull();
  expect(elapsed()).toBeLessThan(ANSWERED_MS);
}

/** A pack is asked to wait, in time. */
async function awayFor(bridge: string, { session, after, seq }: FakePack): Promise<void> {
  const other = new FakePack(bridge);
  const elapsed = watch();
  const frame = { session, after, first: seq + 1_000, facts: [] };
  const { status, body } = await other.post("/bridge/facts", frame);
  expect([status, body]).toEqual([503, { error: "storage_away" }]);
  expect(elapsed()).toBeLessThan(PACK_ANSWERED_MS);
}
