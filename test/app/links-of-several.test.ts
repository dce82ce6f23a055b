import { beforeEach, describe, expect, it } from "@jest/globals";
import { held, row, STEVE, sessionOf } from "./house.ts";
import { bodies, named, type Online, OWN, SENT, SeveralServers, YAML, yamlOf } from "./several.ts";

const OFFLINE = { answer: "player_offline" };

const all = new SeveralServers();
beforeEach(() => all.begin([["Alex"], ["Steve"], []]));

describe("a request without a game server", () => {
  it.each<[string, Online, number]>([
    ["the only one that lists the player", [[], ["Alex"], ["Steve"]], 2],
    ["the first of those that list the player", [[], ["Steve"], ["Steve"]], 1],
    ["the one that lists the player beside one that is away", [undefined, ["Steve"], []], 1],
    ["the one that lists exactly this name", [["steve", "Steve "], [], ["Steve"]], 2],
  ])("goes to %s, and to no other", async (_what, online, at) => {
    await all.begin(online);
    await all.opened(all.pack(at));
    for (const [i, pack] of all.house.packs.entries())
      if (i !== at && online[i]) expect(await pack.waiting()).toEqual([]);
    expect(await all.status()).toBe("pending");
  });

  it.each<[string, Online, number[]]>([
    ["each in its order where nobody lists the player", [[], [], []], [0, 1, 2]],
    ["the one that lists the player first", [[], ["Steve"], []], [1, 0, 2]],
    ["those alone that are there", [[], undefined, []], [0, 2]],
  ])("goes on from one that has not the player: %s, each once", async (_what, online, order) => {
    await all.begin(online);
    const asked = all.ask();
    const ids: string[] = [];
    for (const at of order) ids.push((await all.pack(at).carryOut("offline")).id);
    expect(await asked).toEqual(OFFLINE);
    expect(new Set(ids).size).toBe(1);
    for (const [i, pack] of all.house.packs.entries())
      if (online[i]) expect(await pack.waiting()).toEqual([]);
    expect(await all.status()).toBe("not_linked");
  });

  it.each(["blocked", "busy"] as const)(
    "finds a player whose name is %s on another one as ever",
    async status => {
      const yaml = `${YAML}\nmodules.api.limits: {link-requests-burst: 2, link-requests-per-second: 1}`;
      await all.begin([["Steve"], [], []], { yaml });
      const other = row("Steve", { player: named("Steve", { persistentId: "another" }) });
      await all.survival.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows: [other] });
      const asked = all.ask(sessionOf(1), "Steve", "survival");
      await all.survival.carryOut(status);
      expect(await asked).not.toEqual(SENT);
      // Of names that no form can open for, no more are asked for now.
      for (const own of [2, 3]) {
        const nobody = all.ask(sessionOf(own), "Nobody", "creative");
        await all.creative.carryOut("offline");
        expect(await nobody).toEqual(OFFLINE);
      }
      expect(await all.ask(sessionOf(4), "Steve", "survival")).toEqual(held("everybody", 1));
      await all.opened(all.main, sessionOf(5));
    },
  );
});

describe("a game server that says nothing", () => {
  it("is waited for 2 s where it does not list the player, and then the next one is asked", async () => {
    await all.begin([[], [], []]);
    const asked = all.ask();
    const [action] = await all.main.take();
    expect(action?.expiresInMs).toBe(1_500);
    all.house.clock.advance(1_999);
    await all.house.quiet();
    expect(await all.survival.waiting()).toEqual([]);
    all.house.clock.advance(1);
    await all.survival.carryOut("done", { player: STEVE });
    expect([await asked, await all.status()]).toEqual([SENT, "pending"]);
    // What it may have opened is closed, and what it says at last changes nothing.
    const request = action?.id ?? "";
    expect(await bodies(all.main)).toEqual([{ do: "link-close", request }]);
    await all.main.report({
      is: "outcome",
      id: request,
      do: "link-open",
      status: "done",
      player: named("Steve", { id: "-9" }),
    });
    expect(await bodies(all.main)).toEqual([{ do: "link-close", request }]);
    expect(await all.house.links.link(OWN)).toMatchObject({
      status: "pending",
      player: STEVE,
      server: "survival",
    });
  });

  it("is waited for 10 s where it lists the player, and no other is asked then", async () => {
    const asked = all.ask();
    const [action] = await all.survival.take();
    for (const ms of [2_000, 7_999]) {
      all.house.clock.advance(ms);
      await all.house.quiet();
      expect(await all.main.waiting()).toEqual([]);
    }
    expect(await all.ask()).toEqual({ answer: "already_pending" });
    all.house.clock.advance(1);
    expect(await asked).toEqual({ answer: "unexpected", why: "link request timeout" });
    expect(await bodies(all.survival)).toEqual([{ do: "link-close", request: action?.id }]);
    expect([await all.main.waiting(), await all.creative.waiting(), await all.status()]).toEqual([
      [],
      [],
      "not_linked",
    ]);
  });

  it("is one of all of them: the answer comes within 10 s, and says so", async () => {
    const names = Array.from({ length: 9 }, (_, i) => `s${i}`);
    await all.begin(Array(10).fill([]), { yaml: yamlOf(...names) });
    const asked = all.ask();
    for (let i = 0; i < 5; i++) {
      await all.house.quiet();
      all.house.clock.advance(2_000);
    }
    expect(await asked).toEqual({ answer: "unexpected", why: "link request timeout" });
    expect(await all.status()).toBe("not_linked");
  });
});

describe("a request to one game server", () => {
  it("goes there alone, wherever else the name is", async () => {
    await all.begin([["Steve"], ["Steve"], []]);
    const other = named("Steve", { id: "-2", persistentId: "another" });
    const asked = all.ask(OWN, "Steve", "survival");
    const { id } = await all.survival.carryOut("done", { player: other });
    expect(await asked).toEqual(SENT);
    await all.survival.report({ is: "answered", request: id, accepted: true });
    expect(await all.main.waiting()).toEqual([]);
    expect(await all.house.links.link(OWN)).toMatchObject({ status: "accepted", player: other });
  });
});
