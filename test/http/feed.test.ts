import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { OwnLog } from "../../sidecar/ports/feed.ts";
import { openFeedFile } from "../../sidecar/store/feed-file.ts";
import { createFeedLog } from "../../sidecar/store/feed-log.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";
import { Feeding, said, short } from "./feeding.ts";

// Own connections: looks at the status alone.

const side = new Feeding();
beforeEach(() => side.start());
const folders: string[] = [];
afterEach(async () => {
  await side.end();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Opens the same log again and again. */
function keptLog(clock: ManualClock): () => OwnLog {
  const folder = mkdtempSync(join(tmpdir(), "feed "));
  folders.push(folder);
  const log = new RecordingLog();
  return () =>
    createFeedLog({ clock, log, bounds: { entries: 100, forMs: 60_000 }, file: openFeedFile(folder, log) });
}

describe("the feed and the game", () => {
  const told = async (count: number): Promise<string[]> =>
    short(await (await side.stream("?since=0")).next(count));

  it("tells that the game is away when its figures are too old, and that everybody left", async () => {
    await side.pack.snapshot("Steve", "Alex");
    side.bridge.clock.advance(14_999);
    expect((await fetch(`${side.bridge.base}/status`)).status).toBe(200);
    expect(await told(3)).toEqual(["online", "+Steve", "+Alex"]);
    side.bridge.clock.advance(1);
    expect((await fetch(`${side.bridge.base}/status`)).status).toBe(503);
    expect(await told(6)).toEqual(["online", "+Steve", "+Alex", "away", "-Steve", "-Alex"]);
    await side.pack.snapshot("Alex");
    expect((await told(8)).slice(6)).toEqual(["online", "+Alex"]);
  });

  it("goes on after the id that a reader names, with each event once", async () => {
    await side.pack.report(said("a"), said("b"), said("c"));
    const all = await side.stream("?since=0");
    const seen = await all.next(3);
    expect(short(seen)).toEqual(["a", "b", "c"]);
    const [first] = seen;
    const rest = await side.stream(`?since=${seen[2]?.id}`, { "Last-Event-ID": first?.id ?? "" });
    const other = await side.stream(`?since=${seen[1]?.id}`, { "Last-Event-ID": "" });
    await side.pack.report(said("d"));
    expect(short(await rest.next(3))).toEqual(["b", "c", "d"]);
    expect(short(await other.next(2))).toEqual(["c", "d"]);
  });

  it("tells of a gap where an event after the id is gone, and of none where nothing is", async () => {
    await side.bridge.stop();
    await side.start({ yaml: "modules: {api: {events: {keep: 2, keep-for: 1m}}}" });
    await side.pack.report(said("a"), said("b"), said("c"));
    const all = await (await side.stream("?since=0")).next(2);
    expect(short(all)).toEqual(["b", "c"]);
    await side.pack.report(said("d"), said("e"));
    expect((await (await side.stream(`?since=${all[0]?.id}`)).next(3)).map(({ event }) => event)).toEqual([
      "gap",
      "chat",
      "chat",
    ]);
    expect(short(await (await side.stream(`?since=${all[1]?.id}`)).next(2))).toEqual(["d", "e"]);
    side.bridge.clock.advance(61_000);
    expect((await (await side.stream(`?since=${all[1]?.id}`)).next(1)).map(({ event }) => event)).toEqual([
      "gap",
    ]);
  });

  it("passes over a line that a pack sends again to another process", async () => {
    const clock = new ManualClock();
    const openLog = keptLog(clock);
    const facts = [said("a"), said("b")];
    let socket: ChatSocket | undefined;
    for (const end of [facts, [...facts, said("c")]]) {
      await side.bridge.stop();
      await side.start({ clock, feedLog: openLog() });
      socket = await ChatSocket.open(side.bridge.base);
      const { ws } = socket;
      side.open.push({ close: () => ws.terminate() });
      await side.pack.report(...end);
    }
    // A socket may have opened after the first time.
    const heard = (await socket?.settled())?.map(({ content }) => content.replace("§§<Steve> §§", ""));
    expect(heard?.slice(-3)).toEqual(["a", "b", "c"]);
    expect(await told(3)).toEqual(["a", "b", "c"]);
  });
});
