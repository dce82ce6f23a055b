import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { WebSocket } from "ws";
import { watched } from "../test/helpers/chat-socket.ts";
import { ManualClock } from "../test/helpers/clock.ts";
import { until } from "../test/helpers/eventually.ts";
import { FakePack } from "../test/helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../test/helpers/sidecar.ts";
import { type Chat, type ChatOptions, createChat, createEvents, type SocketLike } from "./index.ts";
import { Page } from "./testing/surroundings.ts";

// Own connections: its sockets are watched.

let side: TestSidecar;
let pack: FakePack;
let chat: Chat;
/** ends what a test has opened */
let ends: (() => void)[];
let clock: ManualClock;
let page: Page;
let states: string[];
/** types of what the client has sent */
let sent: string[];
/** how many answers to a PING have come */
let answers: number;
let isDead: boolean;

beforeEach(async () => {
  side = await startTestSidecar();
  pack = new FakePack(side.bridge);
  clock = new ManualClock();
  page = new Page();
  states = [];
  sent = [];
  answers = 0;
  isDead = false;
  ends = [];
});
afterEach(async () => {
  for (const end of ends) end();
  await side.stop();
});

/** A socket whose packets vanish, both ways, while the network is dead: neither end notices. */
function vanishing(url: string): SocketLike {
  const real = watched(new WebSocket(url));
  const socket: SocketLike = {
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send(data) {
      sent.push((JSON.parse(data) as { type: string }).type);
      if (!isDead) real.send(data);
    },
    close: () => real.close(),
  };
  real.on("message", data => {
    if (isDead) return;
    if (data.toString().includes("PONG")) answers++;
    socket.onmessage?.({ data: data.toString() } as never);
  });
  real.on("error", () => undefined);
  real.on("close", () => isDead || socket.onclose?.({} as never));
  return socket;
}

function begin(more: Partial<ChatOptions> = {}): void {
  chat = createChat({
    base: side.base,
    connect: vanishing,
    timers: clock,
    random: () => 0.5,
    surroundings: page,
    onLine: () => undefined,
    onState: state => states.push(state.is),
    ...more,
  });
  ends.push(chat.close);
}
async function open(more: Partial<ChatOptions> = {}): Promise<void> {
  begin(more);
  await until(isOpen);
}
const isOpen = (): boolean => chat.state.is === "open";

describe("a chat whose network is dead", () => {
  it("gets a PING after six seconds of silence, and is closed when no answer comes in eight", async () => {
    await open();
    isDead = true;
    clock.advance(5_999);
    expect(sent).toEqual([]);
    clock.advance(1);
    expect(sent).toEqual(["PING"]);
    clock.advance(7_999);
    expect(chat.state.is).toBe("open");
    clock.advance(1);
    expect(chat.state).toEqual({ is: "waiting", retryAt: clock.now() + 500 });
  });

  it("stays open while the service answers", async () => {
    await open();
    for (let i = 1; i <= 5; i++) {
      clock.advance(6_000);
      await until(() => answers === i);
    }
    expect([states, sent]).toEqual([["connecting", "open"], Array(5).fill("PING")]);
  });

  it("gives up a connection attempt after 14 s", async () => {
    isDead = true;
    begin();
    clock.advance(13_999);
    expect(chat.state.is).toBe("connecting");
    clock.advance(1);
    expect(chat.state.is).toBe("waiting");
  });

  it("sends nothing while the page is hidden, and a PING as soon as it is visible", async () => {
    await open();
    page.happens("hidden");
    isDead = true;
    clock.advance(49_999);
    expect([chat.state.is, sent]).toEqual(["open", []]);
    page.happens("seen");
    expect(sent).toEqual(["PING"]);
    clock.advance(8_000);
    expect(chat.state.is).toBe("waiting");
  });

  it("gets a PING when the system reports that it is offline, and has three seconds to answer", async () => {
    await open();
    page.happens("offline");
    await until(() => answers === 1);
    clock.advance(3_000);
    expect([chat.state.is, sent]).toEqual(["open", ["PING"]]);
    isDead = true;
    page.happens("offline");
    clock.advance(3_000);
    expect(chat.state.is).toBe("waiting");
  });

  it("reconnects immediately when the network is back", async () => {
    await open();
    isDead = true;
    clock.advance(14_000);
    isDead = false;
    page.happens("online");
    expect(chat.state.is).toBe("connecting");
    await until(isOpen);
  });

  it("reconnects immediately after sleep, even if the page was visible the whole time", async () => {
    let wake = (): void => undefined;
    await open({
      timers: {
        now: () => clock.now(),
        after: (_ms, callback) => {
          wake = callback;
          return () => undefined;
        },
      },
    });
    clock.advance(50_001);
    wake();
    expect(chat.state.is).toBe("connecting");
  });
});

