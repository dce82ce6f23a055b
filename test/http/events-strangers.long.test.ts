import { beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { bytesOf, SESSION, serving, type Wire } from "../helpers/serving.ts";
import { STEVE, said, short } from "./feeding.ts";

// What strangers do with `GET /events`. Each test ends with a reader who is served as ever.

const side = serving();
const { pack } = side;
const start = async (api = ""): Promise<void> => {
  await side.api(api);
  await pack.connect();
};
beforeEach(() => start());

const ASK = bytesOf("GET /events");
const COOKIE = `Cookie: ${SESSION.Cookie}`;
const BEGUN = "retry: 2000";

const streamsAre = (count: number): Promise<void> =>
  eventually(async () => expect(await side.figure("event_streams")).toBe(count));
const reset = (...wires: Wire[]): void => {
  for (const { socket } of wires) socket.resetAndDestroy();
};

/** Something is said, and a new reader hears it. */
async function isWell(): Promise<void> {
  const reader = await side.stream();
  await pack.report(said("still here"));
  expect(short(await reader.next(1))).toEqual(["still here"]);
}

describe("a stream that is asked for ahead", () => {
  it("behind a request without an answer is refused, and the answers come in order", async () => {
    await pack.snapshot("Steve");
    const body = '{"username":"Steve"}';
    const length = `Content-Length: ${body.length}`;
    const post = bytesOf("POST /link-player", COOKIE, "Content-Type: application/json", length) + body;
    const wire = side.wire(post + ASK + bytesOf("GET /healthz", "Connection: close"));
    await pack.carryOut("done", { player: STEVE });
    expect(await wire.ended()).toMatch(/Retry-After: \d+\r\n[^{]*\{"error":"too_many_connections"\}/);
    expect(wire.statuses()).toEqual(["202", "503", "200"]);
    await streamsAre(0);
    await isWell();
  });

  it.each([
    ["another stream", ASK.repeat(40)],
    ["other requests", bytesOf("GET /healthz").repeat(500)],
    ["a request that changes something", bytesOf("POST /unlink-player", COOKIE)],
  ])("has nothing behind it dealt with: %s", async (_what, behind) => {
    const wire = side.wire(ASK + behind);
    await wire.until(BEGUN);
    await streamsAre(1);
    expect(wire.statuses()).toEqual(["200"]);
    await isWell();
  });

  it("with bytes behind it that are no HTTP is none, and counted as none", async () => {
    expect(await side.wire(`${ASK}no HTTP\r\n\r\n`).ended()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await side.figures()).not.toContain('requests_total{route="/events"');
    await isWell();
  });

  it.each([
    ["requests", ASK.repeat(100)],
    ["an upgrade", bytesOf("GET /chat", "Connection: Upgrade", "Upgrade: websocket")],
    ["bytes that are no HTTP", "\0".repeat(200_000)],
  ])("is none the worse, or ends, when %s come later", async (_what, later) => {
    const wire = side.wire(ASK);
    await wire.until(BEGUN);
    for (let i = 0; i < 10; i++) wire.write(later);
    await isWell();
    expect(await side.figure("event_streams")).toBeLessThanOrEqual(2);
    expect(wire.statuses()).toEqual(["200"]);
  });
});

describe("an odd request for the stream", () => {
  it.each([
    ["of HTTP/1.0", ASK.replace("1.1", "1.0")],
    ["with a body", `${bytesOf("GET /events", "Content-Length: 4")}abcd`],
    ["with a body in chunks", `${bytesOf("GET /events", "Transfer-Encoding: chunked")}1\r\na\r\n0\r\n\r\n`],
    ["with an offer of another protocol", bytesOf("GET /events", "Connection: Upgrade", "Upgrade: h2c")],
    ["with an expectation", bytesOf("GET /events", "Expect: 100-continue")],
    ["with an id of 10,000 characters", bytesOf("GET /events", `Last-Event-ID: ${"9".repeat(10_000)}`)],
    ["with a since of 10,000 characters", bytesOf(`GET /events?since=${"1-".repeat(5_000)}`)],
    ["with types very often", bytesOf(`GET /events?types=${"chat,".repeat(2_000)}chat`)],
  ])("%s is answered with one, which is not in chunks", async (_what, asked) => {
    const wire = side.wire(asked);
    await wire.until(BEGUN);
    await pack.report(said("hello"));
    const got = await wire.until("hello");
    const [head = "", stream = ""] = got.replace("HTTP/1.1 100 Continue\r\n\r\n", "").split("\r\n\r\n");
    expect(head).toContain("HTTP/1.1 200 OK");
    expect(head).not.toMatch(/transfer-encoding|content-length/i);
    expect(stream).toMatch(/^retry: 2000\n/);
  });

  it.each(["\0", "\r", "1-1\0"])("with the header byte %j is no HTTP", async bytes => {
    const wire = side.wire(bytesOf("GET /events", `Last-Event-ID: a${bytes}b`));
    expect(await wire.ended()).toMatch(/^HTTP\/1\.1 400 /);
    await isWell();
  });

  it("with HEAD takes no place among the streams", async () => {
    const got = await side.wire(bytesOf("HEAD /events")).ended();
    expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\n([^\r]+\r\n)+\r\n$/);
    await streamsAre(0);
  });
});

describe("very many streams", () => {
  it("that are opened and reset leave nothing behind", async () => {
    await pack.report(said("hello"));
    const opened = Array.from({ length: 500 }, (_, at) =>
      side.wire(bytesOf(`GET /events${at % 2 ? "?since=0" : ""}`)),
    );
    await streamsAre(500);
    reset(...Array.from({ length: 300 }, () => side.wire(ASK)), ...opened);
    await streamsAre(0);
    await isWell();
  });

  it("of one address are refused past its limit, and those that are open go on", async () => {
    await start("limits: {event-clients-per-address: 5}");
    const first = await side.stream();
    const opened = Array.from({ length: 60 }, () => side.wire(ASK));
    await eventually(() => expect(opened.filter(wire => wire.statuses()[0] === "503")).toHaveLength(56));
    await pack.report(said("hello"));
    expect(short(await first.next(1))).toEqual(["hello"]);
    reset(...opened);
    await streamsAre(1);
  });

  it.each([
    [
      "count as connections, past whose limit only the health check is answered",
      "connections: 3",
      503,
      "too_many_connections",
    ],
    [
      "are counted by the rate limit once each, when they begin",
      "requests-per-minute: 3",
      429,
      "rate_limited",
    ],
  ])("%s", async (_what, limit, status, error) => {
    await start(`limits: {${limit}}`);
    const opened = [await side.stream(), await side.stream(), await side.stream()];
    const past = await side.stream();
    await past.ended();
    expect([past.status, past.text]).toEqual([status, `{"error":"${error}"}`]);
    if (status === 503) expect((await side.ask("/healthz")).status).toBe(200);
    await pack.report(said("hello"));
    for (const stream of opened) expect(short(await stream.next(1))).toEqual(["hello"]);
  });

  it("ask for all that is kept again and again, and get it", async () => {
    for (let i = 0; i < 5; i++)
      await pack.report(...Array.from({ length: 100 }, (_, at) => said(`${i}-${at} ${"x".repeat(300)}`)));
    for (let i = 0; i < 100; i++) {
      const reader = await side.stream("?since=0");
      if (i % 10 === 0) expect(await reader.next(500)).toHaveLength(500);
      reader.close();
    }
    await streamsAre(0);
  });
});

const LINES = Array.from({ length: 100 }, () => said("x".repeat(500)));

describe("a reader that never reads", () => {
  it("is cut off once it leaves too much unread, and nobody else waits for it", async () => {
    await start("events: {keep: 10}, limits: {websocket-buffer-bytes: 65536}");
    (await side.stream()).pause();
    const other = await side.stream();
    let heard = 0;
    while ((await side.figure("event_streams")) === 2) {
      await pack.report(...LINES);
      heard += (await other.next(LINES.length)).length;
      // What the system holds for it is more than may wait here.
      expect(heard).toBeLessThan(100_000);
    }
    const told = side.log.of("info").map(({ message }) => message);
    expect(told).toContain("closed an event stream that does not read");
    await isWell();
  });
});

describe("a reader that writes", () => {
  it("is cut off when it does not end", async () => {
    const wire = side.wire(ASK);
    wire.pour("a".repeat(60_000));
    await wire.ended();
    await isWell();
  });

  it("a long body is forgotten as soon as it has left", async () => {
    const wire = side.wire(bytesOf("GET /events", "Content-Length: 1000000000") + "a".repeat(100_000));
    await wire.until(BEGUN);
    wire.socket.end();
    await streamsAre(0);
    await isWell();
  });
});

describe("a stop", () => {
  it("does not wait for a reader that does not read", async () => {
    (await side.stream()).pause();
    for (let i = 0; i < 100; i++) await pack.report(...LINES);
    const begun = side.clock.monotonic();
    await side.shut();
    expect(side.clock.monotonic() - begun).toBeLessThan(5_000);
  });

  it("ends the streams of those who come meanwhile too", async () => {
    const first = await side.stream();
    const stopping = side.shut();
    for (;;) {
      const reader = await side.stream().catch(() => undefined);
      if (reader === undefined) break;
      await reader.ended();
      expect([reader.status, reader.text]).toEqual([200, expect.stringMatching(/^$|\n\n$/)]);
    }
    await Promise.all([stopping, first.ended()]);
  });
});
