import { Duplex } from "node:stream";
import { expect, it } from "@jest/globals";
import { createFeed } from "../../sidecar/app/feed.ts";
import { perMinute } from "../../sidecar/domain/rate.ts";
import { EVERYTHING_KEPT } from "../../sidecar/http/events/query.ts";
import { createStreams } from "../../sidecar/http/events/streams.ts";
import { createSidecarMetrics } from "../../sidecar/http/metrics.ts";
import { createMemoryRates } from "../../sidecar/store/rates.ts";
import { ManualClock } from "../helpers/clock.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { RecordingLog } from "../helpers/log.ts";

const MIB = 1024 * 1024;

const CONTENT = "x".repeat(1_000);

/** A feed that holds so many events, and its streams. */
async function begin(entries: number, heartbeatMs = 1_000) {
  const clock = new ManualClock();
  const log = memoryFeedLog(clock, entries);
  const bounds = { entries, forMs: 3_600_000 };
  const feed = await createFeed({ clock, log, bounds });
  const streams = createStreams({
    clock,
    feed,
    log: new RecordingLog(),
    metrics: createSidecarMetrics(),
    rates: createMemoryRates(clock),
    rate: { name: "catch-up", ...perMinute(3_000) },
    places: { most: 1_000, mostPerAddress: 1_000 },
    hasChat: () => true,
    snapshot: () => undefined,
    bufferBytes: MIB,
    heartbeatMs,
  });
  const say = (count: number, from: "web" | "game"): Promise<void> =>
    feed.append(at =>
      Array.from({ length: count }, () => ({
        event: { event: "chat" as const, at, from, content: CONTENT },
      })),
    );
  return { clock, feed, say, streams };
}

it("gives a crowd what it missed over many turns of the event loop, each reader all of it", async () => {
  const { clock, say, streams } = await begin(10_000);
  await say(1_000, "web");
  let all = 0;
  const got: number[] = [];
  for (let i = 0; i < 50; i++) {
    got.push(0);
    const raw = new Duplex({
      read: () => undefined,
      // Takes whatever it is given at once.
      write(bytes: Buffer, _encoding, taken) {
        got[i] = (got[i] ?? 0) + bytes.length;
        all += bytes.length;
        taken();
      },
    });
    streams.open(raw, Buffer.alloc(0), { address: `${i}`, types: EVERYTHING_KEPT, since: "0" });
  }
  let most = all;
  for (let turn = 0; turn < 1_000; turn++) {
    const before = all;
    // Who waits for a turn, not for the reader, is not cut off.
    clock.advance(100);
    await new Promise(setImmediate);
    most = Math.max(most, all - before);
  }
  expect(most).toBeLessThan(2 * MIB);
  expect(Math.min(...got)).toBeGreaterThan(1_000 * CONTENT.length);
  expect(streams.count()).toBe(50);
});

it("tells a reader of a gap once, however many pieces it gets and whatever is gone among them", async () => {
  const { feed, say, streams } = await begin(400);
  await say(10, "game");
  const { entries } = feed.after("0");
  await say(100, "web");
  await say(190, "game");
  await say(200, "web");
  const read = async (
    since: string | undefined,
    then = async (): Promise<void> => undefined,
  ): Promise<string[]> => {
    let text = "";
    let pieces = 0;
    const raw = new Duplex({
      read: () => undefined,
      write(bytes: Buffer, _encoding, taken) {
        text += bytes;
        if (++pieces === 3) then().then(() => taken());
        else taken();
      },
    });
    streams.open(raw, Buffer.alloc(0), { address: "a", types: EVERYTHING_KEPT, since });
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    return [...text.matchAll(/^event: (\w+)/gm)].map(([, event = ""]) => event);
  };
  const chat = (count: number): string[] => Array<string>(count).fill("chat");
  expect(await read("0")).toEqual(chat(400));
  expect(await read(entries[4]?.id)).toEqual(["gap", ...chat(395)]);
  // What goes while a reader is on its way to it is a gap for it, too.
  const late = await read("0", () => say(150, "web"));
  expect(late.filter(event => event === "gap")).toHaveLength(1);
  expect(late).toHaveLength(401);
});

it("lets readers who wait for their turn hear that the service is there", async () => {
  const { clock, say, streams } = await begin(400);
  await say(200, "game");
  const heard: string[] = [];
  for (let i = 0; i < 9; i++) {
    heard.push("");
    const raw = new Duplex({
      highWaterMark: 1024,
      read: () => undefined,
      write(bytes: Buffer, _encoding, taken) {
        heard[i] += `${bytes}`;
        // Eight read no more than the beginning, and keep the ninth waiting.
        if (i === 8 || !`${bytes}`.includes("event:")) taken();
      },
    });
    streams.open(raw, Buffer.alloc(0), { address: "a", types: EVERYTHING_KEPT, since: "0" });
  }
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect(heard[8]).not.toContain("event:");
  clock.advance(1_000);
  expect(heard[8]).toMatch(/\n: heartbeat\n\n$/);
});

it("lets readers who do not read keep others of their address from their turn for 2 s, and gives them the rest when they do", async () => {
  const { clock, say, streams } = await begin(400, 20_000);
  await say(200, "game");
  const heard: string[] = [];
  const read: (() => void)[] = [];
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  };
  for (let i = 0; i < 9; i++) {
    heard.push("");
    const raw = new Duplex({
      highWaterMark: 1024,
      read: () => undefined,
      write(bytes: Buffer, _encoding, taken) {
        heard[i] += `${bytes}`;
        if (i === 8 || !`${bytes}`.includes("event:")) taken();
        else read.push(taken);
      },
    });
    streams.open(raw, Buffer.alloc(0), { address: "a", types: EVERYTHING_KEPT, since: "0" });
  }
  await turns();
  clock.advance(1_999);
  await turns();
  expect(heard[8]).not.toContain("event:");
  clock.advance(1);
  await turns();
  const events = (text = ""): number => text.match(/^event:/gm)?.length ?? 0;
  expect(heard.map(events)).toEqual([...Array(8).fill(events(heard[0])), 200]);
  while (read.length > 0) {
    for (const taken of read.splice(0)) taken();
    await turns();
  }
  expect(heard.map(events)).toEqual(Array(9).fill(200));
});

it("ends a reader alone whose connection fails in being written to, at a heartbeat as at an event", async () => {
  const { clock, say, streams } = await begin(400);
  const heard: string[] = [];
  const raws = Array.from({ length: 3 }, (_, i) => {
    heard.push("");
    return new Duplex({
      read: () => undefined,
      write(bytes: Buffer, _encoding, taken) {
        heard[i] += `${bytes}`;
        taken();
      },
    });
  });
  for (const raw of raws)
    streams.open(raw, Buffer.alloc(0), { address: "a", types: EVERYTHING_KEPT, since: undefined });
  const fail = (): never => {
    throw new Error("planted");
  };
  Object.assign(raws[0] ?? {}, { write: fail });
  clock.advance(1_000);
  Object.assign(raws[1] ?? {}, { write: fail });
  await say(1, "game");
  expect(raws.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
  expect(heard[2]).toMatch(/: heartbeat\n.*event: chat/s);
});
