import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "@jest/globals";
import { ChatSocket, refusedUpgrade } from "../helpers/chat-socket.ts";
import { ask, newSession } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { EventStream } from "../helpers/event-stream.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { hasRedis, redisForTests } from "../helpers/redis.ts";
import { eventually, needs } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

needs("redis-server", hasRedis).describe("the limits of three sidecars on one Redis", () => {
  const redis = redisForTests();
  const sides: TestSidecar[] = [];
  const open: { close(): unknown }[] = [];
  const clock = new ManualClock();
  afterEach(async () => {
    await Promise.all(open.splice(0).map(each => each.close()));
    await Promise.all(sides.splice(0).map(side => side.stop()));
  });

  /** All that they share is what they count. */
  async function start(limits: string): Promise<string[]> {
    const prefix = randomUUID();
    const yaml = `modules: {api: {limits: {${limits}}}}`;
    for (let i = 0; i < 3; i++) {
      const { rates } = await redis.open({ clock, prefix });
      sides.push(await startTestSidecar({ clock, rates, yaml }));
    }
    return sides.map(({ base }) => base);
  }
  const by = <T>(all: readonly T[], i: number): T => all[i % all.length] as T;

  async function statuses(asked: Promise<{ status: number }>[]): Promise<Record<number, number>> {
    const counted: Record<number, number> = {};
    for (const { status } of await Promise.all(asked)) counted[status] = (counted[status] ?? 0) + 1;
    return counted;
  }

  it("let an address ask as often as one would", async () => {
    const bases = await start("requests-per-minute: 30");
    const flood = (count: number) =>
      statuses(Array.from({ length: count }, (_, i) => ask(by(bases, i), "/healthz")));
    expect(await flood(60)).toEqual({ 200: 30, 429: 30 });
    clock.advance(10_000);
    expect(await flood(12)).toEqual({ 200: 5, 429: 7 });
  });

  it("count streams and chat sockets with the requests", async () => {
    const bases = await start("requests-per-minute: 3");
    const stream = await EventStream.open(by(bases, 0));
    const socket = await ChatSocket.open(by(bases, 1));
    open.push(stream, socket);
    expect((await ask(by(bases, 2), "/healthz")).status).toBe(200);
    expect((await refusedUpgrade(`${by(bases, 0)}/chat`)).status).toBe(429);
    const refused = await EventStream.open(by(bases, 1));
    await refused.ended();
    expect(refused.status).toBe(429);
  });

  it("let all of the web say as much as one would", async () => {
    const bases = await start("chat-lines-burst: 12");
    const sockets = await Promise.all(bases.map(base => ChatSocket.open(base)));
    open.push(...sockets);
    for (const socket of sockets) for (let i = 0; i < 10; i++) socket.say(`${i}`);
    // What was let through is answered too, since there is no game.
    await eventually(() =>
      expect(
        sockets.flatMap(({ received }) => received).filter(({ type }) => type === "EXCEPTION"),
      ).toHaveLength(30),
    );
    const limited = sockets
      .flatMap(({ received }) => received)
      .filter(({ content }) => content === "rate limited");
    expect(limited).toHaveLength(18);
  });

  it("let a browser ask players as often as one would", async () => {
    const bases = await start("link-requests-per-minute: 4");
    for (const { bridge } of sides) {
      const pack = new FakePack(bridge);
      await pack.connect();
      await pack.snapshot("Steve");
    }
    const { cookie } = await newSession(by(bases, 0));
    const username = "a name that is longer than any".repeat(9);
    const link = (i: number) => ask(by(bases, i), "/link-player", { cookie, body: { username } });
    expect(await statuses(Array.from({ length: 9 }, (_, i) => link(i)))).toEqual({ 422: 4, 429: 5 });
  });

  it("are each sidecar's own while Redis does not answer, and nobody waits for long", async () => {
    const bases = await start("requests-per-minute: 3");
    redis.server().pause();
    const flood = (): Promise<Record<number, number>> =>
      statuses(Array.from({ length: 12 }, (_, i) => ask(by(bases, i), "/healthz")));
    expect(await flood()).toEqual({ 200: 9, 429: 3 });
    redis.server().resume();
    await eventually(async () => {
      // What Redis was asked in vain it has counted all the same.
      clock.advance(60_000);
      expect(await flood()).toEqual({ 200: 3, 429: 9 });
    });
  });
});
