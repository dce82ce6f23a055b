import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../test/helpers/clock.ts";
import { openBansFile, openLinksFile } from "../../test/helpers/files.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { RecordingLog } from "../../test/helpers/log.ts";
import { contents, line, say } from "../features/feed/feed-log.contract.ts";
import { feedFolders } from "../features/feed/testing/feed-folders.ts";
import { uuidOf } from "../features/known-players/testing/known-records.ts";
import { openFolder, openKnownPlayers } from "../files.ts";

/** Copies the files of an earlier sidecar into the folder. */
function restore(name: string): void {
  const from = fileURLToPath(new URL(`testing/${name}`, import.meta.url));
  for (const file of readdirSync(from))
    writeFileSync(join(folder, file.replace(".gz", "")), gunzipSync(readFileSync(join(from, file))));
}

const DAYS = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)] as const;

eachInFolder("earlier ");
const log = new RecordingLog();
afterEach(() => expect(log.lines).toEqual([]));

// Of the libsql files, the first half was closed properly, and the second was killed and left `-wal` files.
describe.each([
  {
    of: "with libsql",
    from: "earlier",
    bridgeId: "b1cbe5ad-e351-411e-8ca3-bb69bf787f0c",
    list: "8805293d-ce7f-40ed-9d96-c0032177f8fd",
  },
  {
    of: "with a table for each kind of record",
    from: "earlier-tables",
    bridgeId: "a1ddd2c5-2692-4db8-b5a1-c31b30a33119",
    list: "45ee4b62-939e-4451-9ccc-c6bb71d1fc73",
  },
])("files of a sidecar $of", ({ from, bridgeId, list }) => {
  beforeEach(() => restore(from));

  it("contain its links, choices and sign-ins", async () => {
    const store = openLinksFile(folder, log);
    for (const [i, at] of DAYS.entries()) {
      const player = { id: "-4", persistentId: "p", name: "Steve", uuid: uuidOf(1) };
      const name = i + 1;
      expect(await store.read(`linked-${name}`)).toEqual({
        link: { status: "accepted", player: { ...player, uuid: uuidOf(i + 1) }, at },
      });
      expect((await store.open(9))[i]).toEqual({
        session: `pending-${name}`,
        record: { link: { status: "pending", request: `r${name}`, player, deadline: at } },
      });
      expect(await store.linkedTo(uuidOf(i + 1), 9)).toEqual([`linked-${name}`]);
    }
    expect(await store.due(DAYS[1], 9)).toEqual(["pending-1", "pending-2"]);
    expect(await store.bridgeId()).toBe(bridgeId);
    expect(await store.last()).toEqual({ run: "r", since: 1, world: { id: "w", name: "Wält 世" } });
    expect(await store.gameServerOf("lobby").last()).toEqual({ run: "run2", since: 2 });
    expect(await store.chosen([uuidOf(1), uuidOf(2)])).toEqual(
      new Map([
        [uuidOf(1), { blocked: true, hidden: false }],
        [uuidOf(2), { blocked: true }],
      ]),
    );
    const signIn = store.signIn(() => DAYS[1]);
    expect(await signIn.get("key-1")).toMatchObject({ text: "text 1", isUsed: true });
    expect(await signIn.get("key-2")).toMatchObject({ text: "text 2", isUsed: false });
    await store.close();
    expect(readdirSync(folder)).not.toContain("links.db-wal");
  });

  it("contain its known players and their visits", async () => {
    const store = openKnownPlayers(folder, log);
    const servers = { "": { last: [1, 2, 3] } };
    expect(await store.page({ sort: "name", limit: 9 })).toEqual([
      [uuidOf(1), { servers, name: "Steve", first: 10, last: DAYS[0], visits: 1 }],
      [uuidOf(2), { servers, name: "Älex 𝒳", first: 20, last: DAYS[1], visits: 2 }],
    ]);
    for (const [i, to] of DAYS.entries())
      expect(await store.visits(uuidOf(i + 1), 9)).toEqual([
        { from: to - 5, to },
        { from: 1, to: 2 },
      ]);
    await store.close();
  });

  it("stay unchanged beside the new ones, readable only for this user", async () => {
    await openLinksFile(folder, log).close();
    const copy = new DatabaseSync(join(folder, "links.db.v2"));
    const sessions = copy.prepare("SELECT session FROM links ORDER BY session").all();
    copy.close();
    expect(sessions.map(({ session }) => session)).toContain("linked-1");
    if (process.platform !== "win32") expect(statSync(join(folder, "links.db.v2")).mode & 0o777).toBe(0o600);
  });

  it("lose only damaged visits", async () => {
    const database = new DatabaseSync(join(folder, "players.db"));
    const first = uuidOf(1).replaceAll("-", "");
    database.exec(`UPDATE stays SET visits = x'0102030405' WHERE uuid = x'${first}'`);
    database.close();
    const store = openKnownPlayers(folder, new RecordingLog());
    expect([...(await store.read([uuidOf(1), uuidOf(2)])).keys()]).toEqual([uuidOf(1), uuidOf(2)]);
    expect([await store.visits(uuidOf(1), 9), (await store.visits(uuidOf(2), 9)).length]).toEqual([[], 2]);
    await store.close();
  });

  it("contain its bans", async () => {
    const store = openBansFile(folder, log);
    expect(await store.head()).toEqual({ list, upTo: 2 });
    expect(await store.read(0, 9)).toEqual([
      { n: 1, ban: { name: "Steve", at: DAYS[0] } },
      { n: 2, ban: { name: "Alex", at: DAYS[1] } },
    ]);
    await store.close();
  });

  it("are migrated when the sidecar starts, before the first request", async () => {
    await openFolder(folder, log).close();
    for (const name of ["players.db", "bans.db"]) {
      const database = new DatabaseSync(join(folder, name));
      expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 2 });
      database.close();
    }
  });
});

