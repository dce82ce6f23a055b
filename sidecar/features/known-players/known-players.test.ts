import { beforeEach, describe, expect, it } from "@jest/globals";
import { type AppPack, createTestApp, row, STEVE, type TestApp } from "../../../test/helpers/test-app.ts";
import type { KnownPageRequest } from "./known-list.ts";
import type { KnownStore } from "./records.ts";
import { alex, figures, join, leave, oneOf, pageOf, report, steve } from "./testing/known.ts";

let app: TestApp;
let pack: AppPack;

beforeEach(async () => {
  app = await createTestApp();
  ({ pack } = app);
  await pack.connect();
});

const page = (query: Partial<KnownPageRequest> = {}, of = app) => pageOf(of, query);
const names = async (query?: Partial<KnownPageRequest>, of?: TestApp): Promise<string[]> =>
  (await page(query, of)).players.map(({ name }) => name);
const one = (name: string, of = app) => oneOf(of, name);

describe("the known players", () => {
  it("is online while the game reports, and not while the game is offline", async () => {
    await report(pack, steve());
    expect(await one("Steve")).toMatchObject({ online: true });
    app.clock.advance(60_000);
    expect(await one("Steve")).toMatchObject({ online: false });
  });

  it("is in no list or total and unknown while hidden, and back with all data afterwards", async () => {
    await report(pack, steve({ hidden: true, ...figures(4, 5, 60) }), alex());
    expect(await names()).toEqual(["Alex"]);
    expect((await page()).total).toBe(1);
    expect(await one("Steve")).toBeUndefined();
    await leave(pack, steve(), steve({ hidden: true, ...figures(4, 5, 60) }));
    expect(await one("Steve")).toBeUndefined();
    expect((await page()).total).toBe(1);
    await join(pack, steve({ since: 9, ...figures(4, 5, 60) }));
    expect(await one("Steve")).toMatchObject({ ...figures(4, 5, 60), visits: 2 });
  });

  it("returns every player exactly once across pages, online or not", async () => {
    const all = Array.from({ length: 30 }, (_, i) =>
      row(`P${i % 7}_${i}`, { since: i, ...figures(i % 3, 0, i) }),
    );
    await report(pack, ...all.slice(0, 25));
    for (const gone of all.slice(0, 12)) await leave(pack, gone);
    for (const sort of [
      "name",
      "playtime",
      "deaths",
      "visits",
      "last-seen",
      "first-seen",
      "kills",
    ] as const) {
      const seen: string[] = [];
      let after: KnownPageRequest["after"];
      do {
        const { players, next, total } = await page({ sort, limit: 4, after });
        seen.push(...players.map(({ name }) => name));
        expect(total).toBe(25);
        after = next;
      } while (after);
      expect([...seen].sort()).toEqual(
        all
          .slice(0, 25)
          .map(({ player }) => player.name)
          .sort(),
      );
    }
  });
});

describe("a visit", () => {
  it("[KNOWN-7] is not added by a restart of the sidecar or the script", async () => {
    await report(pack, steve());
    const { known } = app.stores;
    await pack.connect("after a reload");
    await report(pack, steve());
    const next = await createTestApp({ clock: app.clock, stores: () => ({ known }) });
    await next.pack.connect("after a reload");
    await report(next.pack, steve());
    expect(await one("Steve", next)).toMatchObject({ visits: 1 });
  });

  it("has an end, which is null while the player is online", async () => {
    await join(pack, steve());
    await report(pack, steve());
    const from = app.clock.now();
    expect((await one("Steve"))?.stays).toEqual([{ from, to: null }]);
    app.clock.advance(7_000);
    await leave(pack, steve());
    expect((await one("Steve"))?.stays).toEqual([{ from, to: app.clock.now() }]);
    expect(await app.knownList?.one(app.server.uuidOf(STEVE), false)).not.toHaveProperty("stays");
  });
});

describe("what is stored", () => {
  async function counted(): Promise<{ app: TestApp; writes: string[][] }> {
    const writes: string[][] = [];
    const own = await createTestApp({
      stores: ({ known }) => ({
        known: {
          ...known,
          change(uuids, ...rest): Promise<void> {
            writes.push([...uuids]);
            return known.change(uuids, ...rest);
          },
        } satisfies KnownStore,
      }),
    });
    await own.pack.connect();
    return { app: own, writes };
  }

  it("is written at most every ten seconds for players who stay, and immediately for those who join or hide", async () => {
    const own = await counted();
    const rows = Array.from({ length: 20 }, (_, i) => row(`P${i}`, { since: i }));
    for (let second = 0; second < 60; second += 5) {
      await report(own.app.pack, ...rows.map(each => ({ ...each, playtimeSeconds: second })));
      own.app.clock.advance(5_000);
    }
    expect(own.writes.map(each => each.length)).toEqual([20, 20, 20, 20, 20, 20]);
    own.writes.length = 0;
    await report(own.app.pack, ...rows, row("New", { since: 99 }));
    expect(own.writes.at(-1)).toHaveLength(21);
    own.app.clock.advance(1_000);
    await report(own.app.pack, ...rows, row("New", { since: 99, hidden: true }));
    expect(own.writes.at(-1)).toHaveLength(1);
  });

  it("is written when the sidecar shuts down", async () => {
    await report(pack, steve(figures(0, 0, 1)));
    app.clock.advance(5_000);
    await report(pack, steve(figures(0, 0, 6)));
    const last = app.clock.now();
    app.clock.advance(3_000);
    await app.known?.stop();
    const { known } = app.stores;
    const next = await createTestApp({ stores: () => ({ known }) });
    expect(await one("Steve", next)).toMatchObject({ playtimeSeconds: 6, lastSeen: last, online: false });
  });

  it("is forgotten after the configured time, and beyond the configured number from the longest unseen", async () => {
    const yaml = "modules: {api: {known-players: {keep-for: 1h}, limits: {known-players: 2}}}";
    const own = await createTestApp({ yaml });
    await own.pack.connect();
    await report(own.pack);
    for (const [i, name] of ["A", "B", "C"].entries()) {
      const visitor = row(name, { since: i });
      await join(own.pack, visitor);
      await leave(own.pack, visitor);
      own.clock.advance(1_000);
    }
    expect(await names({}, own)).toEqual(["B", "C"]);
    own.clock.advance(3_600_000 + 60_000);
    await own.quiet();
    expect(await names({}, own)).toEqual([]);
  });
});

describe("the list of known players", () => {
  it("is erased at the start if it is turned off", async () => {
    await report(pack, steve());
    const { known } = app.stores;
    const off = await createTestApp({
      yaml: "modules: {api: {known-players: {show: off}}}",
      stores: () => ({ known }),
    });
    await off.pack.connect();
    await join(off.pack, alex());
    await report(off.pack, alex());
    expect(off.knownList).toBeUndefined();
    expect((await known.present()).size).toBe(0);
    expect((await page()).total).toBe(0);
  });

  it("ignores visits to a game server that was removed from the service", async () => {
    const both = await createTestApp({ servers: ["lobby"] });
    await report(both.lobby, steve());
    const { known } = both.stores;
    expect((await known.present()).size).toBe(1);
    const left = await createTestApp({ stores: () => ({ known }) });
    left.clock.advance(60_000);
    await left.quiet();
    expect((await known.present()).size).toBe(0);
    expect(await one("Steve", left)).toMatchObject({ visits: 1, online: false });
  });
});
