import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ChatSocket } from "../../../../test/helpers/chat-socket.ts";
import { ManualClock } from "../../../../test/helpers/clock.ts";
import { contractOf } from "../../../../test/helpers/contract.ts";
import { upgrade } from "../../../../test/helpers/flood.ts";
import { bytesOf, SESSION, serving } from "../../../../test/helpers/serving.ts";
import { TOKEN } from "../../../../test/helpers/sidecar.ts";

const side = serving();
beforeEach(() => side.start());

const COOKIE = `Cookie: ${SESSION.Cookie}`;
const UPGRADE = ["Connection: Upgrade", "Upgrade: websocket"];
const H2C = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"];

/** The response, up to this text. */
const answer = (until: string, ...request: Parameters<typeof bytesOf>): Promise<string> =>
  side.wire(bytesOf(...request)).until(until);

describe("a refused upgrade", () => {
  it("closes the connection, also if the client keeps its side open", async () => {
    const wire = side.wire(bytesOf("GET /nothing", ...UPGRADE));
    wire.socket.allowHalfOpen = true;
    expect(await wire.until("not_found")).toContain("HTTP/1.1 404 ");
    // The other end is closed: sending bytes there breaks the connection.
    for (; !wire.socket.destroyed; await nextTurn()) wire.write("more");
  });
});

