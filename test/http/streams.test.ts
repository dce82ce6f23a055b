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

/** A reader: all that it was given, and its connection. */
interface Reader {
  heard: string;
  raw: Duplex;
}

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
    worlds: [{ name: "main", body: () => undefined }],
    bufferBytes: MIB,
    heartbeatMs,
  });
  const say = (count: number, from: "web" | "game"): Promise<void> =>
    feed.append(at =>
      Array.from({ length: count }, () => ({
        event: { event: "chat" as const, at, from, content: CONTENT },
      })),
    );
  /** `take`: is handed what takes each piece, and the piece; without, all is taken at once. */
  function open(
    since: string | undefined,
    address = "a",
    take: (taken: () => void, piece: string) => unknown = taken => taken(),
  ): Reader {
    const raw = new Duplex({
      highWaterMark: 1024,
      read: () => undefined,
      write(bytes: Buffer, _encoding, taken) {
        reader.heard += bytes;
        take(taken, `${bytes}`);
      },
    });
    const reader = { heard: "", raw };
    streams.open(raw, Buffer.alloc(0), { address, types: EVERYTHING_KEPT, since });
    return reader;
  }
  return { clock, feed, say, streams, open };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}
const events = ({ heard }: Reader): string[] =>
  [...heard.matchAll(/^event: (\w+)/gm)].map(([, event = ""]) => event);

it("gives a crowd what it missed over many turns of the event loop, each reader all of it", async () => {
  const { clock, say, streams, open } = await begin(10_000);
  await say(1_000, "web");
  const readers = Array.from({ length: 50 }, (_, i) => open("0", `${i}`));
  const all = (): number => readers.reduce((sum, { heard }) => sum + heard.length, 0);
  let most = all();
  for (let turn = 0; turn < 1_000; turn++) {
    const before = all();
    // Who waits for a turn, not for the reader, is not cut off.
    clock.advance(100);
    await turns(1);
    most = Math.max(most, all() - before);
  }
  expect(most).toBeLessThan(2 * MIB);
  expect(Math.min(...readers.map(({ heard }) => heard.length))).toBeGreaterThan(1_000 * CONTENT.length);
  expect(streams.count()).toBe(50);
});

it("tells a reader of a gap once, however many pieces it gets and whatever is gone among them", async () => {
  const { feed, say, open } = await begin(400);
  await say(10, "game");
  const { entries } = feed.after("0");
  await say(100, "web");
  await say(190, "game");
  await say(200, "web");
  const read = async (
    since: string | undefined,
    then = async (): Promise<void> => undefined,
  ): Promise<string[]> => {
    let pieces = 0;
    const reader = open(since, "a", taken => (++pieces === 3 ? then().then(taken) : taken()));
    await turns(50);
    return events(reader);
  };
  const chat = (count: number): string[] => Array<string>(count).fill("chat");
  expect(await read("0")).toEqual(chat(400));
  expect(await read(entries[4]?.id)).toEqual(["gap", ...chat(395)]);
  // What goes while a reader is on its way to it is a gap for it, too.
  const late = await read("0", () => say(150, "web"));
  expect(late.filter(event => event === "gap")).toHaveLength(1);
  expect(late).toHaveLength(401);
});

/** Eight readers of an address who read no more than the beginning, until they are let, and a ninth who waits for them. */
function nine(open: Awaited<ReturnType<typeof begin>>["open"]): {
  readers: Reader[];
  last: Reader;
  read: (() => void)[];
} {
  const read: (() => void)[] = [];
  const stuck = (taken: () => void, piece: string): unknown =>
    piece.includes("event:") ? read.push(taken) : taken();
  const eight = Array.from({ length: 8 }, () => open("0", "a", stuck));
  const last = open("0");
  return { readers: [...eight, last], last, read };
}

it("lets readers who wait for their turn hear that the service is there", async () => {
  const { clock, say, open } = await begin(400);
  await say(200, "game");
  const { last } = nine(open);
  await turns(10);
  expect(events(last)).toEqual([]);
  clock.advance(1_000);
  expect(last.heard).toMatch(/\n: heartbeat\n\n$/);
});

it("lets readers who do not read keep others of their address from their turn for 2 s, and gives them the rest when they do", async () => {
  const { clock, say, open } = await begin(400, 20_000);
  await say(200, "game");
  const { readers, last, read } = nine(open);
  await turns(20);
  clock.advance(1_999);
  await turns(20);
  expect(events(last)).toEqual([]);
  clock.advance(1);
  await turns(20);
  const counts = (): number[] => readers.map(reader => events(reader).length);
  expect(counts()).toEqual([...Array(8).fill(counts()[0]), 200]);
  while (read.length > 0) {
    for (const taken of read.splice(0)) taken();
    await turns(20);
  }
  expect(counts()).toEqual(Array(9).fill(200));
});

it("ends a reader alone whose connection fails in being written to, at a heartbeat as at an event", async () => {
  const { clock, say, open } = await begin(400);
  const readers = [open(undefined), open(undefined), open(undefined)] as const;
  const fail = ({ raw }: Reader): void => {
    raw.write = () => {
      throw new Error("planted");
    };
  };
  fail(readers[0]);
  clock.advance(1_000);
  fail(readers[1]);
  await say(1, "game");
  expect(readers.map(({ raw }) => raw.destroyed)).toEqual([true, true, false]);
  expect(readers[2].heard).toMatch(/: heartbeat\n.*event: chat/s);
});