describe("the feed file of a sidecar with libsql", () => {
  const { open } = feedFolders();

  it("contains its feed, with webhooks and plots", async () => {
    restore("earlier");
    const feed = open(folder, { log, clock: new ManualClock(DAYS[1] + 9), forMs: Number.POSITIVE_INFINITY });
    const { entries, floor } = await feed.newest(9);
    expect(entries.map(({ id, event }) => [id, event])).toEqual(
      DAYS.flatMap((at, i) =>
        [`line ${i + 1} §a 世`, `web ${i + 1}`].map((content, n) => [
          `${at}-${n + 1}`,
          { event: "chat", at, from: n === 0 ? "game" : "web", content },
        ]),
      ),
    );
    expect(floor).toBe(`${DAYS[0]}-0`);
    expect(await feed.hooks.get("https://hooks.example.com/a")).toEqual({ place: `${DAYS[1]}-1` });
    expect(await feed.presence()).toEqual({
      run: "run2",
      isOnline: true,
      players: [{ id: "-4", name: "Steve", uuid: uuidOf(1) }],
    });
    const { history } = feed;
    expect((await history("").read()).map(({ at, onlinePlayerCount }) => [at, onlinePlayerCount])).toEqual(
      DAYS.map((at, i) => [at, i + 1]),
    );
    expect((await history("").rollups()).buckets["365d"]).toEqual([
      { slot: 20455, totals: [1, 2000, 2, 512, 1, 0, 0, 2] },
    ]);
    const again = [line("again", { key: "key1" }), line("new", { key: "key3" })];
    expect(await feed.appendOnce(again)).toEqual(again.slice(1));
    expect(await feed.serverFeed("lobby").appendOnce([line("again", { key: "lobby2" })])).toEqual([]);
  });

  it("keeps the event ids that readers have, also over another restart", async () => {
    restore("earlier");
    const of = { log, clock: new ManualClock(DAYS[0]), forMs: Number.POSITIVE_INFINITY };
    const first = open(folder, of);
    expect(contents((await first.read(`${DAYS[0]}-2`, 9)).entries)).toEqual(["line 2 §a 世", "web 2"]);
    await say(first, "new");
    const last = await first.last();
    await first.close();
    const second = open(folder, of);
    const { gap, entries } = await second.read(`${DAYS[1]}-2`, 9);
    expect([gap, contents(entries), entries[0]?.id]).toEqual([false, ["new"], last]);
    expect((await second.read("1-1", 9)).gap).toBe(true);
  });
});
