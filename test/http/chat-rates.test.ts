import { once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { frames, plainSocket } from "../helpers/flood.ts";
import { type Options, startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

let side: TestSidecar;
const sockets: ChatSocket[] = [];
const plain: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.ws.terminate();
  for (const socket of plain.splice(0)) socket.destroy();
  await side.stop();
});

const PROXIED = { yaml: "modules: {api: {trust-proxy: true}}" };
const LIMITED = { type: "EXCEPTION", content: "rate limited" };
const BAD = { type: "EXCEPTION", content: "bad message" };

async function start(options: Options = {}): Promise<void> {
  side = await startTestSidecar(options);
}

/** A chat socket; with an address of its own where there is a proxy. */
async function open(address?: string): Promise<ChatSocket> {
  const headers = address === undefined ? {} : { "X-Forwarded-For": address };
  const socket = await ChatSocket.open(side.base, headers);
  sockets.push(socket);
  return socket;
}

/** Lets time go on in small steps, and the network with it, until something has come. */
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

/** How many CHAT a socket has heard. */
const heard = ({ received }: ChatSocket): number => received.filter(({ type }) => type === "CHAT").length;
const exceptions = ({ received }: ChatSocket, what: string): number =>
  received.filter(({ type, content }) => type === "EXCEPTION" && content === what).length;

async function say(socket: ChatSocket, count: number): Promise<void> {
  for (let i = 0; i < count; i++) socket.say(`line ${i}`);
  await passing(socket.settled().catch(() => undefined));
}

describe("the rates of chat", () => {
  it("let a socket say 20 lines at once and 2 a second", async () => {
    await start();
    const [speaker, other] = [await open(), await open()];
    for (let i = 0; i < 21; i++) speaker.say(`${i}`);
    while (exceptions(speaker, "rate limited") < 1) await speaker.next();
    await other.settled();
    expect(heard(other)).toBe(20);
    side.clock.advance(1_000);
    for (let i = 0; i < 3; i++) speaker.say(`later ${i}`);
    while (exceptions(speaker, "rate limited") < 2) await speaker.next();
    await other.settled();
    expect(heard(other)).toBe(22);
  });

  it("let a socket say no more when the clock is set forward", async () => {
    await start();
    const speaker = await open();
    for (let i = 0; i < 20; i++) expect(await speaker.settled()).toEqual([]);
    side.clock.setBack(-3_600_000);
    speaker.say("later");
    expect(await passing(speaker.next())).toEqual(LIMITED);
  });

  it("let an address say 120 lines at once and 2 a second, all of its IPv6 network together", async () => {
    await start({ yaml: "modules: {api: {trust-proxy: true, limits: {chat-lines-burst: 1000}}}" });
    const other = await open("192.0.2.1");
    for (let i = 0; i < 6; i++) await say(await open(`2001:db8::${i}`), 19);
    const last = await open("2001:db8::ffff");
    for (let i = 0; i < 7; i++) last.say("line");
    while (exceptions(last, "rate limited") < 1) await passing(last.next());
    await other.settled();
    const first = heard(other);
    expect(first).toBeGreaterThanOrEqual(120);
    side.clock.advance(1_000);
    for (let i = 0; i < 5; i++) last.say("line");
    await passing(last.settled());
    await other.settled();
    expect(heard(other) - first).toBeGreaterThanOrEqual(2);
    expect(heard(other) - first).toBeLessThanOrEqual(3);
  });

  it("let all of the web together say 60 lines at once and 10 a second", async () => {
    await start(PROXIED);
    const other = await open("192.0.2.99");
    const speakers: ChatSocket[] = [];
    for (let i = 0; i < 8; i++) speakers.push(await open(`192.0.2.${i}`));
    for (const speaker of speakers) for (let i = 0; i < 9; i++) speaker.say("line");
    for (const speaker of speakers) await speaker.settled();
    await other.settled();
    expect(heard(other)).toBe(60);
    side.clock.advance(1_000);
    for (const speaker of speakers) for (let i = 0; i < 2; i++) speaker.say("line");
    for (const speaker of speakers) await speaker.settled();
    await other.settled();
    expect(heard(other)).toBe(70);
  });

  it("take nothing from everybody for a line that an address is refused", async () => {
    const yaml =
      "modules: {api: {trust-proxy: true, limits: {messages-per-minute-per-address: 1, chat-lines-burst: 2}}}";
    await start({ yaml });
    const [greedy, other] = [await open("192.0.2.1"), await open("192.0.2.2")];
    for (let i = 0; i < 10; i++) greedy.say("line");
    await greedy.settled();
    other.say("mine");
    expect(await other.settled()).not.toContainEqual(LIMITED);
    expect((await greedy.settled()).at(-1)).toEqual({ type: "CHAT", content: "mine" });
  });

  it("count a bad message, which is answered as such also over the rate", async () => {
    await start();
    const socket = await open();
    for (let i = 0; i < 21; i++) socket.send("{");
    for (let i = 0; i < 21; i++) expect(await socket.next()).toEqual(BAD);
    socket.send({ type: "PING" });
    expect(await passing(socket.next())).toEqual(LIMITED);
  });
});

