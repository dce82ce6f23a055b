import { Duplex } from "node:stream";
import { expect, it } from "@jest/globals";
import { createFeed } from "../../sidecar/app/feed.ts";
import { createEmbeddedBus } from "../../sidecar/bridge/embedded-bus.ts";
import { ALWAYS_THERE } from "../../sidecar/embedded.ts";
import { EVERYTHING_KEPT } from "../../sidecar/http/events/query.ts";
import { createStreams } from "../../sidecar/http/events/streams.ts";
import { createSidecarMetrics } from "../../sidecar/http/metrics.ts";
import { ManualClock } from "../helpers/clock.ts";
import { memoryFeedLog } from "../helpers/feed-log.ts";
import { RecordingLog } from "../helpers/log.ts";

const MIB = 1024 * 1024;

it("gives a crowd what it missed over many turns of the event loop, each reader all of it", async () => {
  const clock = new ManualClock();
  const log = memoryFeedLog(clock);
  const bounds = { entries: 10_000, forMs: 3_600_000 };
  const bus = createEmbeddedBus();
  const feed = await createFeed({
    ...{ clock, log, bus, bounds, reach: ALWAYS_THERE },
    bridgeId: "b",
    silentMs: 15_000,
  });
  const content = "x".repeat(1_000);
  await feed.append(at =>
    Array.from({ length: 1_000 }, () => ({
      event: { event: "chat" as const, at, from: "web" as const, content },
    })),
  );
  const streams = createStreams({
    clock,
    feed,
    log: new RecordingLog(),
    metrics: createSidecarMetrics(),
    hasChat: () => true,
    snapshot: () => undefined,
    bufferBytes: MIB,
    heartbeatMs: 1_000,
  });
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
  for (let turn = 0; turn < 100; turn++) {
    const before = all;
    // Who waits for a turn, not for the reader, is not cut off.
    clock.advance(1_000);
    await new Promise(setImmediate);
    most = Math.max(most, all - before);
  }
  expect(most).toBeLessThan(2 * MIB);
  expect(Math.min(...got)).toBeGreaterThan(1_000 * content.length);
  expect(streams.count()).toBe(50);
});
