import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { ChatSocket } from "../../../../test/helpers/chat-socket.ts";
import { frames, plainSocket } from "../../../../test/helpers/flood.ts";
import { serving } from "../../../../test/helpers/serving.ts";

const side = serving();

const LIMITED = { type: "EXCEPTION", content: "rate limited" };
const BAD = { type: "EXCEPTION", content: "bad message" };

/** A chat socket with its own address, behind a trusted proxy. */
const open = (address: string): Promise<ChatSocket> => side.socket({ "X-Forwarded-For": address });

/** Advances time in small steps, with the network, until the promise settles. */
async function passing<T>(promise: Promise<T>): Promise<T> {
  let isThere = false;
  const done = (): void => {
    isThere = true;
  };
  promise.then(done, done);
  while (!isThere) {
    side.clock.advance(1);
    await nextTurn();
  }
  return promise;
}

/** Number of CHAT messages that a socket has received. */
const receivedChats = ({ received }: ChatSocket): number =>
  received.filter(({ type }) => type === "CHAT").length;
const exceptions = ({ received }: ChatSocket, what = "rate limited"): number =>
  received.filter(({ type, content }) => type === "EXCEPTION" && content === what).length;

const say = (socket: ChatSocket, count: number): void => socket.sayAll(count);
const send = (socket: ChatSocket, count: number, message: unknown = { type: "PING" }): void =>
  socket.sendAll(count, () => message);

describe("the rate limits of chat", () => {
  it("allow a socket a burst of 20 messages and 2 per second, even when the clock is set forward", async () => {
    await side.start();
    const [speaker, other] = [await side.socket(), await side.socket()];
    say(speaker, 21);
    while (exceptions(speaker) < 1) await speaker.next();
    await other.settled();
    expect(receivedChats(other)).toBe(20);
    side.clock.setBack(-3_600_000);
    side.clock.advance(1_000);
    say(speaker, 3);
    while (exceptions(speaker) < 2) await speaker.next();
    await other.settled();
    expect(receivedChats(other)).toBe(22);
  });

  it("allow an address, or an IPv6 network, a burst of 120 messages and 2 per second", async () => {
    await side.api("trust-proxy: true, limits: {chat-lines-burst: 1000}");
    const other = await open("192.0.2.1");
    for (let i = 0; i < 6; i++) {
      const socket = await open(`2001:db8::${i}`);
      say(socket, 19);
      await passing(socket.settled());
    }
    const last = await open("2001:db8::ffff");
    say(last, 7);
    while (exceptions(last) < 1) await passing(last.next());
    await other.settled();
    const first = receivedChats(other);
    expect(first).toBeGreaterThanOrEqual(120);
    side.clock.advance(1_000);
    say(last, 5);
    await passing(last.settled());
    await other.settled();
    expect(receivedChats(other) - first).toBeGreaterThanOrEqual(2);
    expect(receivedChats(other) - first).toBeLessThanOrEqual(3);
  });

  it("allow all browsers together a burst of 60 messages and 10 per second", async () => {
    await side.api("trust-proxy: true");
    const other = await open("192.0.2.99");
    const speakers = await Promise.all(Array.from({ length: 8 }, (_, i) => open(`192.0.2.${i}`)));
    for (const [each, all] of [
      [9, 60],
      [2, 70],
    ] as const) {
      for (const speaker of speakers) say(speaker, each);
      for (const speaker of speakers) await speaker.settled();
      await other.settled();
      expect(receivedChats(other)).toBe(all);
      side.clock.advance(1_000);
    }
  });

  it("count an invalid message, which gets its own error even over the limit", async () => {
    await side.start();
    const socket = await side.socket();
    send(socket, 21, "{");
    for (let i = 0; i < 21; i++) expect(await socket.next()).toEqual(BAD);
    send(socket, 1);
    expect(await passing(socket.next())).toEqual(LIMITED);
  });
});

describe("a socket with 100 rejected messages within 10 seconds", () => {
  it.each([
    ["over its rate", 20, { type: "PING" }, "rate limited"],
    ["that are bad", 0, "{", "bad message"],
  ])("is closed with 1008: %s", async (_what, free, message, why) => {
    await side.start();
    const [socket, other] = [await side.socket(), await side.socket()];
    send(socket, free + 99, message);
    while (exceptions(socket, why) < 99) await passing(socket.next());
    expect(socket.ws.readyState).toBe(socket.ws.OPEN);
    send(socket, 30, message);
    expect(await passing(socket.closed)).toBe(1008);
    expect(exceptions(socket, why)).toBeGreaterThanOrEqual(100);
    expect(exceptions(socket, why)).toBeLessThanOrEqual(101);
    expect(await other.settled()).toEqual([]);
  });

  it("is terminated after two seconds if it does not answer the close frame", async () => {
    await side.start();
    const socket = await plainSocket(side.port);
    side.onEnd(() => socket.destroy());
    const gone = new Promise(resolve => socket.resume().once("close", resolve));
    socket.write(frames("{", 200));
    await passing(gone);
  });
});

describe("a socket whose bucket is empty", () => {
  it("still gets pongs for protocol pings, until they are a flood", async () => {
    await side.start();
    const socket = await side.socket();
    let pongs = 0;
    socket.ws.on("pong", () => {
      pongs++;
    });
    for (let i = 0; i < 30; i++) socket.ws.ping();
    for (; pongs < 30; await nextTurn()) side.clock.advance(1);
    for (; socket.ws.readyState === socket.ws.OPEN; await nextTurn()) {
      socket.ws.ping();
      side.clock.advance(1);
    }
    expect(await passing(socket.closed)).toBe(1008);
    expect(pongs).toBeLessThanOrEqual(125);
  });
});
