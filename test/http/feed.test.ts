import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Fact } from "../../shared/facts.ts";
import type { OwnLog } from "../../sidecar/ports/feed.ts";
import { openFeedFile } from "../../sidecar/store/feed-file.ts";
import { createFeedLog } from "../../sidecar/store/feed-log.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ManualClock } from "../helpers/clock.ts";
import { FakePack, row } from "../helpers/fake-pack.ts";
import { RecordingLog } from "../helpers/log.ts";
import { ALEX, EVE, Feeding, STEVE, said, short } from "./feeding.ts";

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

  it("is no more than an event to a private player: who hides is told as leaving, and comes back as joining", async () => {
    await side.pack.snapshot("Steve", "Alex");
    const events = await side.stream("?since=0");
    const hidden = (name: string, isHidden: boolean) => row(name, isHidden ? { hidden: true } : {});
    const snapshot = (...rows: ReturnType<typeof row>[]): Promise<unknown> =>
      side.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
    await snapshot(hidden("Steve", true), row("Alex"));
    await side.pack.report({ is: "joined", row: hidden("Eve", true) }, said("I am hidden"));
    await side.pack.report({ is: "left", id: EVE.id });
    await snapshot(hidden("Steve", false), row("Alex"));
    expect(short(await events.next(6))).toEqual([
      "online",
      "+Steve",
      "+Alex",
      "-Steve",
      "I am hidden",
      "+Steve",
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
