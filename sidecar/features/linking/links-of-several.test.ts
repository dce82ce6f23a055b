import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Fact } from "../../../shared/facts.ts";
import {
  bodies,
  named,
  type Online,
  OWN,
  SENT,
  SeveralServers,
  YAML,
  yamlOf,
} from "../../../test/helpers/several.ts";
import { type AppPack, limited, row, STEVE, sessionOf } from "../../../test/helpers/test-app.ts";

const PLAYER = { ...STEVE, uuid: "uuid-of-steve" };
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
    for (const [i, pack] of all.app.packs.entries())
      if (i !== at && online[i]) expect(await pack.waiting()).toEqual([]);
    expect(await all.status()).toBe("pending");
  });

  it.each<[string, Online, number[]]>([
    ["each in its order if none lists the player", [[], [], []], [0, 1, 2]],
    ["the one that lists the player first", [[], ["Steve"], []], [1, 0, 2]],
    ["only those that are online", [[], undefined, []], [0, 2]],
  ])("goes to the next game server where the player is not: %s, each once", async (_what, online, order) => {
    await all.begin(online);
    const pending = all.ask();
    const ids: string[] = [];
    for (const at of order) ids.push((await all.pack(at).carryOut("offline")).id);
    expect(await pending).toEqual(OFFLINE);
    expect(new Set(ids).size).toBe(1);
    for (const [i, pack] of all.app.packs.entries()) if (online[i]) expect(await pack.waiting()).toEqual([]);
    expect(await all.status()).toBe("not_linked");
  });

  it.each(["blocked", "busy"] as const)(
    "still finds a player whose name is %s on another game server",
    async status => {
      const yaml = `${YAML}\nmodules.api.limits: {link-requests-burst: 2, link-requests-per-second: 1}`;
      await all.begin([["Steve"], [], []], { yaml });
      const other = row("Steve", { player: named("Steve", { persistentId: "another" }) });
      await all.survival.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows: [other] });
      const pending = all.ask(sessionOf(1), "Steve", "survival");
      await all.survival.carryOut(status);
      expect(await pending).not.toEqual(SENT);
      // Of names that no form can open for, no more are asked for now.
      for (const own of [2, 3]) {
        const nobody = all.ask(sessionOf(own), "Nobody", "creative");
        await all.creative.carryOut("offline");
        expect(await nobody).toEqual(OFFLINE);
      }
      expect(await all.ask(sessionOf(4), "Steve", "survival")).toEqual(limited("everybody", 1));
      await all.opened(all.main, sessionOf(5));
    },
  );
});

describe("a game server that does not answer", () => {
  it("has 2 s if it does not list the player, and then the next one gets the request", async () => {
    await all.begin([[], [], []]);
    const pending = all.ask();
    const [action] = await all.main.take();
    expect(action?.expiresInMs).toBe(1_500);
    all.app.clock.advance(1_999);
    await all.app.quiet();
    expect(await all.survival.waiting()).toEqual([]);
    all.app.clock.advance(1);
    await all.survival.carryOut("done", { player: STEVE });
    expect([await pending, await all.status()]).toEqual([SENT, "pending"]);
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
    expect(await all.app.links.link(OWN)).toMatchObject({
      status: "pending",
      player: STEVE,
      server: "survival",
    });
  });

  it("has 10 s if it lists the player, and no other one gets the request", async () => {
    const pending = all.ask();
    const [action] = await all.survival.take();
    for (const ms of [2_000, 7_999]) {
      all.app.clock.advance(ms);
      await all.app.quiet();
      expect(await all.main.waiting()).toEqual([]);
    }
    expect(await all.ask()).toEqual({ answer: "already_pending" });
    all.app.clock.advance(1);
    expect(await pending).toEqual({ answer: "unexpected", why: "link request timeout" });
    expect(await bodies(all.survival)).toEqual([{ do: "link-close", request: action?.id }]);
    expect([await all.main.waiting(), await all.creative.waiting(), await all.status()]).toEqual([
      [],
      [],
      "not_linked",
    ]);
  });

  it("does not delay the answer past 10 s, even if none answers", async () => {
    const names = Array.from({ length: 9 }, (_, i) => `s${i}`);
    await all.begin(Array(10).fill([]), { yaml: yamlOf(...names) });
    const pending = all.ask();
    for (let i = 0; i < 5; i++) {
      await all.app.quiet();
      all.app.clock.advance(2_000);
    }
    expect(await pending).toEqual({ answer: "unexpected", why: "link request timeout" });
    expect(await all.status()).toBe("not_linked");
  });
});

describe("a request to one game server", () => {
  it("goes there alone, even if others list the name", async () => {
    await all.begin([["Steve"], ["Steve"], []]);
    const other = named("Steve", { id: "-2", persistentId: "another" });
    const pending = all.ask(OWN, "Steve", "survival");
    const { id } = await all.survival.carryOut("done", { player: other });
    expect(await pending).toEqual(SENT);
    await all.survival.report({ is: "answered", request: id, accepted: true });
    expect(await all.main.waiting()).toEqual([]);
    expect(await all.app.links.link(OWN)).toMatchObject({ status: "accepted", player: other });
  });
});

describe("a request that its browser cancels", () => {
  it("closes on the game server that has it, and on no other", async () => {
    const request = await all.opened(all.survival);
    expect(await all.app.links.cancelRequest(OWN)).toMatchObject({ name: "Steve" });
    expect(await bodies(all.survival)).toEqual([{ do: "link-close", request }]);
    expect([await all.main.waiting(), await all.status()]).toEqual([[], "not_linked"]);
  });
});

