import { beforeEach, describe, expect, it } from "@jest/globals";
import {
  browsersOf,
  createTestApp,
  row,
  STEVE,
  said,
  sessionOf,
  type TestApp,
  written,
} from "../../../test/helpers/test-app.ts";
import { join, leave, oneOf, report, steve } from "../known-players/testing/known.ts";

const YAML = JSON.stringify({
  "sign-in": {
    clients: [{ id: "example-forum", name: "Example Forum", "redirect-uris": ["https://forum.example/in"] }],
  },
});
const OWN = sessionOf(1);
const BY = { key: "moderator", address: "192.0.2.1" };

let app: TestApp;
const browsers = browsersOf(() => app);
beforeEach(async () => {
  app = await createTestApp({ players: ["Steve", "Alex"], yaml: YAML });
});

const ban = (server?: string) => app.bans.add({ who: { name: "Steve" } }, BY, server);
const lift = () => app.bans.remove({ name: "Steve" }, BY);
const say = (server?: string) =>
  app.chat.fromWeb({ id: "socket", session: OWN, server }, written("hi")).answer;
/** The game shows the line that it was asked to. */
async function answerRequest(): Promise<void> {
  for (let isListed = false; !isListed; )
    for (const { id, body } of await app.pack.take()) {
      await app.pack.report({ is: "outcome", id, do: body.do, status: "done" });
      isListed ||= body.do === "chat";
    }
}
const events = (): string[] =>
  app.events.map(({ event }) => {
    const { name } = ("player" in event && event.player) || { name: "" };
    return `${event.event} ${name}`;
  });
const listed = async (): Promise<unknown> =>
  (await app.shared.server.bus.lastSnapshot())?.rows.map(({ player }) => player.name);
const alex = row("Alex").player;

describe("for a banned player", () => {
  it("lists, feed and figures have nothing new from the ban on", async () => {
    const before = await oneOf(app, "Steve");
    app.events.length = 0;
    await ban();
    await app.pack.report(
      said("hi"),
      { is: "said", name: "Steve", text: "hi" },
      { is: "died", player: STEVE },
      { is: "died", player: alex, killer: STEVE },
    );
    app.clock.advance(1_000);
    await report(app.pack, steve(), row("Alex"));
    await join(app.pack, steve({ since: 7 }));
    expect(events()).toEqual(["death Alex", "leave Steve"]);
    expect(JSON.stringify(app.events)).not.toContain("killer");
    expect(await listed()).toEqual(["Alex"]);
    expect(await oneOf(app, "Steve")).toEqual({ ...before, online: false, stays: expect.any(Array) });
  });

  it("the leave is reported, and nothing after it", async () => {
    app.events.length = 0;
    await ban();
    await leave(app.pack, steve());
    await leave(app.pack, steve());
    expect(events()).toEqual(["leave Steve"]);
    expect(await listed()).toEqual(["Alex"]);
  });

  it("everything is visible again once the ban is lifted or has expired", async () => {
    await ban();
    await report(app.pack, steve(), row("Alex"));
    await lift();
    await report(app.pack, steve(), row("Alex"));
    expect(await listed()).toEqual(["Steve", "Alex"]);
    await app.bans.add({ who: { name: "Steve" }, forMs: 1_000 }, BY);
    await report(app.pack, steve());
    expect(await listed()).toEqual([]);
    app.clock.advance(1_000);
    await report(app.pack, steve());
    expect(await listed()).toEqual(["Steve"]);
  });
});

describe("a browser linked to a banned player", () => {
  beforeEach(() => browsers.answered(true, OWN));

  it("stays linked, cannot chat, and is anonymous to proxies", async () => {
    await ban();
    app.events.length = 0;
    expect(await say()).toBe("not allowed");
    expect(app.events).toEqual([]);
    expect(await app.sites.linked(OWN)).toBeUndefined();
    expect((await app.links.link(OWN)).status).toBe("accepted");
    await lift();
    expect(await app.sites.linked(OWN)).toMatchObject({ name: "Steve" });
    const answer = say();
    await answerRequest();
    expect(await answer).toBe("sent");
  });

  it("cannot sign in, which is audited, and issued grants are not valid", async () => {
    const wish = { site: "example-forum", ask: "one", isFresh: false };
    const { uuid = "" } = (await app.sites.linked(OWN)) ?? {};
    const given = await app.signIn.agree(OWN, wish, uuid, "192.0.2.1");
    if (typeof given !== "object") throw new Error("nothing was given out");
    await ban();
    expect(await app.signIn.holder(given.grant, "example-forum")).toBeUndefined();
    expect(await app.signIn.agree(OWN, wish, uuid, "192.0.2.1")).toBe("access_denied");
    expect(await app.signIn.silently(OWN, wish, "192.0.2.1")).toBe("access_denied");
    expect(app.audit.slice(-2)).toMatchObject([
      { action: "sign-in", name: "Steve", outcome: "access_denied" },
      { action: "sign-in", name: "Steve", outcome: "access_denied" },
    ]);
    await lift();
    expect(await app.signIn.holder(given.grant, "example-forum")).toMatchObject({ name: "Steve" });
  });
});

it("a ban on an unknown game server bans nobody on the others", async () => {
  await expect(ban("nowhere")).rejects.toThrow("there is no game server nowhere");
  expect(await app.bans.list()).toEqual([]);
});