describe("an upgrade that is not a WebSocket handshake", () => {
  it.each([
    ["without a key", []],
    ["with a key that is none", ["Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"]],
    ["of another version", ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 12"]],
  ])("gets the described response: %s", async (_what, headers) => {
    const got = await answer("}", "GET /chat", ...UPGRADE, ...headers);
    const [head = "", text] = got.split("\r\n\r\n");
    const [status, ...lines] = head.split("\r\n");
    expect(status).toBe("HTTP/1.1 426 Upgrade Required");
    expect(lines).toContain("Sec-WebSocket-Version: 13");
    const found = new Headers(lines.map(line => line.split(": ") as [string, string]));
    const header = (name: string): string | null => found.get(name);
    contractOf(side.base).answer({ method: "GET", path: "/chat", status: 426, header, text });
    expect(side.log.of("warn").at(-1)?.fields).toMatchObject({ reason: "upgrade_required" });
  });
});

describe("an upgrade to an unsupported protocol", () => {
  it("is ignored, and the request gets its response, as does the next one", async () => {
    const wire = side.wire(bytesOf("GET /session", ...H2C) + bytesOf("GET /healthz"));
    await wire.until('{"status":"ok"}');
    await wire.write(bytesOf("GET /nothing", ...H2C)).until("not_found");
    expect(wire.statuses().slice(1)).toEqual(["200", "404"]);
  });

  it.each([
    ["h2c", H2C],
    ["a WebSocket", UPGRADE],
  ])("is ignored with a body too, and the connection closes afterwards: %s", async (_what, offer) => {
    const body = '{"username":null}';
    const headers = [COOKIE, "Content-Type: application/json", `Content-Length: ${body.length}`];
    const request = bytesOf("POST /link-player", ...headers, ...offer) + body + bytesOf("GET /healthz");
    const got = await side.wire(request).ended();
    expect(got).toContain("missing_username");
    expect(got.match(/HTTP\/1\.1 \d+|Connection: \w+/g)).toEqual(["HTTP/1.1 400", "Connection: close"]);
  });
});

describe("after a request without a response yet", () => {
  it.each([
    ["an upgrade to a WebSocket", "GET /linked-player", bytesOf("GET /chat", ...UPGRADE), /1\.1 (101|426)/],
    ["one to another protocol", "GET /linked-player", bytesOf("GET /chat", ...H2C), /1\.1 (101|426)/],
    ["CONNECT", "POST /unlink-player", bytesOf("CONNECT example.com:80"), /1\.1 405/],
  ])(
    "%s closes the connection: a response would be taken for that of the first request",
    async (_what, first, second, wrong) => {
      expect(await side.wire(bytesOf(first, COOKIE) + second).ended()).not.toMatch(wrong);
      expect((await side.ask("/healthz")).status).toBe(200);
    },
  );
});

it.each(["http://localhost/healthz", "/healthz#part"])(
  "a request for %s is handled like one for its path",
  async target => {
    expect(await answer("}", `GET ${target}`)).toContain("HTTP/1.1 200 ");
  },
);

describe("a request whose target cannot be parsed", () => {
  it.each(["http://[/x", "http://[/status", "http://a]b/"])(
    "is rejected like any other: %s",
    async address => {
      const got = await answer("}", `GET ${address}`);
      expect(got).toContain("HTTP/1.1 400 Bad Request");
      expect(got).toContain("X-Content-Type-Options: nosniff");
      expect(got.split("\r\n\r\n")[1]).toMatch(/^{"error":"bad_request",/);
    },
  );

  it("is rejected on the bridge listener, with and without the token", async () => {
    const twice = bytesOf("GET http://[/x") + bytesOf("GET http://[/x", `Authorization: ${TOKEN}`);
    const wire = side.wire(twice, side.sidecar.bridgeAddress.port);
    expect(await wire.until("not_found")).toContain("unauthorized");
  });
});

it.each([
  ["", []],
  [" and a body that does not come", ["Content-Length: 9"]],
])("CONNECT%s returns 405 on both listeners, which are no proxies", async (_what, headers) => {
  for (const { port } of [side.sidecar.publicAddress, side.sidecar.bridgeAddress]) {
    const got = await side.wire(bytesOf("CONNECT example.com:80", ...headers), port).until("}");
    expect(got).toContain("HTTP/1.1 405 Method Not Allowed");
    expect(got).toContain("Allow: GET, HEAD, POST, OPTIONS");
    expect(got).toContain('{"error":"method_not_allowed",');
  }
});

describe("a fragmented message", () => {
  it("is rejected if it has very many fragments", async () => {
    const socket = await side.socket();
    for (let i = 0; i < 2_000; i++) socket.ws.send("x", { fin: i === 1_999 });
    expect(await Promise.race([socket.closed, socket.next()])).toBe(1008);
  });

  it("is rejected if the network delivers it in very many pieces", async () => {
    const wire = side.wire(upgrade("/chat", "Host: localhost"));
    await wire.until("VERIFICATION");
    const text = "x".repeat(20_000);
    wire.write(Buffer.from([0x81, 0xfe, text.length >> 8, text.length & 255, 0, 0, 0, 0]));
    for (const each of text) {
      if (wire.socket.destroyed) break;
      wire.write(each);
      await nextTurn();
    }
    const got = await wire.until("bad message").catch(() => wire.got());
    expect(got).not.toContain("bad message");
    expect(got).toContain("\x88\x02\x03\xf0");
  });
});

describe("an error of the service on one connection", () => {
  /** A clock that throws once on demand, as any function of a listener might. */
  class FaultyClock extends ManualClock {
    fails = false;
    override get monotonic(): () => number {
      if (!this.fails) return super.monotonic;
      this.fails = false;
      throw new Error("planted");
    }
  }

  it("closes that connection, is logged, and affects no other", async () => {
    const clock = new FaultyClock();
    await side.start({ clock });
    const [speaker, listener] = [await side.socket(), await side.socket()];
    clock.fails = true;
    speaker.ws.send('{"type":"PING"}');
    expect(await speaker.closed).toBe(1006);
    clock.fails = true;
    expect(await new ChatSocket(side.base).closed).toBe(1006);
    expect(await listener.settled()).toEqual([]);
    expect((await side.ask("/healthz")).status).toBe(200);
    const faults = side.log.lines.filter(({ message }) => message === "Unexpected error on a connection");
    expect(faults).toHaveLength(2);
  });
});

describe("an expectation", () => {
  it("a 100-continue adds nothing to the response of an earlier request", async () => {
    const ahead = bytesOf("GET /healthz") + bytesOf("GET /healthz", "Expect: 100-continue");
    const [first, second = "", ...more] = (await side.wire(ahead).ended()).split(/(?=HTTP\/1\.1 )/);
    for (const each of [first, second]) expect(each).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n{"status":"ok"}$/s);
    // It is unknown whether a body follows.
    expect(second).toContain("Connection: close");
    expect(more).toEqual([]);
  });

  it("with an unknown expectation is ignored", async () => {
    expect(await answer("}", "GET /healthz", "Expect: the-unexpected")).toContain("HTTP/1.1 200 ");
  });
});