describe("[FORM-15] a game server that says hello", () => {
  it("gets the requests that were sent to it, open or not yet, and no others", async () => {
    await all.begin([["Alex"], ["Steve"], []]);
    const steve = await all.opened(all.survival);
    const alex = await all.opened(all.main, sessionOf(2), named("Alex"));
    const pending = all.ask(sessionOf(3), "Herobrine", "creative");
    const [third] = await all.creative.take();
    const messagesTo = async (pack: AppPack) =>
      (await pack.connect("next run")).links.map(({ request }) => request);
    expect([await messagesTo(all.main), await messagesTo(all.survival)]).toEqual([[alex], [steve]]);
    expect((await all.creative.connect()).links).toMatchObject([{ request: third?.id, open: false }]);
    all.app.clock.advance(10_000);
    await pending;
  });

  it("gets its own requests behind any number of another game server", async () => {
    const first = await all.opened(all.main, sessionOf(2), named("Alex"));
    const { link: opened } = await all.app.stores.links.read(sessionOf(2));
    const deadline = "deadline" in opened ? opened.deadline + 1 : 0;
    // By way of the store: to ask for each of them would take its time.
    for (let i = 0; i < 600; i++) {
      const link = {
        status: "pending",
        request: `r${i}`,
        server: "survival",
        player: PLAYER,
        deadline,
      } as const;
      await all.app.stores.links.change(sessionOf(10 + i), record => ({
        record: { ...record, link },
        answer: 0,
      }));
    }
    all.app.clock.advance(1_000);
    const own = await all.opened(all.main, OWN, named("Alex"));
    expect((await all.main.connect("next run")).links).toMatchObject([{ request: first }, { request: own }]);
    expect((await all.survival.connect("next run")).links).toHaveLength(500);
  });
});

describe("[FORM-15] a game server that lies about a request of another one", () => {
  let request: string;
  const lies: [string, (pack: AppPack) => Promise<unknown>][] = [
    ["accepts it", pack => pack.report({ is: "answered", request, accepted: true })],
    ["declines it", pack => pack.report({ is: "answered", request, accepted: false })],
    [
      "says that it failed",
      pack => pack.report({ is: "outcome", id: request, do: "link-open", status: "failed" }),
    ],
    [
      "says that it found somebody else",
      pack =>
        pack.report({
          is: "outcome",
          id: request,
          do: "link-open",
          status: "done",
          player: named("Mallory"),
        }),
    ],
    [
      "says so without saying what it is of",
      pack => pack.report({ is: "outcome", id: request, status: "done", player: named("Mallory") }),
    ],
  ];

  it.each(lies)("changes nothing of an open request when it %s", async (_what, lie) => {
    request = await all.opened(all.survival);
    const before = await all.app.links.link(OWN);
    for (const liar of [all.main, all.creative]) await lie(liar);
    expect(await all.app.links.link(OWN)).toEqual(before);
    await all.survival.report({ is: "answered", request, accepted: true });
    expect(await all.app.links.link(OWN)).toMatchObject({ status: "accepted", player: STEVE });
    expect(await all.survival.waiting()).toEqual([]);
  });

  it.each(lies)("changes nothing of a request on its way when it %s", async (_what, lie) => {
    const pending = all.ask();
    const [action] = await all.survival.take();
    request = action?.id ?? "";
    for (const liar of [all.main, all.creative]) await lie(liar);
    await all.survival.report({ is: "outcome", id: request, do: "link-open", status: "done", player: STEVE });
    expect([await pending, await all.app.links.link(OWN)]).toMatchObject([
      SENT,
      { status: "pending", player: STEVE },
    ]);
  });
});

describe("the end of a link", () => {
  it.each([
    ["the first one on which the player is", [["Alex"], ["Steve"], ["Steve"]], 1],
    ["the first one where the player is on none", [[], [], []], 0],
    ["another one than where it was made", [[], [], ["Steve"]], 2],
  ] as [string, Online, number][])("sends the player a message on %s", async (_what, online, at) => {
    await all.accepted(all.survival);
    await all.list(...online);
    expect(await all.app.links.unlink(OWN)).toBe(true);
    const message = { do: "tell", player: STEVE, message: "api.unlinked" };
    for (const [i, pack] of all.app.packs.entries())
      expect(await pack.waiting()).toEqual(i === at ? [message] : []);
  });

  it("can be reported by any of them, for all sessions of the player, who gets the message there", async () => {
    await all.accepted(all.survival);
    await all.list(["Steve"], [], ["Alex"]);
    await all.accepted(all.main, sessionOf(2));
    await all.accepted(all.creative, sessionOf(3), named("Alex")).catch(() => undefined);
    await all.creative.report({ is: "unlinked-by-player", player: STEVE });
    expect([await all.status(), await all.status(sessionOf(2))]).toEqual(["not_linked", "not_linked"]);
    expect((await bodies(all.creative)).filter(body => body.do === "tell")).toEqual([
      { do: "tell", player: STEVE, message: "api.unlinked" },
    ]);
    expect([await all.main.waiting(), await all.survival.waiting()]).toEqual([[], []]);
  });
});

describe("players without a persistent id", () => {
  const nameless = (name: string) => named(name, { id: "-1", persistentId: "" });
  const listed = (name: string): Fact => ({
    ...{ is: "snapshot", tps: 20, part: 0, parts: 1 },
    rows: [row(name, { player: nameless(name) })],
  });

  it("get the message about the end of their link on their game server alone", async () => {
    await all.main.report(listed("Alex"));
    await all.survival.report(listed("Steve"));
    await all.accepted(all.survival, OWN, nameless("Steve"));
    await all.survival.snapshot();
    expect(await all.app.links.unlink(OWN)).toBe(true);
    expect([await all.main.waiting(), await all.survival.waiting()]).toEqual([[], []]);
  });
});
