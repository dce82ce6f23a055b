import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../test/helpers/bridge.ts";
import { ACCEPT, formOf } from "../test/helpers/browser.ts";
import { checkedFetch, newSession } from "../test/helpers/client.ts";
import { ManualClock } from "../test/helpers/clock.ts";
import { until } from "../test/helpers/eventually.ts";
import { ADMIN_KEY } from "../test/helpers/sidecar.ts";
import { type Client, createClient } from "./index.ts";
import { listeners, Visitor } from "./testing/visitor.ts";

let bridge: TestBridge;
let client: Client;

/** A client that keeps the cookie of a new session, as a browser would. */
async function inSession(): Promise<Client> {
  const { cookie } = await newSession(bridge.base);
  return createClient({ base: bridge.base, fetch: checkedFetch, headers: { Cookie: cookie } });
}

describe("the client of a service", () => {
  beforeEach(async () => {
    bridge = await TestBridge.start(["Steve", "Alex"]);
    client = createClient({ base: bridge.base, fetch: checkedFetch });
  });
  afterEach(() => bridge.stop());

  it("reads status, players, health and readiness", async () => {
    expect(await client.status()).toMatchObject({ ok: true, value: { status: "Online", tps: 20 } });
    expect(await client.players()).toMatchObject({ ok: true, value: [{ name: "Steve" }, { name: "Alex" }] });
    expect(await client.health()).toEqual({ ok: true, value: { status: "ok" } });
    expect(await client.readiness()).toEqual({
      ok: true,
      value: { status: "ready", servers: [{ name: "main", state: "online" }] },
    });
  });

  it("links, reads the link and ends it", async () => {
    const own = await inSession();
    expect(await own.initialize()).toMatchObject({ ok: true, value: { status: "existing" } });
    expect(await bridge.during(own.linkPlayer("Steve"))).toEqual({
      ok: true,
      value: { status: "verification_sent" },
    });
    expect(await own.linkedPlayer()).toEqual({ ok: true, value: { status: "pending" } });
    expect(await own.linkPlayer("Alex")).toMatchObject({ ok: false, status: 409, code: "already_pending" });
    const steve = bridge.player("Steve");
    await formOf(bridge, steve);
    steve.answer(ACCEPT);
    await bridge.tick(10);
    expect(await own.linkedPlayer()).toMatchObject({
      ok: true,
      value: { status: "accepted", playerData: { name: "Steve" } },
    });
    expect(await own.unlinkPlayer()).toEqual({ ok: true, value: { status: "unlinked" } });
    expect(await own.unlinkPlayer()).toMatchObject({ ok: false, status: 400, code: "not_linked" });
  });

  it("carries message and field of a failure, and distinguishes sessions by their status", async () => {
    expect(await client.knownPlayers({ limit: 0, key: "" })).toMatchObject({ code: "wrong_key" });
    expect(await client.events({ limit: 0 })).toMatchObject({
      ...{ ok: false, status: 400, code: "invalid_query", field: "limit" },
      message: "`limit` must be a whole number from 1 to 500.",
    });
    const read = await (await inSession()).session();
    if (!read.ok || read.value.status === "accepted") throw new Error("expected a session without a link");
    const nobody: null = read.value.player;
    expect([read.value.status, nobody]).toEqual(["not_linked", null]);
  });

  it("carries status, code and Retry-After of a failure", async () => {
    expect(await client.linkedPlayer()).toMatchObject({ ok: false, status: 401, code: "missing_session" });
    expect(await bridge.during((await inSession()).linkPlayer("Nobody"))).toMatchObject({
      ok: false,
      status: 422,
      code: "player_offline",
    });
    await bridge.stopGame("kill");
    bridge.clock.advance(60_000);
    expect(await client.status()).toMatchObject({
      ok: false,
      status: 503,
      code: "server_unavailable",
      retryAfter: 5,
    });
    expect(await client.readiness()).toMatchObject({ ok: true, value: { status: "unavailable" } });
  });

  it("reads what a key is for, and lists a page at a time", async () => {
    expect(await client.permissions(ADMIN_KEY)).toMatchObject({ ok: true, value: { servers: null } });
    expect(await client.permissions("wrong")).toMatchObject({ ok: false, code: "wrong_key" });
    const list = bridge.world.allowList;
    for (const name of ["Alex", "Herobrine", "Steve"]) list.put({ name });
    const page = (limit?: number, after?: string) =>
      bridge.during(client.whitelist(ADMIN_KEY, { limit, after }));
    const first = await page(2);
    if (!first.ok) throw new Error(first.message);
    expect([first.value, typeof first.next]).toEqual([["Alex", "Herobrine"], "string"]);
    expect(await page(2, first.next)).toEqual({ ok: true, value: ["Steve"] });
    expect(await page()).toEqual({ ok: true, value: ["Alex", "Herobrine", "Steve"] });
  });

  it("reports that the service does not respond", async () => {
    await bridge.stopSidecar();
    expect(await client.status()).toEqual({
      ok: false,
      status: 0,
      code: "unreachable",
      cause: expect.objectContaining({ message: "fetch failed" }),
    });
  });

  it("removes timers and listeners after each call, whether fetch respects its signal or not", async () => {
    const visitor = new Visitor(bridge.base, new ManualClock());
    const ending = new AbortController();
    const { signal } = ending;
    await visitor.client.status({ signal });
    expect([visitor.left.timers, listeners(signal)]).toEqual([0, 0]);
    visitor.onAsk = () => new Promise(() => undefined);
    const pending = [visitor.client.status({ signal }), visitor.client.initialize({ signal })];
    ending.abort();
    for (const answer of pending) expect(await answer).toMatchObject({ code: "aborted" });
    expect([visitor.left.timers, listeners(signal)]).toEqual([0, 0]);
  });

  it("creates one session for simultaneous calls, as long as one of them waits for it", async () => {
    const visitor = new Visitor(bridge.base, bridge.clock);
    const [first, second] = [new AbortController(), new AbortController()];
    let isDelayed = true;
    const signals: AbortSignal[] = [];
    const own = createClient({
      timers: visitor.timers,
      fetch: (path, init) => {
        signals.push(init.signal);
        return isDelayed ? new Promise(() => undefined) : visitor.ask(bridge.base + path, init);
      },
    });
    const pending = [own.initialize({ signal: first.signal }), own.initialize({ signal: second.signal })];
    first.abort();
    expect(await pending[0]).toMatchObject({ code: "aborted" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    second.abort();
    expect(await pending[1]).toMatchObject({ code: "aborted" });
    await until(() => signals[0]?.aborted);
    isDelayed = false;
    const both = await Promise.all([own.initialize(), own.initialize()]);
    expect(both[1]).toEqual(both[0]);
    expect(await own.initialize()).toMatchObject({ value: { status: "existing" } });
    expect([visitor.times("GET /initialize"), visitor.left.timers]).toEqual([2, 0]);
  });

  it("includes the log reference, and stops on request", async () => {
    const headers = { "X-Request-Id": "id-of-a-line" };
    const failing = createClient({
      fetch: async () => new Response('{"error":"unexpected_result"}', { status: 500, headers }),
    });
    expect(await failing.unlinkPlayer()).toMatchObject({
      code: "unexpected_result",
      requestId: "id-of-a-line",
    });
    const cause = new Error("not wanted any more");
    expect(await client.status({ signal: AbortSignal.abort(cause) })).toEqual({
      ok: false,
      status: 0,
      code: "aborted",
      cause,
    });
  });
});

describe("the client by itself", () => {
  it("requests all players with an empty search box, and the first page without a cursor", async () => {
    const paths: string[] = [];
    const fetch = async (url: string) => {
      paths.push(url);
      throw new Error("nobody is asked");
    };
    const noted = createClient({ base: "http://bridge.example", fetch });
    for (const query of [{ name: "" }, { after: null }, { name: "St", after: "x", limit: 5 }])
      await noted.knownPlayers(query);
    const path = "http://bridge.example/known-players";
    expect(paths).toEqual([path, path, `${path}?limit=5&name=St&after=x`]);
  });

  it("times out after 12 s or as set in the options, even if fetch ignores its signal", async () => {
    const clock = new ManualClock();
    const signals: AbortSignal[] = [];
    const silent = createClient({
      timers: clock,
      fetch: (_url, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    });
    const pending = [silent.status(), silent.players({ timeoutMs: 3_000 })];
    await until(() => signals.length === 2);
    clock.advance(3_000);
    expect(await pending[1]).toMatchObject({
      code: "unreachable",
      cause: { message: "no answer within 3000 ms" },
    });
    clock.advance(8_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    clock.advance(1);
    expect(await pending[0]).toMatchObject({ code: "unreachable" });
    const slow = createClient({ timers: clock, fetch: async () => new Response(new ReadableStream()) });
    const rest = slow.status({ timeoutMs: 1 });
    await new Promise(setImmediate);
    clock.advance(1);
    expect(await rest).toMatchObject({ ok: false, status: 0, code: "unreachable" });
  });

  it.each(["", "/bridge", "localhost:8080", "ws://localhost", "http://[", "http://user:password@a/"])(
    "says that there can be no service at %p",
    async base => {
      expect(await createClient({ base }).status()).toMatchObject({ status: 0, code: "bad_address" });
    },
  );

  it("accepts a base with trailing slashes, and one below a path", async () => {
    const urls: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      urls.push(url);
      return new Response("[]");
    };
    for (const base of ["http://a/", "http://a//", "http://a/bridge", "http://a/bridge/", "/bridge/", "/"])
      await createClient({ base, fetch }).players();
    expect(urls).toEqual([
      "http://a/players",
      "http://a/players",
      "http://a/bridge/players",
      "http://a/bridge/players",
      "/bridge/players",
      "/players",
    ]);
  });
});
