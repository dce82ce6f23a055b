import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { openFeedFile } from "../../sidecar/store/feed-file.ts";
import { createFeedLog } from "../../sidecar/store/feed-log.ts";
import type { ChatSocket } from "../helpers/chat-socket.ts";
import { ManualClock } from "../helpers/clock.ts";
import { RecordingLog } from "../helpers/log.ts";
import { serving } from "../helpers/serving.ts";
import { said, short } from "./feeding.ts";

// With three sidecars whoever reads hears what others were told.

const side = serving();
const { pack } = side;
beforeEach(async () => {
  await side.start();
  await pack.connect();
});

describe("the feed and the game", () => {
  /** So many events from this place on. */
  const toldAfter = async (id: string | undefined, count: number): Promise<string[]> =>
    short(await (await side.stream(`?since=${id}`)).next(count));

  it("tells that the game is away when its figures are too old, and that everybody left", async () => {
    await pack.snapshot("Steve", "Alex");
    side.clock.advance(14_999);
    expect((await side.ask("/status")).status).toBe(200);
    expect(await toldAfter("0", 3)).toEqual(["online", "+Steve", "+Alex"]);
    side.clock.advance(1);
    expect((await side.ask("/status")).status).toBe(503);
    expect((await toldAfter("0", 6)).slice(3)).toEqual(["away", "-Steve", "-Alex"]);
    await pack.snapshot("Alex");
    expect((await toldAfter("0", 8)).slice(6)).toEqual(["online", "+Alex"]);
  });

  it("goes on after the id that a reader names, with each event once", async () => {
    await pack.report(said("a"), said("b"), said("c"));
    const seen = await (await side.stream("?since=0")).next(3);
    expect(short(seen)).toEqual(["a", "b", "c"]);
    const rest = await side.stream(`?since=${seen[2]?.id}`, { "Last-Event-ID": seen[0]?.id ?? "" });
    const other = await side.stream(`?since=${seen[1]?.id}`, { "Last-Event-ID": "" });
    await pack.report(said("d"));
    expect(short(await rest.next(3))).toEqual(["b", "c", "d"]);
    expect(short(await other.next(2))).toEqual(["c", "d"]);
  });

  it("tells of a gap where an event after the id is gone, and of none where nothing is", async () => {
    await side.api("events: {keep: 2, keep-for: 1m}");
    await pack.connect();
    await pack.report(said("a"), said("b"), said("c"));
    const all = await (await side.stream("?since=0")).next(2);
    expect(short(all)).toEqual(["b", "c"]);
    await pack.report(said("d"), said("e"));
    expect(await toldAfter(all[0]?.id, 3)).toEqual(["gap", "d", "e"]);
    expect(await toldAfter(all[1]?.id, 2)).toEqual(["d", "e"]);
    side.clock.advance(61_000);
    expect(await toldAfter(all[1]?.id, 1)).toEqual(["gap"]);
  });

  it("passes over a line that a pack sends again to another process", async () => {
    const clock = new ManualClock();
    const log = new RecordingLog();
    const folder = mkdtempSync(join(tmpdir(), "feed "));
    const bounds = { entries: 100, forMs: 60_000 };
    const facts = [said("a"), said("b")];
    let socket: ChatSocket | undefined;
    for (const end of [facts, [...facts, said("c")]]) {
      await side.start({
        clock,
        feedLog: createFeedLog({ clock, log, bounds, file: openFeedFile(folder, log) }),
      });
      await pack.connect();
      socket = await side.socket();
      await pack.report(...end);
    }
    // A socket may have opened after the first time.
    const heard = (await socket?.settled())?.map(({ content }) => content.replace("§§<Steve> §§", ""));
    expect(heard?.slice(-3)).toEqual(["a", "b", "c"]);
    expect(await toldAfter("0", 3)).toEqual(["a", "b", "c"]);
    await side.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});