describe("a socket with 100 refused messages within 10 seconds", () => {
  it.each([
    ["over its rate", 20, { type: "PING" }, "rate limited"],
    ["that are bad", 0, "{", "bad message"],
  ])("is closed with 1008: %s", async (_what, free, message, why) => {
    await start();
    const [socket, other] = [await open(), await open()];
    for (let i = 0; i < free + 99; i++) socket.send(message);
    while (exceptions(socket, why) < 99) await passing(socket.next());
    expect(socket.ws.readyState).toBe(socket.ws.OPEN);
    for (let i = 0; i < 30; i++) socket.send(message);
    expect(await passing(socket.closed)).toBe(1008);
    expect(exceptions(socket, why)).toBeGreaterThanOrEqual(100);
    expect(exceptions(socket, why)).toBeLessThanOrEqual(101);
    expect(await other.settled()).toEqual([]);
  });

  it.each([
    ["", 0],
    [", though the clock is set back", 3_600_000],
  ])("and not one with fewer in any 10 seconds%s", async (_what, back) => {
    await start();
    const socket = await open();
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 99; i++) socket.send("{");
      while (exceptions(socket, "bad message") < 99 * (round + 1)) await passing(socket.next());
      side.clock.setBack(back);
      side.clock.advance(10_000);
    }
    socket.unread();
    expect(await passing(socket.settled())).toEqual([]);
  });

  it("is gone after two seconds though it does not answer the closing", async () => {
    await start();
    const socket = await plainSocket(side.sidecar.publicAddress.port);
    plain.push(socket);
    socket.resume();
    const gone = once(socket, "close");
    socket.write(frames("{", 200));
    await passing(gone);
  });
});

describe("what is read at once", () => {
  it("is answered at once", async () => {
    await start();
    const socket = await plainSocket(side.sidecar.publicAddress.port);
    plain.push(socket);
    const reads: string[] = [];
    socket.on("data", data => reads.push(data.toString("latin1")));
    socket.write(frames("{", 90));
    while (reads.join("").split("bad message").length <= 90) await nextTurn();
    expect(reads.length).toBeLessThanOrEqual(4);
  });
});

describe("a socket whose bucket is empty", () => {
  it("is not read for a moment of the clock, and then heard again", async () => {
    await start();
    const socket = await open();
    for (let i = 0; i < 21; i++) socket.send({ type: "PING" });
    for (let i = 0; i < 20; i++) expect((await socket.next()).type).toBe("PONG");
    expect(await socket.next()).toEqual(LIMITED);
    socket.send({ type: "PING" });
    for (let i = 0; i < 20; i++) await nextTurn();
    expect(socket.unread()).toEqual([]);
    side.clock.advance(50);
    expect(await socket.next()).toEqual(LIMITED);
    side.clock.advance(1_000);
    socket.send({ type: "PING" });
    expect((await socket.next()).type).toBe("PONG");
  });

  it("may be closed by either side", async () => {
    await start();
    const [one, two] = [await open(), await open()];
    for (const socket of [one, two]) {
      for (let i = 0; i < 25; i++) socket.send({ type: "PING" });
      while (exceptions(socket, "rate limited") < 5) await passing(socket.next());
    }
    one.ws.close(1000);
    expect(await passing(one.closed)).toBe(1000);
    const stopped = side.stop();
    expect(await two.closed).toBe(1001);
    await stopped;
    await start();
  });

  it("still has the pings of the protocol answered, until they are a flood", async () => {
    await start();
    const socket = await open();
    let pongs = 0;
    socket.ws.on("pong", () => {
      pongs++;
    });
    for (let i = 0; i < 30; i++) socket.ws.ping();
    while (pongs < 30) {
      side.clock.advance(1);
      await nextTurn();
    }
    while (socket.ws.readyState === socket.ws.OPEN) {
      socket.ws.ping();
      side.clock.advance(1);
      await nextTurn();
    }
    expect(await passing(socket.closed)).toBe(1008);
    expect(pongs).toBeLessThanOrEqual(125);
  });
});