it("events use the heartbeat interval from the options where the service names none", async () => {
  const body = new ReadableStream({ start: one => one.enqueue(new TextEncoder().encode("retry: 1\n\n")) });
  const events = createEvents({
    base: "http://localhost",
    heartbeatMs: 10_000,
    timers: clock,
    fetch: async () => new Response(body, { headers: { "Content-Type": "text/event-stream" } }),
    onEvent: () => undefined,
  });
  ends.push(events.close);
  await until(() => events.state.is === "open");
  clock.advance(24_999);
  expect(events.state.is).toBe("open");
  clock.advance(1);
  expect(events.state.is).toBe("waiting");
});

describe("a sent message", () => {
  /** There is a game that takes lines. */
  async function openWithGame(more: Partial<ChatOptions> = {}): Promise<void> {
    await pack.connect();
    await pack.snapshot();
    await open(more);
  }

  it("is reported as rejected with the reason, which no other message gets", async () => {
    const others: string[] = [];
    await openWithGame({ onException: why => others.push(why) });
    const results = await Promise.all([chat.send("one"), chat.send("   "), chat.send("three")]);
    expect(results).toEqual([{ is: "read" }, { is: "refused", why: "bad message" }, { is: "read" }]);
    expect(others).toEqual([]);
  });

  it("is reported as read if the game hangs, which is reported once it is known", async () => {
    const others: string[] = [];
    await openWithGame({ onException: why => others.push(why) });
    expect(await chat.send("one")).toEqual({ is: "read" });
    side.clock.advance(10_000);
    await until(() => others.length === 1);
    expect(others).toEqual(["server unavailable"]);
  });

  it("is reported as rejected over the limit, and its PING is free until then", async () => {
    await openWithGame();
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => chat.send(`line ${i}`)));
    expect(results).toEqual(Array(20).fill({ is: "read" }));
    const refused = chat.send("too much");
    // The service reads on after a pause.
    side.clock.advance(50);
    expect(await refused).toEqual({ is: "refused", why: "rate limited" });
    side.clock.advance(1_000);
    expect(await chat.send("later")).toEqual({ is: "read" });
  });

  it("is reported as unconfirmed when the connection dies, and those behind it as unsent", async () => {
    await open();
    isDead = true;
    const pending = Promise.all([chat.send("one"), chat.send("two")]);
    expect(sent).toEqual(["CHAT", "PING"]);
    clock.advance(8_000);
    expect(await pending).toEqual([{ is: "unconfirmed" }, { is: "unsent" }]);
    expect(await chat.send("three")).toEqual({ is: "unsent" });
  });

  it("is reported as unsent immediately if a hundred others wait, which continue to wait", async () => {
    await open();
    isDead = true;
    const pending = Array.from({ length: 101 }, (_, i) => chat.send(`line ${i}`));
    const [newest, another] = pending
      .slice(-2)
      .reverse()
      .map(line => Promise.race([line, "it waits"]));
    expect([await newest, await another]).toEqual([{ is: "unsent" }, "it waits"]);
  });
});
