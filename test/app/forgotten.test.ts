import { beforeEach, describe, expect, it } from "@jest/globals";
import { type AppPack, type House, openHouse, row, STEVE } from "./house.ts";
import { alex, figures, join, leave, oneOf, pageOf, report, steve } from "./known.ts";

let house: House;
let pack: AppPack;

beforeEach(async () => {
  house = await openHouse();
  ({ pack } = house);
  await pack.connect();
});

const page = () => pageOf(house);
const one = (name: string, of = house) => oneOf(of, name);

describe("several game servers", () => {
  const yaml = "servers: [{name: lobby}, {name: mines}]";
  let both: House;
  let main: AppPack;
  let lobby: AppPack;
  beforeEach(async () => {
    both = await openHouse({ yaml });
    [main, lobby] = both.packs as [AppPack, AppPack];
    await main.connect("one");
    await lobby.connect("two");
  });

  it("[KNOWN-9] forget a player together, those away when the player comes there", async () => {
    await report(lobby, steve({ since: 5, ...figures(10, 20, 300) }));
    await leave(lobby, steve(), steve({ since: 5, ...figures(10, 20, 300) }));
    await report(main, steve({ since: 6, ...figures(1, 1, 1) }));
    await main.report({ is: "forgot", player: STEVE, since: 6 });
    expect(await one("Steve", both)).toBeUndefined();
    await report(main, steve({ since: 6, ...figures(0, 0, 0) }));
    expect(await one("Steve", both)).toBeUndefined();
    await leave(main, steve(), steve({ since: 6, ...figures(0, 0, 0) }));
    // Of what the lobby tells, nothing of before counts, and its pack is told.
    await join(lobby, steve({ since: 8, ...figures(10, 20, 300) }));
    expect(await one("Steve", both)).toMatchObject({ ...figures(0, 0, 0), visits: 1 });
    const action = await lobby.carryOut("done");
    expect(action.body).toEqual({ do: "forget", player: STEVE, counts: true });
    await both.quiet();
    await report(lobby, steve({ since: 8, ...figures(0, 1, 4) }));
    expect(await one("Steve", both)).toMatchObject(figures(0, 1, 4));
    expect(await lobby.waiting()).toEqual([]);
  });

  it("[KNOWN-9] are asked to forget again where nothing came of it, and packs of before are not asked", async () => {
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

describe("a player who wants to be forgotten", () => {
  it("[KNOWN-9] is known no more, with all visits, and counted anew from the next one", async () => {
    await join(pack, steve({ since: 1 }));
    await leave(pack, steve(), steve(figures(9, 9, 900)));
    await join(pack, steve({ since: 2, ...figures(9, 9, 900) }));
    await pack.report({ is: "forgot", player: STEVE, since: 2 });
    expect(await one("Steve")).toBeUndefined();
    house.clock.advance(20_000);
    await report(pack, steve({ since: 2, ...figures(0, 0, 0) }));
    expect((await page()).total).toBe(0);
    await leave(pack, steve(), steve({ since: 2, ...figures(0, 0, 0) }));
    expect((await house.shared.known.read([house.world.uuidOf(STEVE)])).size).toBe(0);
    await join(pack, steve({ since: 3, ...figures(0, 0, 1) }));
    expect(await one("Steve")).toMatchObject({ ...figures(0, 0, 1), visits: 1 });
    expect((await one("Steve"))?.stays).toHaveLength(1);
  });
});

describe("a player of whom the world cannot be asked yet", () => {
  it("[KNOWN-7] goes on with the visit and the figures that are known", async () => {
    await report(pack, steve(figures(5, 5, 500)));
    house.clock.advance(20_000);
    await report(pack, row("Steve", figures(0, 0, 1)));
    expect(await one("Steve")).toMatchObject({ ...figures(5, 5, 500), visits: 1, online: true });
    house.clock.advance(20_000);
    await report(pack, steve(figures(5, 5, 540)));
    expect(await one("Steve")).toMatchObject({ ...figures(5, 5, 540), visits: 1 });
  });

  it("is known once that can be done, where the pack tells visits apart", async () => {
    await report(pack, alex());
    await join(pack, row("Steve", figures(0, 0, 0)));
    await report(pack, alex(), row("Steve", figures(0, 0, 1)));
    expect(await one("Steve")).toBeUndefined();
    await report(pack, alex(), steve({ since: 7, ...figures(3, 3, 300) }));
    expect(await one("Steve")).toMatchObject({ ...figures(3, 3, 300), visits: 1 });
  });
});
