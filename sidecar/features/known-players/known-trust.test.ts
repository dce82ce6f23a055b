import { beforeEach, describe, expect, it } from "@jest/globals";
import {
  ALEX,
  type AppPack,
  browsersOf,
  createTestApp,
  row,
  STEVE,
  type TestApp,
} from "../../../test/helpers/test-app.ts";
import { StorageFull } from "../../kernel/storage/ports.ts";
import { playerUuid } from "../players/player-data.ts";
import type { KnownPage } from "./known-list.ts";
import { endVisit, type KnownRecord } from "./rules/known-players.ts";
import { alex, figures, join, leave, oneOf, pageOf, report, steve } from "./testing/known.ts";

/** An app whose storage of known players is full while `isFull` returns true. */
async function withFull(isFull: () => boolean): Promise<TestApp> {
  return createTestApp({
    stores: ({ known }) => ({
      known: {
        ...known,
        async change(...args) {
          if (isFull()) throw new StorageFull("no room");
          return known.change(...args);
        },
      },
    }),
  });
}

describe("when player records cannot be saved", () => {
  it("nothing else is delayed, and the next report completes the records", async () => {
    let isFull = true;
    const app = await withFull(() => isFull);
    await app.pack.connect();
    await join(app.pack, steve());
    await report(app.pack, steve());
    expect(app.server.snapshots.fresh()?.players).toHaveLength(1);
    isFull = false;
    await report(app.pack, steve());
    expect(await oneOf(app, "Steve")).toMatchObject({ visits: 1 });
  });

  it("a player is forgotten as soon as possible, and links are stored until then", async () => {
    let isFull = false;
    const app = await withFull(() => isFull);
    await app.begin("Steve", "Alex");
    isFull = true;
    await app.pack.report({ is: "forgot", player: STEVE });
    const { answered, session } = browsersOf(() => app);
    const own = session();
    await answered(true, own, "Alex");
    expect(await app.stores.links.read(own)).toMatchObject({ link: { status: "accepted" } });
    isFull = false;
    app.clock.advance(1_000);
    await app.quiet();
    expect(await oneOf(app, "Steve")).toBeUndefined();
  });
});

describe("a page of known players", () => {
  it("has a next page even if a player of an earlier page leaves at that moment", async () => {
    const uuid = playerUuid(alex().player, "");
    const app = await createTestApp({
      stores: ({ known }) => ({
        known: {
          ...known,
          // Another process already knows that they have left, and this one does not yet.
          async page(query) {
            const left = (record: KnownRecord | undefined) => record && endVisit(record, "", 9e12);
            if (query.after) await known.change([uuid], (_, record) => left(record), { most: 9 });
            return known.page(query);
          },
        },
      }),
    });
    await app.pack.connect();
    await report(app.pack, ...["Brian", "Chris", "Dora"].map(name => row(name, { since: 1 })));
    await report(app.pack, alex());
    const found: string[] = [];
    let next: KnownPage["next"];
    do {
      const page = await pageOf(app, { sort: "last-seen", limit: 1, after: next });
      found.push(...page.players.map(({ name }) => name));
      ({ next } = page);
    } while (next !== undefined);
    expect(found[0]).toBe("Alex");
    expect([...new Set(found)].sort()).toEqual(["Alex", "Brian", "Chris", "Dora"]);
  });
});

