import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createMemoryRecords } from "../sidecar/kernel/storage/memory-records.ts";
import { ManualClock } from "../test/helpers/clock.ts";
import { short } from "../test/helpers/event-stream.ts";
import { until } from "../test/helpers/eventually.ts";
import { row, said } from "../test/helpers/fake-pack.ts";
import { memoryFeedLog } from "../test/helpers/feed-log.ts";
import { serving } from "../test/helpers/serving.ts";
import {
  type ConnectionState,
  createEvents,
  type Events,
  type EventsOptions,
  type EventType,
  type StoredEventType,
  type StreamEvent,
} from "./index.ts";

// Own connections: reads streams, whose bytes the tests of their route look at.

const side = serving();
let clock: ManualClock;
let events: Events;
let received: StreamEvent[];
let states: ConnectionState["is"][];
let gaps: (number | undefined)[];
let urls: string[];

beforeEach(async () => {
  await side.start();
  await side.pack.connect();
  clock = new ManualClock();
  received = [];
  states = [];
  gaps = [];
  urls = [];
});
afterEach(() => events.close());

/** The client on the real sidecar, with its own clock. */
function follow<T extends EventType = StoredEventType>(more: Partial<EventsOptions<T>> = {}): Events {
  events = createEvents<T>({
    url: `${side.base}/events`,
    timers: clock,
    random: () => 0.5,
    fetch: (url, init) => {
      urls.push(new URL(url).search);
      return fetch(url, init);
    },
    onEvent: event => received.push(event),
    onGap: lastReceivedAt => gaps.push(lastReceivedAt),
    onState: state => states.push(state.is),
    ...more,
  });
  return events;
}
const isOpen = (): boolean => events.state.is === "open";
const texts = (): string[] => short(received.map(event => ({ event: event.event, data: event })));
const waits = (): number => (events.state.is === "waiting" ? events.state.retryAt - clock.now() : Number.NaN);

/** The connection ends, and the client reconnects after its wait. */
async function reconnects(): Promise<void> {
  await until(() => events.state.is === "waiting");
  clock.advance(waits());
  await until(isOpen);
}

const refusal = (retryAfter: string): Response =>
  new Response("", { status: 503, headers: { "Retry-After": retryAfter } });

