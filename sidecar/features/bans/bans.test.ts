import { beforeEach, describe, expect, it } from "@jest/globals";
import type { PlayerRef } from "../../../shared/actions.ts";
import type { BanChange } from "../../../shared/bans.ts";
import { MAX_BANS } from "../../../shared/limits.ts";
import type { Ban as ListedBan } from "../../../shared/public/moderation.ts";
import { createMemoryBans } from "../../../test/helpers/memory-store.ts";
import { named } from "../../../test/helpers/several.ts";
import {
  type AppPack,
  createTestApp,
  row,
  STEVE,
  type TestApp,
  type TestAppOptions,
} from "../../../test/helpers/test-app.ts";
import { StorageAway } from "../../kernel/storage/ports.ts";
import { join, leave, report, steve } from "../known-players/testing/known.ts";
import type { BanRequest } from "./bans.ts";

let app: TestApp;
const open = async (options?: TestAppOptions, ...names: string[]): Promise<void> => {
  app = await createTestApp({ players: names, ...options });
};
beforeEach(() => open());

const HOUR = 60 * 60_000;
const BY = { key: "moderator", address: "192.0.2.1" };
const uuidOf = (player: PlayerRef): string => app.server.uuidOf(player);

const add = async (who: string, more: Omit<BanRequest, "who"> = {}, server?: string): Promise<string> =>
  (await app.bans.add({ who: { name: who }, ...more }, BY, server)).outcome;
const addUuid = async (uuid: string, server?: string): Promise<string> =>
  (await app.bans.add({ who: { uuid } }, BY, server)).outcome;
const remove = async (name: string, server?: string): Promise<string> =>
  (await app.bans.remove({ name }, BY, server)).outcome;
const list = (server?: string): Promise<ListedBan[]> => app.bans.list(server);
const names = async (server?: string): Promise<string[]> => (await list(server)).map(({ name }) => name);
/** As it is sent to or by the pack. */
const change = (name: string, more: Partial<BanChange> = {}): BanChange => ({
  ...{ name, at: app.clock.now(), by: "game:Alex" },
  ...more,
});
const audited = (): unknown[] =>
  app.audit.map(entry => ["key" in entry && entry.key, entry.action, entry.name, entry.outcome]);

describe("a ban of a banned player", () => {
  it("replaces the earlier ban after a restart, by name and by uuid, without a list of known players", async () => {
    for (const again of [() => add("STEVE", { forMs: HOUR }), () => addUuid(uuidOf(STEVE))]) {
      const bans = createMemoryBans();
      const options = {
        yaml: "modules: { api: { known-players: { show: off } } }",
        stores: () => ({ bans }),
      };
      await open(options);
      await report(app.pack, steve());
      await add("Steve");
      await open(options);
      expect(await again()).toBe("banned");
      expect(await list()).toMatchObject([{ name: "Steve", uuid: uuidOf(STEVE) }]);
    }
  });
});