describe("several game servers", () => {
  it("hide a player who chose so while the sidecar was offline and has left since", async () => {
    const app = await createTestApp({ servers: ["lobby"] });
    const { pack: main, lobby } = app;
    await report(lobby, alex());
    await report(lobby);
    expect(await oneOf(app, "Alex")).toMatchObject({ visits: 1 });
    await lobby.report({ is: "chose", player: ALEX, hidden: true });
    expect(await oneOf(app, "Alex")).toBeUndefined();
    expect((await pageOf(app)).total).toBe(0);
    // Another game server may not show them again.
    await main.report({ is: "chose", player: ALEX, hidden: false });
    expect(await oneOf(app, "Alex")).toBeUndefined();
  });

  it("are not evicted by players that one of them makes up", async () => {
    const limits = "modules: { api: { limits: { known-players: 3000 } } }";
    const app = await createTestApp({ yaml: limits, servers: ["lobby"] });
    const { pack: main, lobby } = app;
    await report(main, alex());
    await report(main);
    const arrive = async (part: number): Promise<void> => {
      for (let at = 0; at < 40; at++)
        await lobby.report({
          ...{ is: "snapshot", tps: 20, part: at, parts: 40 },
          rows: Array.from({ length: 25 }, (_, i) => row(`P${part}-${at}-${i}`, { since: 1 })),
        });
    };
    for (let part = 0; part < 4; part++) await arrive(part);
    expect(await oneOf(app, "Alex")).toMatchObject({ visits: 1 });
    expect((await pageOf(app)).total).toBe(2_001);
    expect(app.log.text).toContain("A game server reports too many new players");
    app.clock.advance(10_000);
    await join(main, row("Steve", { since: 1 }));
    await arrive(4);
    expect((await pageOf(app)).total).toBe(2_003);
  });

  const servers = ["lobby", "mines"];
  it("[KNOWN-9] all forget a player, offline ones when the player joins there", async () => {
    const both = await createTestApp({ servers });
    const { pack: main, lobby } = both;
    await report(lobby, steve({ since: 5, ...figures(10, 20, 300) }));
    await leave(lobby, steve(), steve({ since: 5, ...figures(10, 20, 300) }));
    await report(main, steve({ since: 6, ...figures(1, 1, 1) }));
    await main.report({ is: "forgot", player: STEVE, since: 6 });
    expect(await oneOf(both, "Steve")).toBeUndefined();
    await report(main, steve({ since: 6, ...figures(0, 0, 0) }));
    expect(await oneOf(both, "Steve")).toBeUndefined();
    await leave(main, steve(), steve({ since: 6, ...figures(0, 0, 0) }));
    // The lobby's earlier reports do not count, and its pack is asked to forget.
    await join(lobby, steve({ since: 8, ...figures(10, 20, 300) }));
    expect(await oneOf(both, "Steve")).toMatchObject({ ...figures(0, 0, 0), visits: 1 });
    const action = await lobby.carryOut("done");
    expect(action.body).toEqual({ do: "forget", player: STEVE, counts: true });
    await both.quiet();
    await report(lobby, steve({ since: 8, ...figures(0, 1, 4) }));
    expect(await oneOf(both, "Steve")).toMatchObject(figures(0, 1, 4));
    expect(await lobby.waiting()).toEqual([]);
  });

  it("[KNOWN-9] get the request to forget again after a failure, and older packs get none", async () => {
    const both = await createTestApp({ servers });
    const { pack: main, lobby } = both;
    await report(lobby, steve({ since: 5, ...figures(1, 1, 9) }));
    // The lobby is silent.
    both.clock.advance(60_000);
    await main.report({ is: "forgot", player: STEVE, since: 3 });
    await report(lobby, steve({ since: 5, ...figures(1, 1, 19) }));
    both.clock.advance(10_000);
    await report(lobby, steve({ since: 5, ...figures(1, 1, 19) }));
    const refused = await lobby.carryOut("failed");
    expect(refused.body).toEqual({ do: "forget", player: STEVE, counts: false });
    await both.quiet();
    both.clock.advance(10_000);
    await report(lobby, steve({ since: 5, ...figures(1, 1, 29) }));
    expect((await lobby.waiting()).map(body => body.do)).toEqual(["forget"]);
    await leave(lobby, steve(), steve({ since: 5 }));
    await join(lobby, row("Steve"));
    expect((await lobby.waiting()).map(body => body.do)).toEqual(["forget"]);
  });
});

describe("a player whom the game server cannot look up yet", () => {
  let app: TestApp;
  let pack: AppPack;
  beforeEach(async () => {
    app = await createTestApp({ players: [] });
    ({ pack } = app);
  });

  it("[KNOWN-7] continues the known visit and statistics", async () => {
    await report(pack, steve(figures(5, 5, 500)));
    app.clock.advance(20_000);
    await report(pack, row("Steve", figures(0, 0, 1)));
    expect(await oneOf(app, "Steve")).toMatchObject({ ...figures(5, 5, 500), visits: 1, online: true });
    app.clock.advance(20_000);
    await report(pack, steve(figures(5, 5, 540)));
    expect(await oneOf(app, "Steve")).toMatchObject({ ...figures(5, 5, 540), visits: 1 });
  });

  it("is known once the lookup works, if the pack reports separate visits", async () => {
    await report(pack, alex());
    await join(pack, row("Steve", figures(0, 0, 0)));
    await report(pack, alex(), row("Steve", figures(0, 0, 1)));
    expect(await oneOf(app, "Steve")).toBeUndefined();
    await report(pack, alex(), steve({ since: 7, ...figures(3, 3, 300) }));
    expect(await oneOf(app, "Steve")).toMatchObject({ ...figures(3, 3, 300), visits: 1 });
  });
});
