import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { memoryFeedLog } from "../../../../test/helpers/feed-log.ts";
import { RecordingLog } from "../../../../test/helpers/log.ts";
import { createSidecarMetrics } from "../../../platform/metrics.ts";
import { createFeed } from "../feed.ts";
import { EVERYTHING_KEPT } from "./query.ts";
import { createStreams } from "./streams.ts";

const MIB = 1024 * 1024;
const CONTENT = "x".repeat(1_000);

/** A reader: everything it received, and its response. */
interface Reader {
  received: string;
  out: Writable;
}

/** A feed with a limit of events, and its streams. */
async function begin(
  entries: number,
  heartbeatMs = 1_000,
  pay = async (_address: string, _bytes: number) => 0,
) {
  const clock = new ManualClock();
  const log = memoryFeedLog(clock, entries);
  const bounds = { entries, forMs: 3_600_000 };
  const feed = await createFeed({ clock, log, bounds });
  const streams = createStreams({
    clock,
    feed,
    log: new RecordingLog(),
    metrics: createSidecarMetrics(),
    pay,
    limits: { most: 1_000, mostPerAddress: 1_000 },
    hasChat: () => true,
    servers: [{ name: "main", body: () => undefined }],
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
    const out = new Writable({
      highWaterMark: 1024,
      write(bytes: Buffer, _encoding, taken) {
        reader.received += bytes;
        take(taken, `${bytes}`);
      },
    });
    const reader = { received: "", out };
    const answer: unknown = Object.assign(out, { req: { socket: out } });
    streams.open(answer as ServerResponse, { address, types: EVERYTHING_KEPT, since });
    return reader;
  }
  return { clock, feed, say, streams, open };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}
const events = ({ received }: Reader): string[] =>
  [...received.matchAll(/^event: (\w+)/gm)].map(([, event = ""]) => event);

it("gives each reader everything it missed, in batches", async () => {
  const { say, streams, open } = await begin(10_000);
  await say(1_000, "web");
  const readers = Array.from({ length: 50 }, (_, i) => open("0", `${i}`));
  const most = (): number => Math.max(...readers.map(({ received }) => received.length));
  await turns(1);
  expect(most()).toBeLessThan(200 * CONTENT.length);
  await turns(100);
  expect(Math.min(...readers.map(reader => events(reader).length))).toBe(1_000);
  expect(streams.count()).toBe(50);
});

describe("a reader whose address has used up its requests", () => {
  it("waits with heartbeats until it has more, and then gets the rest", async () => {
    let waits = 1;
    const { clock, say, open } = await begin(400, 1_000, async () => (waits-- > 0 ? 5 : 0));
    await say(10, "game");
    const reader = open("0");
    await turns(10);
    expect(events(reader)).toEqual([]);
    clock.advance(4_999);
    expect(reader.received).toMatch(/\n: heartbeat\n\n$/);
    clock.advance(1);
    await turns(10);
    expect(events(reader)).toHaveLength(10);
  });

  it("is ended after five minutes", async () => {
    const { clock, say, open } = await begin(400, 1_000, async () => 60);
    await say(10, "game");
    const reader = open("0");
    for (let minute = 0; minute < 5; minute++) {
      await turns(10);
      expect(reader.out.writableEnded).toBe(false);
      clock.advance(60_000);
    }
    await turns(10);
    expect(reader.out.writableEnded).toBe(true);
  });
});

it("reports a gap to a reader once, however many batches it gets", async () => {
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
  // Events dropped while a reader catches up are a gap for it, too.
  const late = await read("0", () => say(150, "web"));
  expect(late.filter(event => event === "gap")).toHaveLength(1);
  expect(late).toHaveLength(401);
});

it("gives a slow reader the rest once it reads again, and disconnects one that does not within a heartbeat", async () => {
  const { clock, say, open } = await begin(400);
  await say(200, "game");
  const read: (() => void)[] = [];
  const stuck = (taken: () => void, piece: string): unknown =>
    piece.includes("event:") ? read.push(taken) : taken();
  const reader = open("0", "a", stuck);
  const dead = open("0", "a", (taken, piece) => (piece.includes("event:") ? undefined : taken()));
  await turns(20);
  expect(events(reader).length).toBeLessThan(200);
  clock.advance(1_000);
  while (read.length > 0) {
    for (const taken of read.splice(0)) taken();
    await turns(20);
  }
  clock.advance(1_000);
  expect(events(reader)).toHaveLength(200);
  expect([reader.out.destroyed, dead.out.destroyed]).toEqual([false, true]);
});

it("ends only the reader whose connection fails, at a heartbeat or an event", async () => {
  const { clock, say, open } = await begin(400);
  const readers = [open(undefined), open(undefined), open(undefined)] as const;
  const fail = ({ out }: Reader): void => {
    out.write = () => {
      throw new Error("planted");
    };
  };
  fail(readers[0]);
  clock.advance(1_000);
  fail(readers[1]);
  await say(1, "game");
  expect(readers.map(({ out }) => out.destroyed)).toEqual([true, true, false]);
  expect(readers[2].received).toMatch(/: heartbeat\n.*event: chat/s);
});
