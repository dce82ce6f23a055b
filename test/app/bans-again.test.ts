import { describe, expect, it } from "@jest/globals";
import type { BanChange } from "../../shared/bans.ts";
import type { Ban as ListedBan } from "../../shared/public/moderation.ts";
import type { House, HouseOptions } from "./house.ts";
import { type AppPack, houseWith, openHouse, row, STEVE } from "./house.ts";
import { leave, report, steve } from "./known.ts";
import { named, yamlOf } from "./several.ts";

let house: House;
const BY = { key: "moderator", address: "192.0.2.1" };

const open = async (yaml = "", more: HouseOptions = {}): Promise<void> => {
  house = await houseWith([], { yaml, ...more });
};
const add = async (who: string, forMs?: number): Promise<string> =>
  (await house.bans.add({ who: { name: who }, forMs }, BY)).outcome;
const list = (): Promise<ListedBan[]> => house.bans.list();
const uuid = (): string => house.world.uuidOf(STEVE);
/** As the pack tells it. */
const change = (name: string, more: Partial<BanChange> = {}): BanChange => ({
  ...{ name, at: house.clock.now(), by: "game:Alex" },
  ...more,
});

it("a ban by name holds for whoever the game gives no persistent id, and another id each time", async () => {
  const guest = (id: string) => row("Steve(2)", { player: named("Steve(2)", { id, persistentId: "" }) });
  await open();
  await report(house.pack, guest("-1"));
  await add("Steve(2)");
  await leave(house.pack, guest("-1"));
  await report(house.pack, guest("-2"));
  expect((await house.shared.world.bus.lastSnapshot())?.rows).toEqual([]);
  expect(await house.pack.bans()).toMatchObject([{ name: "Steve(2)", everywhere: true }]);
});

it("a ban from the game is audited once where the answer was lost to one of a player who is known", async () => {
  await open();
  await report(house.pack, steve());
  const told = change("Steve");
  await house.pack.bans(told);
  await house.pack.bans(told);
  expect(house.audit).toHaveLength(1);
  expect(await list()).toMatchObject([{ uuid: uuid() }]);
});

it("a ban from the game has reasons and ends that the web could have given", async () => {
  await open();
  const until = Number.MAX_SAFE_INTEGER;
  await house.pack.bans(change("Kai", { reason: `\u00a7c\u202ea\n${"b".repeat(100)}`, until }));
  expect(await list()).toMatchObject([{ reason: `a${"b".repeat(59)}`, until: 8_640_000_000_000_000 }]);
  await house.pack.bans(change("Alex", { reason: "\u00a7c" }));
  expect(await list()).toMatchObject([{ name: "Alex", reason: null }, {}]);
});

it("a list that cannot be read is not told as an empty one, and spoken of once a minute", async () => {
  const fault = new Error("damaged");
  await open("", { with: ({ bans }) => ({ bans: { ...bans, head: () => Promise.reject(fault) } }) });
  await expect(list()).rejects.toBe(fault);
  await expect(house.pack.bans()).rejects.toBe(fault);
  const told = (): number => house.log.text.split("could not read or save the ban list").length - 1;
  for (let i = 0; i < 5; i++) await report(house.pack, steve());
  expect(told()).toBe(1);
  house.clock.advance(60_000);
  await report(house.pack, steve());
  expect(told()).toBe(2);
});

it.each<[string, Partial<BanChange>, number]>([
  ["once where the game says who has the name", {}, 1],
  ["once where that player has another name by now", { name: "Zoe", names: ["kevin"] }, 1],
  ["twice where it is of another time", { at: 1 }, 2],
  ["twice where it is of one game server", { everywhere: false }, 2],
  ["twice where it is of another name", { name: "Zoe" }, 2],
  ["twice where it lifts", { lifted: true }, 2],
])("a ban that the web has by name is audited %s", async (_, more, lines) => {
  await open();
  await add("Kevin");
  const [told] = await house.pack.bans();
  if (told === undefined) throw new Error("nothing was told");
  await house.pack.bans({ ...told, persistentId: "KEVIN", again: true, ...more });
  expect(house.audit).toHaveLength(lines);
});

describe("the audit of two game servers", () => {
  const two = async (): Promise<readonly AppPack[]> => {
    house = await openHouse({ yaml: yamlOf("lobby") });
    for (const pack of house.packs) await pack.connect();
    return house.packs;
  };

  it("is pushed out by no ban that one of them makes and lifts: past 10,000 changes none counts", async () => {
    const [noisy = house.pack, quiet = house.pack] = await two();
    const flips = (from: number) =>
      Array.from({ length: 1_000 }, (_, i) => ({ name: "Kai", at: from + i, lifted: i % 2 === 0 }));
    for (let at = 1; at <= 10_001; at += 1_000) await noisy.bans(...flips(at));
    const held = async () => (await list()).map(({ name }) => name);
    expect([house.audit.length, await held()]).toEqual([10_000, ["Kai"]]);
    await quiet.bans(change("Alex"));
    const late = { name: "Kai", at: 20_000, lifted: true };
    await noisy.bans(late);
    expect([house.audit.length, await held()]).toEqual([10_001, ["Alex", "Kai"]]);
    expect(house.log.text).toContain("a game server changes too many bans");
    house.clock.advance(10_000);
    await noisy.bans(late);
    expect([house.audit.length, await held()]).toEqual([10_002, ["Alex"]]);
  });

  it.each<[string, (pack: AppPack) => Promise<unknown>]>([
    ["has come", pack => pack.report({ is: "joined", row: row("Griefer") })],
    ["is there", pack => pack.snapshot("Griefer")],
    [
      "is another one",
      pack => pack.bans(change("griefer", { persistentId: "x", everywhere: true, again: true })),
    ],
  ])("has who was banned by name, once one of them says that the player %s", async (_what, says) => {
    const packs = await two();
    await add("Griefer");
    for (const pack of packs) await says(pack);
    expect(house.audit.slice(1)).toMatchObject([
      { key: "game:Server", server: "main", action: "ban.bind", name: "Griefer", outcome: "bound" },
    ]);
  });
});