describe("the events of the client", () => {
  it("report events with types, ids and the position in the feed", async () => {
    await side.pack.snapshot();
    follow();
    expect([events.state.is, events.place]).toEqual(["connecting", undefined]);
    await until(isOpen);
    const began = events.place;
    await side.pack.report(said("hello"), { is: "joined", row: row("Steve") });
    await until(() => received.length === 2);
    const at = side.clock.now();
    const player = { name: "Steve", uuid: expect.any(String) };
    expect(received).toEqual([
      { event: "chat", id: expect.any(String), at, from: "game", content: "§§<Steve> §§hello", player },
      { event: "join", id: expect.any(String), at, player },
    ]);
    expect(events.place).toBe((received[1] as { id: string }).id);
    expect(began).not.toBe(events.place);
    expect(urls).toEqual(["?types=chat%2Cjoin%2Cleave%2Cdeath%2Cserver&heartbeat=often"]);
  });

  it("report the current figures and their changes if selected", async () => {
    await side.pack.snapshot("Steve");
    const picked: string[] = [];
    follow({
      types: ["status", "players"],
      onEvent: event =>
        picked.push(
          event.event === "status"
            ? `${event.metrics.onlinePlayerCount} online`
            : event.players.map(one => one.name).join(),
        ),
    });
    await until(() => picked.length === 2);
    await side.pack.snapshot("Steve", "Alex");
    await until(() => picked.length === 4);
    expect(picked).toEqual(["1 online", "Steve", "2 online", "Steve,Alex"]);
  });

  it("continue after the last event when the connection was lost, with each event once", async () => {
    const records = createMemoryRecords(side.clock.monotonic);
    const feedLog = () => memoryFeedLog(side.clock, 500, 3_600_000, records);
    await side.start({ feedLog: feedLog() });
    await side.pack.connect();
    follow();
    await until(isOpen);
    await side.pack.report(said("a"));
    await until(() => received.length === 1);
    await side.start({ feedLog: feedLog(), publicPort: side.port, clock: side.clock });
    await side.pack.connect();
    await side.pack.report(said("b"), said("c"));
    await reconnects();
    await until(() => texts().includes("c"));
    expect(texts().filter(text => text !== "online")).toEqual(["a", "b", "c"]);
    expect([gaps, states]).toEqual([[], ["connecting", "open", "waiting", "connecting", "open"]]);
  });

  it("report that events were missed, and since when", async () => {
    follow({ since: "1-1" });
    await until(() => gaps.length === 1);
    const at = clock.now();
    clock.advance(1_000);
    // Its feed is another one, which knows none of the old ids.
    await side.start({ publicPort: side.port, clock: new ManualClock(at + 60_000) });
    await reconnects();
    await until(() => gaps.length === 2);
    expect(gaps).toEqual([undefined, at]);
  });

  it("reconnect when there was no heartbeat for two and a half of the announced intervals", async () => {
    follow({ heartbeatMs: 60_000 });
    await until(isOpen);
    const place = events.place ?? "";
    clock.advance(12_499);
    expect(events.state.is).toBe("open");
    clock.advance(1);
    expect(waits()).toBe(500);
    clock.advance(500);
    await until(isOpen);
    expect(new URLSearchParams(urls[1]).get("since")).toBe(place);
  });

  it("stay connected while there are heartbeats, and advance to the position in them", async () => {
    follow({ types: ["death"] });
    await until(isOpen);
    for (let i = 0; i < 5; i++) {
      const { place } = events;
      await side.pack.report(said("nobody asked for it"));
      clock.advance(10_000);
      side.clock.advance(5_000);
      await until(() => events.place !== place);
    }
    expect([received, states]).toEqual([[], ["connecting", "open"]]);
  });

  it("wait as long as a rejection requests, and continue", async () => {
    await side.start({ env: { WEB_BRIDGE_MODULES_API_LIMITS_EVENT_CLIENTS: "1" } });
    const first = await side.stream();
    follow();
    await until(() => events.state.is === "waiting");
    expect(waits()).toBeGreaterThanOrEqual(1_000);
    expect(waits() % 1_000).toBe(500);
    first.close();
    clock.advance(waits());
    await until(() => isOpen() || events.state.is === "waiting");
    if (!isOpen()) await reconnects();
    expect(states.slice(0, 2)).toEqual(["connecting", "waiting"]);
  });

  it.each([
    ["no stream", () => new Response("<html>", { headers: { "Content-Type": "text/html" } }), 500],
    ["an end", () => new Response("", { headers: { "Content-Type": "text/event-stream" } }), 500],
    ["a date to come back at", () => refusal("Fri"), 500],
    ["a refusal for years, believed for an hour", () => refusal("9999999999"), 3_600_500],
  ])("never open if the response is %s", async (_what, answer, wait) => {
    follow({ fetch: async () => answer() });
    await until(() => events.state.is === "waiting");
    expect([waits(), states]).toEqual([wait, ["connecting", "waiting"]]);
  });

  it("read events that arrive in pieces, and no incomplete ones", async () => {
    const bytes = new TextEncoder().encode(
      'retry: 1\n\nid: 7-1\nevent: join\ndata: {"at":1,"who":"é"}\n\nid: 7-2\nev',
    );
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    follow({ fetch: async () => new Response(body, { headers: { "Content-Type": "text/event-stream" } }) });
    await until(() => events.state.is === "waiting");
    expect(received).toEqual([{ event: "join", id: "7-1", at: 1, who: "é" }]);
    expect(events.place).toBe("7-1");
  });

  it("keep characters that end a line elsewhere, which any visitor can send", async () => {
    follow();
    await until(isOpen);
    const page = await side.socket();
    const odd = "a\u2028b\u2029c\u0085d\r\ne\n\nid: 9-9\n\nf\ufeff";
    page.say(odd);
    page.say("next");
    await until(() => received.length === 2);
    expect(texts()).toEqual([odd, "next"]);
  });
});

describe("the events of the client in a page", () => {
  const page = Object.assign(new EventTarget(), {
    document: Object.assign(new EventTarget(), { hidden: false }),
  });
  const see = (isSeen: boolean): void => {
    page.document.hidden = !isSeen;
    page.document.dispatchEvent(new Event("visibilitychange"));
  };
  beforeEach(() => {
    page.document.hidden = false;
    Object.assign(globalThis, {
      document: page.document,
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
    });
  });
  afterEach(() => {
    events.close();
    for (const name of ["document", "addEventListener", "removeEventListener"])
      Reflect.deleteProperty(globalThis, name);
  });

  it("pause while the page is hidden if they are set to, and then report missed events", async () => {
    follow({ restsHidden: true });
    await until(isOpen);
    see(false);
    expect(events.state.is).toBe("resting");
    await side.pack.report(said("missed"));
    clock.advance(600_000);
    expect(urls).toHaveLength(1);
    see(true);
    await until(() => received.length === 1);
    expect([texts(), gaps]).toEqual([["missed"], []]);
  });

  it("do not wait when the page becomes visible or the network is back", async () => {
    follow();
    await until(isOpen);
    for (const wake of [() => see(true), () => page.dispatchEvent(new Event("online"))]) {
      clock.advance(12_500);
      expect(events.state.is).toBe("waiting");
      wake();
      await until(isOpen);
    }
  });
});
