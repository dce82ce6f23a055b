import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../helpers/runner.ts";
import { Feeding, STEVE, said, short } from "./feeding.ts";

// Own connections: sends requests byte by byte; the same streams are checked when they are asked for properly.

// What strangers do with `GET /events`. Each test ends with a reader who is served as ever.

const side = new Feeding();
const sockets: Socket[] = [];
beforeEach(() => side.start());
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await side.end();
});

const request = (line: string, ...headers: string[]): string =>
  [line, "Host: localhost", ...headers, "", ""].join("\r\n");
const ASK = request("GET /events HTTP/1.1");
const COOKIE = "Cookie: website_user_uuid=11111111-1111-4111-8111-111111111111";

/** A connection, and everything that came on it. */
async function raw(...written: string[]): Promise<{ socket: Socket; got(): string }> {
  const socket = connect({ port: side.bridge.sidecar.publicAddress.port, host: "127.0.0.1" });
  sockets.push(socket);
  socket.on("error", () => undefined);
  let text = "";
  socket.on("data", chunk => {
    text += chunk;
  });
  await once(socket, "connect");
  for (const each of written) socket.write(each);
  return { socket, got: () => text };
}

const figures = async (): Promise<string> => (await fetch(`${side.bridge.bridge}/metrics`)).text();

/** Open streams, as the bridge listener tells it. */
const streams = async (): Promise<number> =>
  Number(/^web_bridge_event_streams (\d+)$/m.exec(await figures())?.[1]);
const streamsAre = (count: number): Promise<void> =>
  eventually(async () => expect(await streams()).toBe(count));

/** Something is said, and a new reader hears it. */
async function isWell(): Promise<void> {
  const reader = await side.stream();
  await side.pack.report(said("still here"));
  expect(short(await reader.next(1))).toEqual(["still here"]);
}

