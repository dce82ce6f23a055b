import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { addressKey } from "../../sidecar/http/client-address.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { contractOf } from "../helpers/contract.ts";
import { startTestSidecar, type TestSidecar, TOKEN } from "../helpers/sidecar.ts";

// Own connections: sends requests byte by byte; the same answers are checked when they are asked for properly.

const SITE = "https://site.example";
let bridge: TestSidecar;
const sockets: Socket[] = [];
beforeEach(async () => {
  bridge = await startTestSidecar({ env: { WEB_BRIDGE_MODULES_API_CORS_ORIGINS: SITE } });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await bridge.stop();
});

async function open(port = bridge.sidecar.publicAddress.port): Promise<Socket> {
  const socket = connect({
    port,
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

const request = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
const UPGRADE = ["Connection: Upgrade", "Upgrade: websocket"];
const H2C = ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"];

/** What comes back until it holds a text. */
async function readUntil(socket: Socket, text: string): Promise<string> {
  let got = "";
  while (!got.includes(text)) got += String((await once(socket, "data"))[0]);
  return got;
}

describe("a refused upgrade", () => {
  it("takes the connection with it, also when the client keeps its side open", async () => {
    const socket = await open();
    socket.write(request("GET /nothing", ...UPGRADE));
    expect(await readUntil(socket, "not_found")).toContain("HTTP/1.1 404 ");
    // The other end is gone: bytes that are sent there break the connection.
    while (!socket.destroyed) {
      socket.write("more");
      await nextTurn();
    }
  });
});

describe("an upgrade that is no handshake of a WebSocket", () => {
  it.each([
    ["without a key", []],
    ["with a key that is none", ["Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"]],
    ["of another version", ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 12"]],
  ])("is answered as described: %s", async (_what, headers) => {
    const socket = await open();
    socket.write(request("GET /chat", ...UPGRADE, ...headers));
    const [head = "", text] = (await readUntil(socket, "}")).split("\r\n\r\n");
    const [status = "", ...lines] = head.split("\r\n");
    expect(status).toBe("HTTP/1.1 426 Upgrade Required");
    expect(lines).toContain("Sec-WebSocket-Version: 13");
    const found = new Headers(lines.map(line => line.split(": ") as [string, string]));
    contractOf(bridge.base).answer({
      method: "GET",
      path: "/chat",
      status: 426,
      header: name => found.get(name),
      text,
    });
    expect(bridge.log.of("warn").at(-1)?.fields).toMatchObject({ reason: "upgrade_required" });
  });
});

describe("an offer of a protocol that is not spoken here", () => {
  it("is passed over, and the request answered", async () => {
    const socket = await open();
    socket.write(request("GET /healthz", ...H2C));
    expect(await readUntil(socket, '{"status":"ok"}')).toContain("HTTP/1.1 200 ");
    socket.write(request("GET /nothing"));
    expect(await readUntil(socket, "not_found")).toContain("HTTP/1.1 404 ");
  });

  it("does not cost the body, nor what was sent right after it", async () => {
    const body = '{"username":null}';
    const headers = [
      "Cookie: website_user_uuid=11111111-1111-4111-8111-111111111111",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    const socket = await open();
    socket.write(request("POST /link-player", ...headers, ...H2C) + body + request("GET /healthz"));
    const got = await readUntil(socket, '{"status":"ok"}');
    expect(got).toContain("missing_username");
  });

  it("may be made again and again on one connection", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on("warning", note);
    const socket = await open();
    for (let i = 0; i < 30; i++) {
      socket.write(request("GET /healthz", ...H2C));
      await readUntil(socket, '{"status":"ok"}');
    }
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("does not get around the origin gate or the rate of an address", async () => {
    const socket = await open();
    socket.write(request("GET /initialize", "Origin: https://evil.example", ...H2C));
    expect(await readUntil(socket, "origin_not_allowed")).toContain("HTTP/1.1 403 ");
  });
});

describe("an upgrade that is sent behind a request without an answer", () => {
  it.each([
    ["of a WebSocket", UPGRADE],
    ["of another protocol", H2C],
  ])("ends the connection: %s", async (_what, headers) => {
    const socket = await open();
    const closed = once(socket, "end");
    const cookie = "Cookie: website_user_uuid=11111111-1111-4111-8111-111111111111";
    socket.write(request("GET /linked-player", cookie) + request("GET /chat", ...headers));
    let got = "";
    socket.on("data", chunk => {
      got += chunk;
    });
    await closed;
    expect(got).not.toMatch(/HTTP\/1\.1 (101|426)/);
    expect((await ask(bridge.base, "/healthz")).status).toBe(200);
  });
});

describe("a request whose address the router cannot read", () => {
  it.each(["http://[/x", "http://[/status", "http://a]b/"])("is refused as any other: %s", async address => {
    const socket = await open();
    socket.write(request(`GET ${address}`));
    const got = await readUntil(socket, "}");
    expect(got).toContain("HTTP/1.1 400 Bad Request");
    expect(got).toContain("X-Content-Type-Options: nosniff");
    expect(got.split("\r\n\r\n")[1]).toBe('{"error":"bad_request"}');
  });

  it("does not get around the origin check or the rate of its address", async () => {
    const socket = await open();
    socket.write(request("GET http://[/x", "Origin: https://evil.example"));
    expect(await readUntil(socket, "}")).toContain("origin_not_allowed");
    const small = await startTestSidecar({ yaml: "modules: {api: {limits: {requests-per-minute: 1}}}" });
    const other = await open(small.sidecar.publicAddress.port);
    other.write(request("GET http://[/x").repeat(2));
    expect(await readUntil(other, "rate_limited")).toContain("bad_request");
    await small.stop();
  });

  it("is refused on the bridge listener, without the token and with it", async () => {
    const socket = await open(bridge.sidecar.bridgeAddress.port);
    socket.write(request("GET http://[/x") + request("GET http://[/x", `Authorization: ${TOKEN}`));
    expect(await readUntil(socket, "not_found")).toContain("unauthorized");
  });
});

describe("CONNECT", () => {
  it("is answered with 405 on both listeners, which are no proxies", async () => {
    for (const { port } of [bridge.sidecar.publicAddress, bridge.sidecar.bridgeAddress]) {
      const socket = await open(port);
      socket.write(request("CONNECT example.com:80"));
      const got = await readUntil(socket, "}");
      expect(got).toContain("HTTP/1.1 405 Method Not Allowed");
      expect(got).toContain("Allow: GET, HEAD, POST, OPTIONS");
      expect(got).toContain('{"error":"method_not_allowed"}');
    }
  });

  it("behind a request without an answer ends the connection: it would be taken for that answer", async () => {
    const socket = await open();
    const unlink = request("POST /unlink-player", `Cookie: website_user_uuid=${randomUUID()}`);
    socket.write(unlink + request("CONNECT example.com:80"));
    expect(await text(socket)).not.toContain("HTTP/1.1 405 ");
  });
});

describe("a stranger who is refused over and over", () => {
  it("cannot fill the log", async () => {
    for (let i = 0; i < 100; i++) {
      await ask(bridge.base, "/healthz", { headers: { Origin: `https://${"x".repeat(2000)}` } });
      await fetch(`${bridge.bridge}/bridge/poll`, { method: "POST", body: "{}" });
      await ask(bridge.base, "/whitelist", { headers: { "X-Service-Api-Key": "wrong" } });
    }
    expect(bridge.log.of("warn").length).toBeLessThanOrEqual(60);
    expect(bridge.log.text.length).toBeLessThan(20_000);
    bridge.clock.advance(60_000);
    await fetch(`${bridge.bridge}/bridge/poll`, { method: "POST", body: "{}" });
    expect(bridge.log.lines.at(-1)?.fields).toMatchObject({ leftOut: 80 });
  });

  it("cannot fill it by upgrades either, nor write what a terminal would obey", async () => {
    for (let i = 0; i < 40; i++) {
      const socket = await open();
      socket.write(Buffer.from(request("GET /chat", ...UPGRADE, "Origin: \x9b31m"), "latin1"));
      await readUntil(socket, "origin_not_allowed");
      socket.destroy();
    }
    expect(bridge.log.of("warn")).toHaveLength(20);
    expect(bridge.log.of("warn")[0]?.fields).toMatchObject({ origin: "?31m" });
  });
});

describe("what limits are counted by", () => {
  it("is an IPv4 address, a network of IPv6, and no long text whatever a proxy passes on", () => {
    expect(addressKey("::ffff:192.0.2.1")).toBe("192.0.2.1");
    expect(addressKey("2001:db8::1")).toBe(addressKey("2001:db8::2"));
    expect(addressKey("x".repeat(14_000))).toBe("unknown");
    expect(addressKey("§4x\x9b31m")).toBe("unknown");
    expect(addressKey("192.0.2.1:4711")).toBe("192.0.2.1");
    expect(addressKey("[2001:db8::1]:4711")).toBe(addressKey("2001:db8::1"));
  });
});

describe("a message in pieces", () => {
  it("is put together, and refused when the pieces are very many", async () => {
    const socket = await ChatSocket.open(bridge.base);
    const text = '{"type":"PING"}';
    for (const char of text) socket.ws.send(char, { fin: false });
    socket.ws.send("");
    expect(await socket.next()).toEqual({ type: "PONG", content: "heartbeat pong" });
    for (let i = 0; i < 2_000; i++) socket.ws.send("x", { fin: false });
    expect(await socket.closed).toBe(1008);
  });
});

describe("a page of a listed origin", () => {
  it("may read that it is over the rate", async () => {
    const small = await startTestSidecar({
      yaml: "modules: {api: {limits: {requests-per-minute: 1}}}",
      env: { WEB_BRIDGE_MODULES_API_CORS_ORIGINS: SITE },
    });
    const headers = { Origin: SITE };
    await ask(small.base, "/initialize", { headers });
    const over = await ask(small.base, "/initialize", { headers });
    expect([over.status, over.headers.get("access-control-allow-origin")]).toEqual([429, SITE]);
    expect(over.headers.get("access-control-expose-headers")).toContain("Retry-After");
    await small.stop();
  });
});

describe("a fault of the service in dealing with one connection", () => {
  /** A clock that fails once when it is told to, as anything that a listener calls might. */
  class FaultyClock extends ManualClock {
    fails = false;
    override get monotonic(): () => number {
      if (!this.fails) return super.monotonic;
      this.fails = false;
      throw new Error("planted");
    }
  }

  it("ends that connection, is logged, and leaves the others alone", async () => {
    const clock = new FaultyClock();
    const faulty = await startTestSidecar({ clock });
    const [speaker, listener] = [await ChatSocket.open(faulty.base), await ChatSocket.open(faulty.base)];
    clock.fails = true;
    speaker.ws.send('{"type":"PING"}');
    expect(await speaker.closed).toBe(1006);
    clock.fails = true;
    expect(await new ChatSocket(faulty.base).closed).toBe(1006);
    expect(await listener.settled()).toEqual([]);
    expect((await ask(faulty.base, "/healthz")).status).toBe(200);
    const faults = faulty.log.lines.filter(({ message }) => message === "a fault ended a connection");
    expect(faults).toHaveLength(2);
    await faulty.stop();
  });
});

describe("an expectation", () => {
  it("to be asked on puts nothing into the answer of a request that waits for another", async () => {
    const socket = await open();
    socket.write(request("GET /healthz") + request("GET /healthz", "Expect: 100-continue"));
    const [first, second = "", ...more] = (await text(socket)).split(/(?=HTTP\/1\.1 )/);
    expect(first).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n{"status":"ok"}$/s);
    expect(second).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n{"status":"ok"}$/s);
    // Whether a body follows nobody knows.
    expect(second).toContain("Connection: close");
    expect(more).toEqual([]);
  });

  it("of something unknown is passed over", async () => {
    const socket = await open();
    socket.write(request("GET /healthz", "Expect: the-unexpected"));
    expect(await readUntil(socket, "}")).toContain("HTTP/1.1 200 ");
  });
});
