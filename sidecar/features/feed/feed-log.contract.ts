import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { FeedEvent } from "../../../client/types.ts";
import { type FirstLog, firstLogOf } from "../../../test/helpers/feed-log.ts";
import { NEVER_ONLINE, type Presence } from "../players/rules/presence.ts";
import type { FeedLog, NewEntry, ServerFeed } from "./feed-log.ts";
import type { FeedEntry } from "./rules/window.ts";

export const line = (content: string, more: Partial<NewEntry> = {}): NewEntry => ({
  event: { event: "chat", at: Date.UTC(2026, 0, 1), from: "game", content },
  ...more,
});

/** Appends messages of the game with these contents. */
export const say = (log: ServerFeed, ...contents: string[]): Promise<unknown> =>
  log.append(() => ({ entries: contents.map(content => line(content)) }));

export const webLine = (content: string): NewEntry => ({
  event: { event: "chat", at: Date.UTC(2026, 0, 1), from: "web", content },
});

/** Appends messages of the website with these contents. */
export const sayOnWeb = (log: FeedLog, ...contents: string[]): Promise<unknown> =>
  log.publish(contents.map(webLine));

const contentOf = (event: FeedEvent): string => (event.event === "chat" ? event.content : event.event);
export const contents = (entries: readonly FeedEntry[]): string[] =>
  entries.map(({ event }) => contentOf(event));
const everything = async (log: FeedLog): Promise<FeedEntry[]> => (await log.newest(10_000)).entries;

/** Contract of every log; `make` creates one that keeps 5 entries. */
export function describeFeedLog(name: string, make: () => Promise<FeedLog>): void {
  describe(name, () => {
    let log: FirstLog;
    beforeEach(async () => {
      log = firstLogOf(await make());
    });
    afterEach(() => log.close());

    it("gives each entry a unique id, in the order of appending", async () => {
      await say(log, "a", "b");
      await say(log, "c");
      const entries = await everything(log);
      expect(contents(entries)).toEqual(["a", "b", "c"]);
      expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
      expect(await log.last()).toBe(entries[2]?.id);
    });

    it("delivers every entry to every listener in order, before the promise settles", async () => {
      const received: string[][] = [[], []];
      const stop = log.subscribe(entries => received[0]?.push(...contents(entries)));
      log.subscribe(entries => received[1]?.push(...contents(entries)));
      await Promise.all([say(log, "a"), say(log, "b", "c")]);
      expect(received).toEqual([
        ["a", "b", "c"],
        ["a", "b", "c"],
      ]);
      stop();
      await say(log, "d");
      expect(received.map(each => each.length)).toEqual([3, 4]);
    });

    it("passes an entry's source to listeners", async () => {
      const received: FeedEntry[] = [];
      log.subscribe(entries => received.push(...entries));
      await log.append(() => ({ entries: [line("a", { except: "socket", withheld: true })] }));
      expect(received).toEqual([
        { id: expect.any(String), except: "socket", withheld: true, event: line("a").event },
      ]);
    });

    it("continues from any position that it holds", async () => {
      const start = await log.last();
      await say(log, "a", "b", "c");
      const [first] = await everything(log);
      expect(contents((await log.read(start, 2)).entries)).toEqual(["a", "b"]);
      const rest = await log.read(first?.id ?? "", 10);
      expect([rest.gap, contents(rest.entries)]).toEqual([false, ["b", "c"]]);
      expect(await log.read(await log.last(), 10)).toEqual({ gap: false, entries: [] });
    });

    it("reports a gap for dropped entries and for an unknown position", async () => {
      const start = await log.last();
      await say(log, "a", "b", "c", "d", "e", "f");
      for (const position of [start, "nothing", "9999999999999-1"]) {
        const { gap, entries } = await log.read(position, 10);
        expect([position, gap, contents(entries)]).toEqual([position, true, ["b", "c", "d", "e", "f"]]);
      }
    });

    it("holds a limited number of entries, and reports the position before them", async () => {
      await say(log, ..."abcdefgh");
      const { floor, entries } = await log.newest(2);
      expect(contents(entries)).toEqual(["g", "h"]);
      expect(contents((await log.read(floor, 10)).entries)).toEqual(["g", "h"]);
      const all = await log.newest(100);
      expect(contents(all.entries)).toEqual([..."defgh"]);
      expect(await log.read(all.floor, 1)).toMatchObject({ gap: false });
    });

    it("limits messages of the website to half of it, and evicts no event of the game for them", async () => {
      const start = await log.last();
      await say(log, "A", "B");
      const last = await log.last();
      await sayOnWeb(log, ..."abcdef");
      await say(log, "C");
      const all = await log.newest(100);
      expect(contents(all.entries)).toEqual([..."ABefC"]);
      expect(contents((await log.newest(3)).entries)).toEqual([..."BfC"]);
      const newestGone = all.floor;
      // Entries older than the newest dropped message stay, and can be read from.
      const positions: [string, boolean, string][] = [
        [start, true, "ABefC"],
        [last, true, "efC"],
        [newestGone, false, "efC"],
        ["nothing", true, "ABefC"],
      ];
      for (const [position, gap, expected] of positions) {
        const page = await log.read(position, 10);
        expect([position, page.gap, contents(page.entries).join("")]).toEqual([position, gap, expected]);
      }
      await say(log, ..."DEF");
      expect(contents(await everything(log))).toEqual([..."fCDEF"]);
    });

    it("skips an entry whose key was appended before", async () => {
      await log.append(() => ({ entries: [line("a", { key: "1" }), line("b", { key: "2" })] }));
      await log.append(() => ({ entries: [line("b", { key: "2" }), line("c", { key: "3" })] }));
      await log.append(() => ({ entries: [line("c", { key: "3" })] }));
      expect(contents(await everything(log))).toEqual(["a", "b", "c"]);
    });

    it("says which entries are new, by their keys", async () => {
      const [a, b, c] = ["a", "b", "c"].map((each, i) => line(each, { key: `run:${i}:${each}` }));
      if (!a || !b || !c) throw new Error("there are three");
      expect(await log.appendOnce([a, b])).toEqual([a, b]);
      expect(await log.appendOnce([a, c, b, line("d"), c])).toEqual([c, line("d")]);
      expect(await log.appendOnce([b])).toEqual([]);
      expect(contents(await everything(log))).toEqual([..."abcd"]);
    });

    it("updates the presence together with its events in one transaction", async () => {
      expect(await log.presence()).toEqual(NEVER_ONLINE);
      const count = (before: Presence): { presence: Presence; entries: NewEntry[] } => {
        const run = `${Number(before.run) + 1}`;
        return { presence: { ...before, run }, entries: [line(run)] };
      };
      await Promise.all([log.append(count), log.append(count), log.append(count)]);
      expect((await log.presence()).run).toBe("3");
      expect(contents(await everything(log))).toEqual(["1", "2", "3"]);
    });

    it("ignores a repeated presence update", async () => {
      const came = { presence: { ...NEVER_ONLINE, run: "came" }, entries: [line("came", { key: "1" })] };
      await log.append(() => came);
      await log.append(before => ({ presence: { ...before, run: "gone" }, entries: [line("gone")] }));
      await log.append(() => came);
      expect((await log.presence()).run).toBe("gone");
      expect(contents(await everything(log))).toEqual(["came", "gone"]);
    });
  });
}