describe("a ban", () => {
  it("of a name that is online applies to the player, and the pack gets it immediately", async () => {
    await app.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows: [row("Steve")] });
    expect(await add("steve", { reason: "spam", forMs: HOUR })).toBe("banned");
    const at = app.clock.now();
    const expected = { reason: "spam", by: "moderator", at, until: at + HOUR };
    expect(await list()).toEqual([
      { name: "Steve", uuid: uuidOf(STEVE), known: true, servers: null, ...expected },
    ]);
    expect((await app.pack.take()).map(({ body }) => body)).toEqual([{ do: "bans" }]);
    const { persistentId } = STEVE;
    expect(await app.pack.bans()).toEqual([{ name: "Steve", persistentId, everywhere: true, ...expected }]);
    expect(app.audit).toEqual([
      { at, ...BY, action: "ban.add", name: "Steve", reason: "spam", outcome: "banned" },
    ]);
  });

  it("for longer than the latest possible time ends at that time", async () => {
    await add("Kai", { forMs: 999_999_999 * 24 * HOUR });
    const [{ until = 0 } = {}] = (await list()) as { until?: number }[];
    expect(new Date(until).toISOString()).toBe("+275760-09-13T00:00:00.000Z");
  });

  it("is listed by code unit of the name, and lifted by name or uuid", async () => {
    await report(app.pack, steve());
    for (const name of ["b", "B", "Steve", "a"]) await add(name);
    expect(await names()).toEqual(["B", "Steve", "a"]);
    expect((await app.bans.remove({ uuid: uuidOf(STEVE) }, BY)).outcome).toBe("unbanned");
    expect(await remove("b")).toBe("unbanned");
    expect(await remove("b")).toBe("not_banned");
    expect(await names()).toEqual(["a"]);
    expect(audited().slice(-3)).toEqual([
      ["moderator", "ban.remove", "Steve", "unbanned"],
      ["moderator", "ban.remove", "B", "unbanned"],
      ["moderator", "ban.remove", "b", "not_banned"],
    ]);
  });

  it("needs a valid player name, unless the name is known", async () => {
    expect(await add("no_such*name")).toBe("invalid_name");
    await report(app.pack, row("no_such*name"));
    expect(await add("no_such*name")).toBe("banned");
  });

  it("is rejected if ten thousand are listed, which is audited", async () => {
    const bans = createMemoryBans();
    const full = Array.from({ length: MAX_BANS }, (_, i) => ({ name: `n${i}`, at: 1 }));
    await bans.put(undefined, full, []);
    await open({ stores: () => ({ bans }) });
    expect(await add("Steve")).toBe("too_many_bans");
    expect(audited()).toEqual([["moderator", "ban.add", "Steve", "too_many_bans"]]);
    expect((await list())[0]).toMatchObject({ name: "n0", by: null, reason: null, until: null });
  });

  it("without a list of known players applies to the recently seen player, or else to the name", async () => {
    await open({ yaml: "modules.api: { known-players: { show: off } }" });
    await join(app.pack, steve());
    await leave(app.pack, steve());
    for (const name of ["Steve", "Kai"]) await add(name);
    expect((await list()).map(({ name, uuid }) => [name, uuid])).toEqual([
      ["Kai", null],
      ["Steve", uuidOf(STEVE)],
    ]);
  });

  it("of a player with earlier names is found by each, except by names that two players have had", async () => {
    const alexis = { ...STEVE, name: "Alexis" };
    const other = { ...STEVE, name: "STEVE", id: "-7", persistentId: "ANOTHER" };
    for (const player of [STEVE, alexis, other]) {
      await join(app.pack, row(player.name, { player }));
      await leave(app.pack, row(player.name, { player }));
    }
    expect(await add("Steve")).toBe("ambiguous_name");
    expect(await add("alexis")).toBe("banned");
    expect(await list()).toMatchObject([{ name: "Alexis", uuid: uuidOf(STEVE) }]);
    expect(await remove("steve")).toBe("unbanned");
    expect(await addUuid(uuidOf(other))).toBe("banned");
    expect(await remove("Alexis")).toBe("not_banned");
    expect(await names()).toEqual(["STEVE"]);
  });

  it("of an unknown uuid waits for the player, who is kicked when first seen", async () => {
    expect(await addUuid(uuidOf(STEVE))).toBe("banned");
    expect(await list()).toMatchObject([{ name: "", uuid: uuidOf(STEVE) }]);
    expect(await app.pack.bans()).toEqual([]);
    await join(app.pack, steve());
    expect(await list()).toMatchObject([{ name: "Steve", uuid: uuidOf(STEVE) }]);
    expect(await app.pack.bans()).toMatchObject([{ name: "Steve", persistentId: STEVE.persistentId }]);
    expect((await app.pack.take()).map(({ body }) => body)).toContainEqual({ do: "bans" });
  });

  it("is known to every process as soon as it is answered", async () => {
    const bans = createMemoryBans();
    await open({ stores: () => ({ bans }) });
    const other = await createTestApp({ stores: () => ({ bans }) });
    await add("Steve");
    expect(await other.bans.list()).toMatchObject([{ name: "Steve" }]);
    await Promise.all([add("Alex"), other.bans.add({ who: { name: "Kai" } }, BY)]);
    expect(await names()).toEqual(["Alex", "Kai", "Steve"]);
  });

  it("cannot be made while the storage is unreachable, and still applies if it cannot be read", async () => {
    let fault: Error | undefined;
    await open({
      stores: ({ bans }) => ({
        bans: {
          ...bans,
          async head() {
            if (fault) throw fault;
            return bans.head();
          },
        },
      }),
    });
    await add("Steve");
    fault = new StorageAway("away");
    await expect(add("Alex")).rejects.toBe(fault);
    await expect(app.pack.bans()).rejects.toBe(fault);
    fault = new Error("damaged");
    await report(app.pack, steve());
    expect((await app.shared.server.bus.lastSnapshot())?.rows).toEqual([]);
    expect(app.log.text).toContain("Could not read or save the ban list");
  });
});

