import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../test/helpers/bridge.ts";
import { ACCEPT, DECLINE, formOf } from "../test/helpers/browser.ts";
import { type LinkOptions, link } from "./index.ts";
import { listeners, Visitor } from "./testing/visitor.ts";

let bridge: TestBridge;
let visitor: Visitor;
/** codes of the browser that were reported */
let codes: string[];
beforeEach(async () => {
  bridge = await TestBridge.start(["Steve", "Alex"]);
  visitor = new Visitor(bridge.base, bridge.clock);
  codes = [];
});
afterEach(() => bridge.stop());

const begin = (name = "Steve", more: LinkOptions = {}, who = visitor) =>
  link(who.client, name, { timers: who.timers, onAsked: code => codes.push(code), ...more });
const answers = async (name: string, button: number): Promise<void> => {
  const player = bridge.player(name);
  await formOf(bridge, player);
  player.answer(button);
};

describe("a link request that is awaited", () => {
  it("ends when the player accepts, with the player, and reports the characters in the form", async () => {
    const linking = begin();
    const form = await formOf(bridge, bridge.player("Steve"));
    expect(codes).toHaveLength(1);
    expect(JSON.stringify(form)).toContain(`browser ${codes[0]}`);
    await answers("Steve", ACCEPT);
    const { cookie } = visitor;
    expect(await bridge.during(linking)).toEqual({
      ok: true,
      value: {
        userId: cookie.split("=")[1],
        status: "accepted",
        player: { name: "Steve", uuid: expect.any(String) },
        linkedAt: expect.any(Number),
        scopes: [],
      },
    });
    expect(visitor.left.timers).toBe(0);
  });

  it("ends when the player declines, and when the request times out", async () => {
    const declined = begin();
    await answers("Steve", DECLINE);
    expect(await bridge.during(declined)).toMatchObject({
      ok: true,
      value: { status: "declined", reason: "declined" },
    });
    const late = begin();
    await formOf(bridge, bridge.player("Steve"));
    bridge.clock.advance(120_000);
    expect(await bridge.during(late)).toMatchObject({
      ok: true,
      value: { status: "declined", reason: "timed_out" },
    });
  });

  it("ends when the request is cancelled", async () => {
    const linking = begin();
    await formOf(bridge, bridge.player("Steve"));
    const cancelled = visitor.client.cancelLinkRequest();
    expect(await bridge.during(cancelled)).toEqual({ ok: true, value: { status: "cancelled" } });
    expect(await bridge.during(linking)).toMatchObject({ ok: true, value: { status: "not_linked" } });
    await bridge.until(() => bridge.player("Steve").form === undefined);
  });

  it("reports that another session has the same code, so that no player accepts", async () => {
    visitor.cookie = "website_user_uuid=0123abcd-0000-4000-8000-000000000001";
    const linking = begin();
    await formOf(bridge, bridge.player("Steve"));
    const other = new Visitor(bridge.base, bridge.clock);
    other.cookie = "website_user_uuid=0123abcd-0000-4000-8000-000000000002";
    expect(await bridge.during(begin("Steve", {}, other))).toMatchObject({ ok: false, code: "rate_limited" });
    expect(await bridge.during(linking)).toMatchObject({
      ok: true,
      value: { status: "declined", reason: "same_characters" },
    });
  });

  it("fails immediately when the request is rejected, and sends no other", async () => {
    expect(await bridge.during(begin("Nobody"))).toMatchObject({
      ok: false,
      status: 422,
      code: "player_offline",
    });
    expect(await bridge.during(begin(" "))).toMatchObject({ code: "missing_username" });
    await bridge.stopGame("kill");
    bridge.clock.advance(60_000);
    expect(await bridge.during(begin())).toMatchObject({ status: 503, code: "server_unavailable" });
    visitor.keepsCookies = false;
    visitor.cookie = "";
    expect(await bridge.during(begin())).toMatchObject({ status: 401, code: "missing_session" });
    await bridge.stopSidecar();
    expect(await bridge.during(begin())).toMatchObject({ status: 0, code: "unreachable" });
    expect([codes, visitor.times("GET /session"), visitor.left.timers]).toEqual([[], 0, 0]);
  });

  it("sends one request for two simultaneous calls of one session, and reports to both", async () => {
    const both = [begin(), begin()];
    await formOf(bridge, bridge.player("Steve"));
    await bridge.until(() => codes.length === 2);
    expect([new Set(codes).size, visitor.times("GET /initialize")]).toEqual([1, 1]);
    await answers("Steve", ACCEPT);
    for (const linking of both)
      expect(await bridge.during(linking)).toMatchObject({ ok: true, value: { player: { name: "Steve" } } });
    expect(bridge.player("Steve").form).toBeUndefined();
  });

  it("waits for the earlier request of the browser, also to another player", async () => {
    const first = begin("Steve");
    await bridge.until(() => codes.length === 1);
    const second = begin("Alex");
    await bridge.until(() => codes.length === 2);
    await answers("Steve", ACCEPT);
    expect(await bridge.during(second)).toEqual(await bridge.during(first));
    expect(bridge.player("Alex").form).toBeUndefined();
  });
});

