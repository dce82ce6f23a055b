import { beforeEach, describe, expect, it } from "@jest/globals";
import { row } from "../../../test/helpers/fake-pack.ts";
import { createTestApp, sessionOf, type TestApp } from "../../../test/helpers/test-app.ts";
import type { SignInRequest } from "./rules/sign-in.ts";

const OWN = sessionOf(1);
const STEVE = row("Steve").player;
const wish: SignInRequest = { site: "example-forum", ask: "one", isFresh: false };
const yaml = JSON.stringify({
  "sign-in": {
    clients: [{ id: "example-forum", name: "Example Forum", "redirect-uris": ["https://forum.example/in"] }],
  },
});

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ players: ["Steve"], yaml });
});

/** Sends a player the form for a site. Returns the id of the request. */
async function opened(session = OWN, { site, ask } = wish): Promise<string> {
  const pending = app.links.linkPlayer(session, "Steve", "192.0.2.1", app.gameServers.all, { site, ask });
  const { id, body } = await app.pack.carryOut("done", { player: STEVE });
  expect(body).toMatchObject({ do: "link-open", site: "Example Forum" });
  expect(await pending).toEqual({ answer: "verification_sent" });
  return id;
}

async function signedIn(session = OWN) {
  await app.pack.report({ is: "answered", request: await opened(session), accepted: true });
  const uuid = (await app.sites.linked(session))?.uuid ?? "";
  const given = await app.signIn.agree(session, wish, uuid, "192.0.2.1");
  if (typeof given !== "object") throw new Error("there is no grant");
  return { uuid, given };
}

describe("the grant of a site", () => {
  it("names the player, with the most recent name, and is valid for that site alone", async () => {
    const { uuid, given } = await signedIn();
    expect(given).toMatchObject({ uuid, acceptedAt: app.clock.now() });
    expect(await app.signIn.holder(given.grant, "example-forum")).toMatchObject({
      player: { uuid },
      name: "Steve",
    });
    expect(app.audit).toEqual([
      {
        ...{ at: app.clock.now(), client: "example-forum", address: "192.0.2.1" },
        ...{ action: "sign-in", name: "Steve", outcome: "signed_in" },
      },
    ]);
    expect(await app.signIn.holder(given.grant, "map")).toBeUndefined();
    expect(await app.signIn.holder("other", "example-forum")).toBeUndefined();
  });

  it.each([
    ["the browser ends the link", () => app.links.unlink(OWN)],
    ["the player ends their links", () => app.pack.report({ is: "unlinked-by-player", player: STEVE })],
    ["the player disconnects the site", () => app.sites.endSite(OWN, "example-forum")],
    ["it expires", async () => app.clock.advance(60 * 60_000 + 120_000)],
  ])("ends when %s, and agreeing again does not restore it", async (_, end) => {
    const { uuid, given } = await signedIn();
    await end();
    expect(await app.signIn.holder(given.grant, "example-forum")).toBeUndefined();
    await app.pack.snapshot("Steve");
    const again = (await app.sites.linked(OWN))
      ? await app.signIn.agree(OWN, wish, uuid, "192.0.2.1")
      : undefined;
    expect(await app.signIn.holder(given.grant, "example-forum")).toBeUndefined();
    expect(
      typeof again !== "object" || (await app.signIn.holder(again.grant, "example-forum")) !== undefined,
    ).toBe(true);
  });

  it("has the player's most recent name, even if they had another when they accepted", async () => {
    const { given } = await signedIn();
    const name = async () => (await app.signIn.holder(given.grant, "example-forum"))?.name;
    const rows = [row("Steve", { player: { ...STEVE, name: "Stephen" } })];
    await app.pack.report({ is: "snapshot", tps: 20, part: 0, parts: 1, rows });
    expect(await name()).toBe("Stephen");
    await app.pack.report({ is: "left", id: STEVE.id });
    await app.pack.snapshot();
    await app.quiet();
    expect((await app.signIn.state(OWN, wish)).player?.name).toBe("Stephen");
    expect(await name()).toBe("Stephen");
  });
});

describe("a form for a site", () => {
  it("[FORM-16] is sent again to a pack that says hello", async () => {
    const request = await opened();
    expect((await app.pack.connect("next run")).links).toMatchObject([
      { request, site: "Example Forum", open: true },
    ]);
  });

  it("for a player who is already linked closes when the link ends", async () => {
    await signedIn();
    const request = await opened(OWN, { ...wish, ask: "two" });
    await app.links.unlink(OWN);
    expect(await app.pack.waiting()).toEqual(
      expect.arrayContaining([expect.objectContaining({ do: "link-close", request })]),
    );
  });
});

describe("a cancelled sign-in", () => {
  it("closes its form, and is in the audit log with the player; without a form it is not", async () => {
    await app.signIn.cancel(undefined, wish, "192.0.2.1");
    await app.signIn.cancel(OWN, wish, "192.0.2.1");
    expect(app.audit).toEqual([]);
    const request = await opened();
    await app.signIn.cancel(OWN, wish, "192.0.2.1");
    await app.signIn.cancel(OWN, wish, "192.0.2.1");
    expect(await app.pack.waiting()).toMatchObject([{ do: "link-close", request }]);
    expect(app.audit).toMatchObject([{ client: "example-forum", name: "Steve", outcome: "access_denied" }]);
  });

  it("leaves its browser known as not linked, like any request that is cancelled", async () => {
    await opened();
    await app.signIn.cancel(OWN, wish, "192.0.2.1");
    expect(await app.links.known(OWN)).toMatchObject({ status: "not_linked" });
  });

  it("counts as declined: the third within ten minutes starts the cool-down", async () => {
    for (const ask of ["one", "two", "three"]) {
      await opened(OWN, { ...wish, ask });
      await app.signIn.cancel(OWN, { ...wish, ask }, "192.0.2.1");
      expect((await app.pack.take()).map(({ body }) => body.do)).toEqual(["link-close"]);
    }
    const next = await app.links.linkPlayer(OWN, "Steve", "192.0.2.1", app.gameServers.all);
    expect(next).toMatchObject({ answer: "limited", by: "cool-down" });
  });

  it("cancels a request that the game has not answered yet, and none of another sign-in", async () => {
    const pending = app.links.linkPlayer(OWN, "Steve", "192.0.2.1", app.gameServers.all, wish);
    const [sent] = await app.pack.take();
    await app.signIn.cancel(OWN, { ...wish, ask: "two" }, "192.0.2.1");
    expect(app.audit).toEqual([]);
    await app.signIn.cancel(OWN, wish, "192.0.2.1");
    expect(app.audit).toMatchObject([{ name: "Steve", outcome: "access_denied" }]);
    await app.pack.report({ is: "outcome", id: `${sent?.id}`, status: "done", player: STEVE });
    expect(await pending).toMatchObject({ answer: "unexpected" });
    expect((await app.links.link(OWN)).status).toBe("not_linked");
  });
});