describe("a stream that is asked for ahead", () => {
  it("behind a request without an answer is refused, and the answers come in order", async () => {
    await side.pack.snapshot("Steve");
    const body = '{"username":"Steve"}';
    const post = request(
      "POST /link-player HTTP/1.1",
      COOKIE,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    );
    const { socket, got } = await raw(
      post + body + ASK + request("GET /healthz HTTP/1.1", "Connection: close"),
    );
    await side.pack.carryOut("done", { player: STEVE });
    await once(socket, "close");
    expect([...got().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      "202",
      "503",
      "200",
    ]);
    expect(got()).toMatch(/Retry-After: \d+\r\n[^{]*\{"error":"too_many_connections"\}/);
    expect(await streams()).toBe(0);
    await isWell();
  });

  it.each([
    ["another stream", ASK.repeat(40)],
    ["other requests", request("GET /healthz HTTP/1.1").repeat(500)],
    ["a request that changes something", request("POST /unlink-player HTTP/1.1", COOKIE)],
  ])("has nothing behind it dealt with: %s", async (_what, behind) => {
    const { got } = await raw(ASK + behind);
    await eventually(() => expect(got()).toContain("retry: 2000"));
    expect(await streams()).toBe(1);
    expect([...got().matchAll(/HTTP\/1\.1 /g)]).toHaveLength(1);
    await isWell();
  });

  it("with bytes behind it that are no HTTP is none, and counted as none", async () => {
    const { socket, got } = await raw(`${ASK}no HTTP\r\n\r\n`);
    await once(socket, "close");
    expect(got()).toMatch(/^HTTP\/1\.1 400 /);
    expect(await figures()).not.toContain('requests_total{route="/events"');
    await isWell();
  });

  it.each([
    ["requests", ASK.repeat(100)],
    ["an upgrade", request("GET /chat HTTP/1.1", "Connection: Upgrade", "Upgrade: websocket")],
    ["bytes that are no HTTP", "\0".repeat(200_000)],
  ])("is none the worse, or ends, when %s come later", async (_what, later) => {
    const { socket, got } = await raw(ASK);
    await eventually(() => expect(got()).toContain("retry: 2000"));
    for (let i = 0; i < 10; i++) socket.write(later);
    await isWell();
    expect(await streams()).toBeLessThanOrEqual(2);
    expect([...got().matchAll(/HTTP\/1\.1 200/g)]).toHaveLength(1);
  });
});

describe("an odd request for the stream", () => {
  it.each([
    ["of HTTP/1.0", request("GET /events HTTP/1.0")],
    ["with a body", `${request("GET /events HTTP/1.1", "Content-Length: 4")}abcd`],
    [
      "with a body in chunks",
      `${request("GET /events HTTP/1.1", "Transfer-Encoding: chunked")}1\r\na\r\n0\r\n\r\n`,
    ],
    [
      "with an offer of another protocol",
      request("GET /events HTTP/1.1", "Connection: Upgrade", "Upgrade: h2c"),
    ],
    ["with an expectation", request("GET /events HTTP/1.1", "Expect: 100-continue")],
    [
      "with an id of 10,000 characters",
      request("GET /events HTTP/1.1", `Last-Event-ID: ${"9".repeat(10_000)}`),
    ],
    ["with a since of 10,000 characters", request(`GET /events?since=${"1-".repeat(5_000)} HTTP/1.1`)],
    ["with types very often", request(`GET /events?types=${"chat,".repeat(2_000)}chat HTTP/1.1`)],
  ])("%s is answered with one, which is not in chunks", async (_what, asked) => {
    const { got } = await raw(asked);
    await eventually(() => expect(got()).toContain("retry: 2000"));
    await side.pack.report(said("hello"));
    await eventually(() => expect(got()).toContain("hello"));
    const [head = "", stream = ""] = got().replace("HTTP/1.1 100 Continue\r\n\r\n", "").split("\r\n\r\n");
    expect(head).toContain("HTTP/1.1 200 OK");
    expect(head).not.toMatch(/transfer-encoding|content-length/i);
    expect(stream).toMatch(/^retry: 2000\n/);
  });

  it.each(["%0D%0Aevent:%20evil%0D%0Adata:%20{}", "%00", "%C3%28", "1-1%0A%0A", "../../x", "'--"])(
    "whose id is %s gets none of it back",
    async since => {
      await side.pack.report(said("hello"));
      const reader = await side.stream(`?since=${since}`);
      expect((await reader.next(2)).map(({ event }) => event)).toEqual(["gap", "chat"]);
      expect(reader.text).not.toContain("evil");
    },
  );

  it.each(["\0", "\r", "1-1\0"])("with the header byte %j is no HTTP", async bytes => {
    const { socket, got } = await raw(request("GET /events HTTP/1.1", `Last-Event-ID: a${bytes}b`));
    await once(socket, "close");
    expect(got()).toMatch(/^HTTP\/1\.1 400 /);
    await isWell();
  });

  it("with HEAD takes no place among the streams", async () => {
    const { socket, got } = await raw(request("HEAD /events HTTP/1.1"));
    await once(socket, "close");
    expect(got()).toMatch(/^HTTP\/1\.1 200 OK\r\n([^\r]+\r\n)+\r\n$/);
    expect(await streams()).toBe(0);
  });
});

describe("very many streams", () => {
  it("that are opened and reset leave nothing behind", async () => {
    await side.pack.report(said("hello"));
    const opened = await Promise.all(
      Array.from({ length: 500 }, (_, at) => raw(request(`GET /events${at % 2 ? "?since=0" : ""} HTTP/1.1`))),
    );
    await streamsAre(500);
    const asked = await Promise.all(Array.from({ length: 300 }, () => raw(ASK)));
    for (const { socket } of [...asked, ...opened]) socket.resetAndDestroy();
    await streamsAre(0);
    await isWell();
  });

  it("of one address are refused past its limit, and those that are open go on", async () => {
    await side.bridge.stop();
    await side.start({ yaml: "modules: {api: {limits: {event-clients-per-address: 5}}}" });
    const first = await side.stream();
    const opened = await Promise.all(Array.from({ length: 60 }, () => raw(ASK)));
    await eventually(() =>
      expect(opened.filter(({ got }) => got().includes("HTTP/1.1 503 "))).toHaveLength(56),
    );
    await side.pack.report(said("hello"));
    expect(short(await first.next(1))).toEqual(["hello"]);
    for (const { socket } of opened) socket.resetAndDestroy();
    await streamsAre(1);
  });

  it("count as connections, past whose limit only the health check is answered", async () => {
    await side.bridge.stop();
    await side.start({ yaml: "modules: {api: {limits: {connections: 3}}}" });
    const first = await side.stream();
    await Promise.all([side.stream(), side.stream()]);
    const past = await side.stream();
    await past.ended();
    expect([past.status, past.text]).toEqual([503, '{"error":"too_many_connections"}']);
    expect((await fetch(`${side.bridge.base}/healthz`)).status).toBe(200);
    await side.pack.report(said("hello"));
    expect(short(await first.next(1))).toEqual(["hello"]);
  });

  it("are counted by the rate limit once each, when they begin", async () => {
    await side.bridge.stop();
    await side.start({ yaml: "modules: {api: {limits: {requests-per-minute: 5}}}" });
    const opened = await Promise.all(Array.from({ length: 5 }, () => side.stream()));
    const over = await side.stream();
    await over.ended();
    expect([over.status, over.text]).toEqual([429, '{"error":"rate_limited"}']);
    await side.pack.report(said("hello"));
    for (const stream of opened) expect(short(await stream.next(1))).toEqual(["hello"]);
  });

  it("ask for all that is kept again and again, and get it", async () => {
    for (let i = 0; i < 5; i++)
      await side.pack.report(
        ...Array.from({ length: 100 }, (_, at) => said(`${i}-${at} ${"x".repeat(300)}`)),
      );
    for (let i = 0; i < 100; i++) {
      const reader = await side.stream("?since=0");
      if (i % 10 === 0) expect(await reader.next(500)).toHaveLength(500);
      reader.close();
    }
    await streamsAre(0);
  });
});

describe("a reader that never reads", () => {
  it("is cut off once it leaves too much unread, and nobody else waits for it", async () => {
    await side.bridge.stop();
    await side.start({
      yaml: "modules: {api: {events: {keep: 10}, limits: {websocket-buffer-bytes: 65536}}}",
    });
    const stuck = await side.stream();
    stuck.pause();
    const other = await side.stream();
    const lines = Array.from({ length: 100 }, () => said("x".repeat(500)));
    let heard = 0;
    while ((await streams()) === 2) {
      await side.pack.report(...lines);
      heard += (await other.next(lines.length)).length;
      // What the system holds for it is more than may wait here.
      expect(heard).toBeLessThan(100_000);
    }
    expect(side.bridge.log.of("info").map(({ message }) => message)).toContain(
      "closed an event stream that does not read",
    );
    await isWell();
  });
});

describe("a reader that writes", () => {
  it("is cut off when it does not end", async () => {
    const { socket } = await raw(ASK);
    const send = (): void => {
      while (!socket.destroyed && socket.write("a".repeat(60_000)));
    };
    socket.on("drain", send);
    send();
    await eventually(() => expect(socket.destroyed).toBe(true));
    await isWell();
  });

  it("a long body is forgotten as soon as it has left", async () => {
    const asked = request("GET /events HTTP/1.1", "Content-Length: 1000000000");
    const { socket, got } = await raw(asked + "a".repeat(100_000));
    await eventually(() => expect(got()).toContain("retry: 2000"));
    socket.end();
    await streamsAre(0);
    await isWell();
  });
});

describe("a stop", () => {
  it("does not wait for a reader that does not read", async () => {
    const stuck = await side.stream();
    stuck.pause();
    const lines = Array.from({ length: 100 }, () => said("x".repeat(500)));
    for (let i = 0; i < 100; i++) await side.pack.report(...lines);
    const begun = side.bridge.clock.monotonic();
    await side.bridge.stop();
    expect(side.bridge.clock.monotonic() - begun).toBeLessThan(5_000);
    await side.start();
  });

  it("ends the streams of those who come meanwhile too", async () => {
    const first = await side.stream();
    const stopping = side.bridge.stop();
    const come = async (): Promise<void> => {
      for (;;) {
        const reader = await side.stream().catch(() => undefined);
        if (reader === undefined) return;
        await reader.ended();
        expect([reader.status, reader.text]).toEqual([200, expect.stringMatching(/^$|\n\n$/)]);
      }
    };
    await Promise.all([stopping, first.ended(), come()]);
    await side.start();
  });
});
