import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Fact } from "../../shared/facts.ts";
import type { OwnLog } from "../../sidecar/ports.ts";
import { openFeedFile } from "../../sidecar/store/feed-file.ts";
import { createFeedLog } from "../../sidecar/store/feed-log.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { RecordingLog } from "../helpers/log.ts";
import { ALEX, Feeding, STEVE, said, short } from "./feeding.ts";

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

  it("tells of a new run of the game, though it came back at once", async () => {
    await side.pack.snapshot("Steve");
    const second = new FakePack(side.bridge.bridge);
    await second.connect("another run");
    await second.snapshot("Steve");
    expect(await told(6)).toEqual(["online", "+Steve", "away", "-Steve", "online", "+Steve"]);
  });

  it("tells of nobody who came and went before a snapshot twice", async () => {
    await side.pack.snapshot();
    await side.pack.report({ is: "joined", row: row("Steve") });
    await side.pack.snapshot("Steve");
    await side.pack.report({ is: "left", id: STEVE.id });
    await side.pack.snapshot();
    // One whom another pack sent away again: there is a join, and never a leave of its own.
    await side.pack.report({ is: "joined", row: row("Eve") });
    await side.pack.snapshot();
    expect(await told(5)).toEqual(["online", "+Steve", "-Steve", "+Eve", "-Eve"]);
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

  it("passes over who came and went where a pack tells it again to another process", async () => {
    const clock = new ManualClock();
    const openLog = keptLog(clock);
    await side.bridge.stop();
    await side.start({ clock, feedLog: openLog() });
    await side.pack.snapshot("Steve");
    const facts: Fact[] = [
      { is: "left", id: STEVE.id },
      { is: "joined", row: row("Steve") },
      { is: "joined", row: row("Alex") },
      { is: "left", id: ALEX.id },
    ];
    const { seq } = side.pack;
    await side.pack.report(...facts);
    await side.bridge.stop();
    await side.start({ clock, feedLog: openLog() });
    side.pack.seq = seq;
    await side.pack.report(...facts, said("end"));
    expect(await told(7)).toEqual(["online", "+Steve", "-Steve", "+Steve", "+Alex", "-Alex", "end"]);
  });
});