describe("the list of the game", () => {
  it("has the bans that were made there, with the name of the operator", async () => {
    await app.pack.bans(change("Steve", { reason: "spam" }), change("Kai", { by: "game:Server" }));
    expect(await list()).toMatchObject([
      { name: "Kai", by: "game:Server", servers: ["main"] },
      { name: "Steve", by: "game:Alex", reason: "spam", servers: ["main"], uuid: null },
    ]);
    await app.pack.bans(change("kai", { at: app.clock.now() + 1, lifted: true }));
    app.clock.advance(1);
    expect(await names()).toEqual(["Steve"]);
    expect(audited()).toEqual([
      ["game:Alex", "ban.add", "Steve", "banned"],
      ["game:Server", "ban.add", "Kai", "banned"],
      ["game:Alex", "ban.remove", "kai", "unbanned"],
    ]);
  });

  it("is restored from the game if the sidecar has lost it", async () => {
    await add("Kai", { reason: "web" });
    await app.pack.bans(change("Steve"));
    const sent = await app.pack.bans();
    expect(sent).toEqual([]);
    const before = await list();
    const copy = app.pack.bansOf;
    const again = [
      { ...change("Steve"), again: true },
      { ...change("Kai", { by: "moderator", reason: "web", everywhere: true }), again: true },
    ];
    await open();
    app.pack.bansOf = copy;
    await app.pack.bans(...again);
    expect(await list()).toEqual(before);
    expect(audited()).toEqual([
      ["game:Alex", "ban.add", "Steve", "banned"],
      ["game:Server", "ban.add", "Kai", "banned"],
    ]);
    expect(app.pack.bansOf).toMatchObject({ after: app.clock.now() + 2 });
  });
});

describe("several game servers", () => {
  const start = async (): Promise<void> => {
    app = await createTestApp({ servers: ["lobby", "creative"] });
  };
  const packAt = (at: number) => app.packs[at] ?? app.pack;

  it("have shared bans, and others for one server", async () => {
    await start();
    await add("Everywhere");
    await add("Main", {}, "main");
    await add("Lobby", {}, "lobby");
    expect(await list()).toMatchObject([{ servers: null }, { servers: ["lobby"] }, { servers: ["main"] }]);
    expect([await names("lobby"), await names("creative")]).toEqual([
      ["Everywhere", "Lobby"],
      ["Everywhere"],
    ]);
    expect((await packAt(1).bans()).map(({ name }) => name)).toEqual(["Everywhere", "Lobby"]);
    expect(await remove("Everywhere", "lobby")).toBe("not_banned");
    expect(await remove("Lobby", "creative")).toBe("not_banned");
    expect(await remove("Lobby")).toBe("unbanned");
    expect(app.audit.map(entry => "server" in entry && entry.server)).toEqual([
      ...[false, "main", "lobby"],
      ...["lobby", "creative", false],
    ]);
  });
});

it("a ban by name applies to a player without a persistent id, who has another id each time", async () => {
  const guest = (id: string) => row("Steve(2)", { player: named("Steve(2)", { id, persistentId: "" }) });
  await report(app.pack, guest("-1"));
  await add("Steve(2)");
  await leave(app.pack, guest("-1"));
  await report(app.pack, guest("-2"));
  expect((await app.shared.server.bus.lastSnapshot())?.rows).toEqual([]);
  expect(await app.pack.bans()).toMatchObject([{ name: "Steve(2)", everywhere: true }]);
});

it("a ban of a known player from the game is audited once if its answer was lost", async () => {
  await report(app.pack, steve());
  const reported = change("Steve");
  await app.pack.bans(reported);
  await app.pack.bans(reported);
  expect(app.audit).toHaveLength(1);
  expect(await list()).toMatchObject([{ uuid: uuidOf(STEVE) }]);
});

