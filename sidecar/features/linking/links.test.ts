import { beforeEach, describe, expect, it } from "@jest/globals";
import type { Outcome } from "../../../shared/facts.ts";
import {
  ALEX,
  browsersOf,
  createTestApp,
  limited,
  STEVE,
  sessionOf,
  type TestApp,
  type TestAppOptions,
} from "../../../test/helpers/test-app.ts";

const OWN = sessionOf(0x0123abcd);

let app: TestApp;
async function begin(options?: TestAppOptions): Promise<void> {
  app = await createTestApp({ players: ["Steve", "Alex"], ...options });
}
beforeEach(() => begin());

const browsers = browsersOf(() => app);
const ask = (username = "Steve") => browsers.ask(OWN, username);
const linked = () => browsers.status(OWN);
/** Brings the session to this state, without a pending request. */
async function bring(state: "not_linked" | "accepted" | "declined"): Promise<void> {
  if (state !== "not_linked") await browsers.answered(state === "accepted", OWN, "Alex");
}

describe("a link request", () => {
  it("goes to the player of exactly this name, and shows the first eight characters of the session", async () => {
    const pending = ask();
    const { id, body, expiresInMs } = await app.pack.carryOut("done", { player: STEVE });
    expect(body).toEqual({
      do: "link-open",
      request: id,
      username: "Steve",
      browser: "0123abcd",
      openForMs: 120_000,
    });
    expect(expiresInMs).toBe(9_500);
    expect([await pending, await linked()]).toEqual([{ answer: "verification_sent" }, "pending"]);
  });

  const unexpected = (why: string) => ({ answer: "unexpected", why });
  const CLOSED = ["link-close"];
  it.each<[Outcome["status"], Partial<Outcome>, object, string[]]>([
    ["offline", {}, { answer: "player_offline" }, []],
    ["busy", {}, { answer: "busy" }, []],
    ["blocked", {}, limited("blocked", 3_600), []],
    ["failed", { reason: "the dog ate it" }, unexpected("link request failed: the dog ate it"), CLOSED],
    ["absent", {}, unexpected("link request absent"), CLOSED],
  ])("[FORM-10] that ends with %s leaves the session as it was", async (status, more, answer, then) => {
    for (const state of ["not_linked", "declined", "accepted"] as const) {
      await begin();
      await bring(state);
      const pending = ask();
      await app.pack.carryOut(status, more);
      expect([await pending, await linked()]).toEqual([answer, state]);
      expect((await app.pack.waiting()).map(({ do: what }) => what)).toEqual(then);
    }
  });

  it("is the only one of its session until it has ended", async () => {
    const both = Promise.all([ask(), ask("Alex")]);
    const [action] = await app.pack.take();
    expect(await ask("Alex")).toEqual({ answer: "already_pending" });
    await app.pack.report({ is: "outcome", id: action?.id ?? "", status: "done", player: STEVE });
    expect(await both).toEqual([{ answer: "verification_sent" }, { answer: "already_pending" }]);
    expect(await ask("Alex")).toEqual({ answer: "already_pending" });
    expect(await app.pack.waiting()).toEqual([]);
  });

  it("[ACT-7] fails when the game does not answer for 10 s, and its form can no longer open", async () => {
    const pending = ask();
    const [action] = await app.pack.take();
    const request = action?.id ?? "";
    app.clock.advance(9_999);
    await app.quiet();
    expect(await ask()).toEqual({ answer: "already_pending" });
    app.clock.advance(1);
    expect(await pending).toEqual(unexpected("link request timeout"));
    expect(await linked()).toBe("not_linked");
    // The pack had it: it gets an action that closes the form, and its late outcome changes nothing.
    expect(await app.pack.take()).toMatchObject([{ body: { do: "link-close", request } }]);
    await app.pack.report({ is: "outcome", id: request, status: "done", player: STEVE });
    expect(await linked()).toBe("not_linked");
    expect(await app.pack.take()).toMatchObject([{ body: { do: "link-close", request } }]);
  });

  it.each([
    ["before it has acknowledged it", []],
    ["after that", [{ is: "left", id: ALEX.id } as const]],
  ])("[SESSION-7] fails when the game restarts %s", async (_when, facts) => {
    const pending = ask();
    await app.pack.take();
    await app.pack.report(...facts);
    await app.pack.connect("next run");
    expect(await pending).toEqual(
      unexpected("link request failed: the game server restarted before it answered"),
    );
    expect(await linked()).toBe("not_linked");
  });

  it("fails without a form if the sidecar stops before the game gets it", async () => {
    const pending = ask();
    await app.quiet();
    const stopped = app.server.game.stop(2_000);
    app.clock.advance(2_000);
    await stopped;
    expect(await pending).toEqual(unexpected("link request timeout"));
    expect(await ask()).toEqual({ answer: "unstored" });
    expect([await linked(), await app.pack.waiting()]).toEqual(["not_linked", []]);
  });
});

