import { beforeEach, describe, expect, it } from "@jest/globals";
import { browsersOf, type House, houseWith, row, STEVE, said, sessionOf, written } from "./house.ts";
import { join, leave, oneOf, report, steve } from "./known.ts";

const YAML = JSON.stringify({
  "sign-in": {
    clients: [{ id: "tea-house", name: "Tea house", "redirect-uris": ["https://tea.example/in"] }],
  },
});
const OWN = sessionOf(1);
const BY = { key: "moderator", address: "192.0.2.1" };

let house: House;
const browsers = browsersOf(() => house);
beforeEach(async () => {
  house = await houseWith(["Steve", "Alex"], { yaml: YAML });
});

const ban = (server?: string) => house.bans.add({ who: { name: "Steve" } }, BY, server);
const lift = () => house.bans.remove({ name: "Steve" }, BY);
const say = (server?: string) =>
  house.chat.fromWeb({ id: "socket", session: OWN, server }, written("hi")).answer;
/** The game shows the line that it was asked to. */
async function shown(): Promise<void> {
  for (let isShown = false; !isShown; )
    for (const { id, body } of await house.pack.take()) {
      await house.pack.report({ is: "outcome", id, do: body.do, status: "done" });
      isShown ||= body.do === "chat";
    }
}
const events = (): string[] =>
  house.told.map(({ event }) => {
    const { name } = ("player" in event && event.player) || { name: "" };
    return `${event.event} ${name}`;
  });
const listed = async (): Promise<unknown> =>
  (await house.shared.world.bus.lastSnapshot())?.rows.map(({ player }) => player.name);
const alex = row("Alex").player;

describe("of a player who is banned", () => {
  it("nothing new is in lists, feed and figures, from the moment of the ban on", async () => {
    const before = await oneOf(house, "Steve");
    house.told.length = 0;
    await ban();
    await house.pack.report(
      said("hi"),
      { is: "said", name: "Steve", text: "hi" },
      { is: "died", player: STEVE },
      { is: "died", player: alex, killer: STEVE },
    );
    house.clock.advance(1_000);
    await report(house.pack, steve(), row("Alex"));
    await join(house.pack, steve({ since: 7 }));
    expect(events()).toEqual(["death Alex", "leave Steve"]);
    expect(JSON.stringify(house.told)).not.toContain("killer");
    expect(await listed()).toEqual(["Alex"]);
    expect(await oneOf(house, "Steve")).toEqual({ ...before, online: false, stays: expect.any(Array) });
  });

  it("leaving is told, and nothing after it", async () => {
    house.told.length = 0;
    await ban();
    await leave(house.pack, steve());
    await leave(house.pack, steve());
    expect(events()).toEqual(["leave Steve"]);
    expect(await listed()).toEqual(["Alex"]);
  });

  it("is all of it back once the ban is lifted, or over", async () => {
    await ban();
    await report(house.pack, steve(), row("Alex"));
    await lift();
    await report(house.pack, steve(), row("Alex"));
    expect(await listed()).toEqual(["Steve", "Alex"]);
    await house.bans.add({ who: { name: "Steve" }, forMs: 1_000 }, BY);
    await report(house.pack, steve());
    expect(await listed()).toEqual([]);
    house.clock.advance(1_000);
    await report(house.pack, steve());
    expect(await listed()).toEqual(["Steve"]);
  });
});

describe("a browser that is linked to a player who is banned", () => {
  beforeEach(() => browsers.answered(true, OWN));

  it("stays linked, says nothing, and is nobody to proxies", async () => {
    await ban();
    house.told.length = 0;
    expect(await say()).toBe("not allowed");
    expect(house.told).toEqual([]);
    expect(await house.sites.linked(OWN)).toBeUndefined();
    expect((await house.links.link(OWN)).status).toBe("accepted");
    await lift();
    expect(await house.sites.linked(OWN)).toMatchObject({ name: "Steve" });
    const answer = say();
    await shown();
    expect(await answer).toBe("sent");
  });

  it("signs in nowhere, which is written down, and what was given out is of no use", async () => {
    const wish = { site: "tea-house", ask: "one", isFresh: false };
    const { uuid = "" } = (await house.sites.linked(OWN)) ?? {};
    const given = await house.signIn.agree(OWN, wish, uuid, "192.0.2.1");
    if (typeof given !== "object") throw new Error("nothing was given out");
    await ban();
    expect(await house.signIn.holder(given.grant, "tea-house")).toBeUndefined();
    expect(await house.signIn.agree(OWN, wish, uuid, "192.0.2.1")).toBe("access_denied");
    expect(await house.signIn.silently(OWN, wish, "192.0.2.1")).toBe("access_denied");
    expect(house.audit.slice(-2)).toMatchObject([
      { action: "sign-in", name: "Steve", outcome: "access_denied" },
      { action: "sign-in", name: "Steve", outcome: "access_denied" },
    ]);
    await lift();
    expect(await house.signIn.holder(given.grant, "tea-house")).toMatchObject({ name: "Steve" });
  });
});