it("a ban from the game has a reason and an end that the website could have set", async () => {
  const until = Number.MAX_SAFE_INTEGER;
  await app.pack.bans(change("Kai", { reason: `\u00a7c\u202ea\n${"b".repeat(100)}`, until }));
  expect(await list()).toMatchObject([{ reason: `a${"b".repeat(59)}`, until: 8_640_000_000_000_000 }]);
  await app.pack.bans(change("Alex", { reason: "\u00a7c" }));
  expect(await list()).toMatchObject([{ name: "Alex", reason: null }, {}]);
});

it("a list that cannot be read is not reported as empty, and logged once a minute, even if the clock is changed", async () => {
  const fault = new Error("damaged");
  await open({ stores: ({ bans }) => ({ bans: { ...bans, head: () => Promise.reject(fault) } }) });
  await expect(list()).rejects.toBe(fault);
  await expect(app.pack.bans()).rejects.toBe(fault);
  const warnings = (): number => app.log.text.split("Could not read or save the ban list").length - 1;
  for (let i = 0; i < 5; i++) await report(app.pack, steve());
  expect(warnings()).toBe(1);
  app.clock.setBack(3_600_000);
  app.clock.advance(60_000);
  await report(app.pack, steve());
  expect(warnings()).toBe(2);
});

it.each<[string, Partial<BanChange>, number]>([
  ["once where the game says who has the name", {}, 1],
  ["once where that player has another name by now", { name: "Zoe", names: ["kevin"] }, 1],
  ["twice where it is of another time", { at: 1 }, 2],
  ["twice where it is of one game server", { everywhere: false }, 2],
  ["twice where it is of another name", { name: "Zoe" }, 2],
  ["twice where it lifts", { lifted: true }, 2],
])("a ban by name from the website is audited %s", async (_, more, lines) => {
  await add("Kevin");
  const [sent] = await app.pack.bans();
  if (sent === undefined) throw new Error("nothing was sent");
  await app.pack.bans({ ...sent, persistentId: "KEVIN", again: true, ...more });
  expect(app.audit).toHaveLength(lines);
});

describe("the audit of two game servers", () => {
  const two = async (): Promise<readonly AppPack[]> => {
    app = await createTestApp({ servers: ["lobby"] });
    return app.packs;
  };

  it("keeps its entries however often one of them bans and unbans: changes past 10,000 are ignored", async () => {
    const [noisy = app.pack, quiet = app.pack] = await two();
    const flips = (from: number) =>
      Array.from({ length: 1_000 }, (_, i) => ({ name: "Kai", at: from + i, lifted: i % 2 === 0 }));
    for (let at = 1; at <= 10_001; at += 1_000) await noisy.bans(...flips(at));
    const namesOf = async () => (await list()).map(({ name }) => name);
    expect([app.audit.length, await namesOf()]).toEqual([10_000, ["Kai"]]);
    await quiet.bans(change("Alex"));
    const late = { name: "Kai", at: 20_000, lifted: true };
    await noisy.bans(late);
    expect([app.audit.length, await namesOf()]).toEqual([10_001, ["Alex", "Kai"]]);
    expect(app.log.text).toContain("A game server changes too many bans");
    app.clock.advance(10_000);
    await noisy.bans(late);
    expect([app.audit.length, await namesOf()]).toEqual([10_002, ["Alex"]]);
  });

  it.each<[string, (pack: AppPack) => Promise<unknown>]>([
    ["has come", pack => pack.report({ is: "joined", row: row("Griefer") })],
    ["is there", pack => pack.snapshot("Griefer")],
    [
      "is another one",
      pack => pack.bans(change("griefer", { persistentId: "x", everywhere: true, again: true })),
    ],
  ])("names the player of a ban by name, once one reports that the player %s", async (_what, says) => {
    const packs = await two();
    await add("Griefer");
    for (const pack of packs) await says(pack);
    expect(app.audit.slice(1)).toMatchObject([
      { key: "game:Server", server: "main", action: "ban.bind", name: "Griefer", outcome: "bound" },
    ]);
  });
});