describe("the link of a session", () => {
  it("is pending for the configured time, and a sweep in each quarter of that stores it as declined", async () => {
    await begin({ yaml: "modules.api.verification-timeout: 20s" });
    await browsers.opened(OWN);
    app.clock.advance(19_999);
    expect(await linked()).toBe("pending");
    app.clock.advance(1);
    await app.quiet();
    app.clock.advance(5_000);
    await app.quiet();
    expect((await app.stores.links.read(OWN)).link.status).toBe("declined");
  });

  it("is known for the cookie's maximum age after it ended", async () => {
    await begin({ yaml: "modules.api.session-cookie.max-age: 1h" });
    expect(await app.links.known(OWN)).toBeUndefined();
    for (const [accepted, state] of [
      [false, "declined"],
      [true, "not_linked"],
    ] as const) {
      await browsers.answered(accepted, OWN);
      expect(await app.links.unlink(OWN)).toBe(accepted);
      app.clock.advance(3_599_999);
      expect(await app.links.known(OWN)).toMatchObject({ status: state });
      app.clock.advance(1);
      expect(await app.links.known(OWN)).toBeUndefined();
      expect(await linked()).toBe("not_linked");
      await app.pack.snapshot("Steve", "Alex");
    }
  });
});

describe("the end of a link", () => {
  it("in the game ends all links to the player and no others, and the player gets a message", async () => {
    const [other, second] = [sessionOf(7), sessionOf(8)];
    await browsers.answered(true, OWN);
    await browsers.answered(true, second);
    await browsers.answered(true, other, "Alex");
    for (const message of ["api.unlinked", "bridge.unlink-none"]) {
      await app.pack.report({ is: "unlinked-by-player", player: STEVE });
      expect((await app.pack.take()).map(({ body }) => body)).toEqual([
        { do: "tell", player: STEVE, message },
      ]);
    }
    expect(await Promise.all([OWN, second, other].map(browsers.status))).toEqual([
      "not_linked",
      "not_linked",
      "accepted",
    ]);
  });
});

describe("the outcome of an action", () => {
  it("[ACT-14] of another kind of action does not change a link request, and the right one still opens it", async () => {
    const answer = ask();
    const id = (await app.pack.take())[0]?.id ?? "";
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    for (const other of ["chat", "allowlist-read", "link-close", "what nobody knows"])
      await app.pack.report({ is: "outcome", id, do: other, status: "done", player: STEVE });
    await app.quiet();
    expect([isAnswered, await linked(), app.storage.fault()]).toEqual([false, "not_linked", undefined]);
    await app.pack.report({ is: "outcome", id, do: "link-open", status: "done", player: STEVE });
    expect([await answer, await linked()]).toEqual([{ answer: "verification_sent" }, "pending"]);
  });

  it.each([
    [
      "of an unknown request, with the player of a form, closes that form",
      "x",
      { player: STEVE },
      ["link-close"],
    ],
    ["of an unknown request, without a player, is ignored for any id", "link:x", {}, []],
  ])("[FORM-8] %s", async (_what, id, more, wanted) => {
    await app.pack.report({ is: "outcome", id, status: "done", ...more });
    expect((await app.pack.waiting()).map(({ do: what }) => what)).toEqual(wanted);
  });
});

describe("a game server that says hello", () => {
  it("[FORM-2] [FORM-9] gets every open request, the oldest first, with the time left", async () => {
    const request = await browsers.opened(OWN);
    app.clock.advance(20_000);
    const second = await browsers.opened(sessionOf(2), "Alex");
    await browsers.answered(true, sessionOf(3), "Alex");
    const { links } = await app.pack.connect("next run");
    expect(links).toEqual([
      { request, player: STEVE, browser: "0123abcd", openForMs: 100_000, open: true },
      { request: second, player: ALEX, browser: "00000002", openForMs: 120_000, open: true },
    ]);
  });
});
