import { beforeEach, describe, expect, it } from "@jest/globals";
import { MOST_WAIT_MS } from "../../sidecar/domain/crowds.ts";
import { ManualClock } from "../helpers/clock.ts";
import type { EventStream } from "../helpers/event-stream.ts";
import { LateRates } from "../helpers/late-rates.ts";
import { serving } from "../helpers/serving.ts";
import type { Options } from "../helpers/sidecar.ts";
import { said, short } from "./feeding.ts";

// What streams have missed counts against their address by its bytes.

const side = serving();
const { pack } = side;
async function start(requests: number, options: Options = {}): Promise<void> {
  await side.api(`trust-proxy: loopback, limits: {requests-per-minute: ${requests}}`, undefined, options);
  await pack.connect();
}

const EVENTS = 500;

/** Keeps as many lines as are kept, of so many characters of three bytes each. */
async function fill(length: number): Promise<void> {
  const lines = Array.from({ length: EVENTS }, (_, at) => said(`${at} ${"\u754c".repeat(length)}`));
  for (let sent = 0; sent < EVENTS; sent += 25) await pack.report(...lines.slice(sent, sent + 25));
}

const open = (address: string, since = "0", headers: Record<string, string> = {}): Promise<EventStream> =>
  side.stream(`?since=${since}`, { "X-Forwarded-For": address, ...headers });

const count = ({ events }: EventStream): number => events.length;
/** Numbers of the lines that have come. */
const lines = ({ events }: EventStream): number[] => short(events).map(line => Number.parseInt(line, 10));
const ALL = Array.from({ length: EVENTS }, (_, at) => at);

/** Time goes on, as long as it takes until something is so. */
async function untilSo(isSo: () => boolean, stepMs = 1_000): Promise<void> {
  for (let step = 0; !isSo(); step++) {
    expect(step).toBeLessThan(1_000);
    side.clock.advance(stepMs);
    await side.quiet();
  }
}

/** What comes without time going on has come. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await side.quiet();
}

describe("an address whose streams have missed more than it can pay", () => {
  beforeEach(async () => {
    await start(60);
    await fill(500);
  });

  it("is given it as it can, with heartbeats meanwhile, each event once", async () => {
    const first = await open("10.0.0.1");
    expect(lines({ events: await first.next(EVENTS) } as EventStream)).toEqual(ALL);
    const second = await open("10.0.0.1");
    await settled();
    const got = count(second);
    expect(got).toBeLessThan(EVENTS / 2);
    side.clock.advance(4_000);
    await settled();
    expect(count(second)).toBeGreaterThan(got);
    expect(count(second)).toBeLessThan(EVENTS / 2 + got);
    await untilSo(() => count(second) === EVENTS);
    expect(lines(second)).toEqual(ALL);
    expect(second.comments.filter(comment => comment === "heartbeat")).not.toEqual([]);
    await pack.report(said("now"));
    expect(short(await second.next(EVENTS + 1)).at(-1)).toBe("now");
  });

  it("has its requests as ever, and its streams that have missed little", async () => {
    const first = await open("10.0.0.1");
    const place = (await first.next(EVENTS)).at(-3)?.id;
    for (let i = 0; i < 20; i++) await open("10.0.0.1");
    await settled();
    const back = await open("10.0.0.1", place);
    expect(await back.next(2)).toHaveLength(2);
    for (let i = 0; i < 30; i++) {
      const headers = { "X-Forwarded-For": "10.0.0.1" };
      expect((await side.ask("/server", { headers })).status).toBe(200);
    }
  });

  it("keeps nobody else waiting", async () => {
    for (let i = 0; i < 20; i++) await open("10.0.0.1");
    await settled();
    const other = await open("10.0.0.2");
    expect(await other.next(EVENTS)).toHaveLength(EVENTS);
  });

  it("has streams ended that wait for too long, which go on where they were when they come back", async () => {
    const streams = await Promise.all(Array.from({ length: 12 }, () => open("10.0.0.1")));
    await settled();
    const begun = streams.filter(stream => count(stream) > 0 && count(stream) < EVENTS)[0];
    await untilSo(() => streams.some(({ isClosed }) => isClosed), MOST_WAIT_MS / 50);
    const ended = streams.filter(({ isClosed }) => isClosed);
    expect(ended).not.toContain(begun);
    expect(side.log.of("info").map(({ message }) => message)).toContain(
      "ended an event stream whose address has missed too much",
    );
    for (const stream of streams) stream.close();
    await settled();
    side.clock.advance(60_000);
    const [gone] = ended;
    const again = await open("10.0.0.1", "0", { "Last-Event-ID": gone?.lastEventId ?? "" });
    await untilSo(() => count(again) === EVENTS - count(gone ?? again));
    expect([...lines(gone ?? again), ...lines(again)]).toEqual(ALL);
  });
});

it("what streams have missed is paid where the rates of several sidecars are counted elsewhere", async () => {
  const clock = new ManualClock();
  await start(60, { clock, rates: new LateRates(clock) });
  await fill(500);
  const [first, second] = [await open("10.0.0.1"), await open("10.0.0.1")];
  await settled();
  expect(count(first) + count(second)).toBeLessThan(1.5 * EVENTS);
  await untilSo(() => count(first) + count(second) === 2 * EVENTS);
  expect([lines(first), lines(second)]).toEqual([ALL, ALL]);
});

describe("a crowd behind one address, with the limits as they come", () => {
  beforeEach(() => start(3_000));

  it("of 200 pages that open all at once is given all that is kept of usual lines", async () => {
    await fill(20);
    const streams = await Promise.all(Array.from({ length: 200 }, () => open("10.0.0.1")));
    for (const stream of streams) expect(await stream.next(EVENTS)).toHaveLength(EVENTS);
  });

  it("of 500 pages that come back after a break is given what it has missed", async () => {
    await fill(100);
    const first = await open("10.0.0.2");
    const place = (await first.next(EVENTS)).at(-31)?.id;
    const streams = await Promise.all(Array.from({ length: 500 }, () => open("10.0.0.1", place)));
    for (const stream of streams) expect(await stream.next(30)).toHaveLength(30);
  });
});