describe("a link request that is awaited while the service is offline", () => {
  it("ends with the player's answer once the service is back", async () => {
    const linking = begin();
    await bridge.until(() => codes.length === 1);
    await bridge.stopSidecar();
    const calls = visitor.times("GET /session");
    await bridge.until(() => visitor.times("GET /session") > calls + 3);
    await bridge.startSidecar();
    await answers("Steve", ACCEPT);
    expect(await bridge.during(linking)).toMatchObject({ ok: true, value: { status: "accepted" } });
  });

  it("fails after ten polls without an answer, each no sooner than the service allows", async () => {
    const linking = begin();
    await bridge.until(() => codes.length === 1);
    let looks = 0;
    visitor.onAsk = () => looks++;
    await bridge.stopSidecar();
    expect(await bridge.during(linking)).toMatchObject({ ok: false, code: "unreachable" });
    expect([looks, visitor.left.timers]).toEqual([10, 0]);
  });
});

describe("a link request that is stopped", () => {
  it("fails immediately with the reason while it waits, and only the request remains", async () => {
    const ending = new AbortController();
    const { signal } = ending;
    const linking = begin("Steve", { signal });
    await formOf(bridge, bridge.player("Steve"));
    await bridge.until(() => visitor.times("GET /session") > 0);
    const calls = visitor.calls.length;
    const cause = new Error("gone to another page");
    ending.abort(cause);
    expect(await linking).toEqual({ ok: false, status: 0, code: "aborted", cause });
    expect([visitor.left.timers, listeners(signal)]).toEqual([0, 0]);
    await bridge.tick(100);
    expect(visitor.calls).toHaveLength(calls);
    expect(bridge.player("Steve").form).toBeTruthy();
  });

  it.each(["GET /initialize", "POST /link-player", "GET /session"])(
    "fails immediately while %s is not answered",
    async path => {
      const ending = new AbortController();
      const { signal } = ending;
      const delay = new Promise<void>(resolve => {
        visitor.onAsk = call => {
          if (call !== path) return undefined;
          resolve();
          return new Promise(() => undefined);
        };
      });
      const linking = begin("Steve", { signal });
      await bridge.during(delay);
      ending.abort();
      expect(await linking).toMatchObject({ ok: false, code: "aborted" });
      expect([visitor.calls.at(-1), listeners(signal)]).toEqual([path, 0]);
    },
  );
});

it("waiting for a link fails if the browser has another session meanwhile", async () => {
  const linking = begin();
  await bridge.until(() => codes.length === 1);
  visitor.cookie = "";
  const other = visitor.client.initialize();
  await bridge.during(other);
  await answers("Steve", ACCEPT);
  expect(await bridge.during(linking)).toEqual({ ok: false, status: 401, code: "missing_session" });
  const gone = begin("Alex");
  await bridge.until(() => codes.length === 2);
  visitor.cookie = "";
  visitor.keepsCookies = false;
  expect(await bridge.during(gone)).toMatchObject({ ok: false, status: 401, code: "missing_session" });
});
