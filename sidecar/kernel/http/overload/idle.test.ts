import type { Socket } from "node:net";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../../test/helpers/eventually.ts";
import { serving } from "../../../../test/helpers/serving.ts";
import { TOKEN } from "../../../../test/helpers/sidecar.ts";
import { CLIENT_TIMEOUTS } from "./server.ts";

const TIMEOUTS = { ...CLIENT_TIMEOUTS, connectionsCheckingInterval: 20, keepAliveTimeout: 200 };

const side = serving();
beforeEach(() => side.start({ timeouts: TIMEOUTS }, ["Steve"]));

const publicPort = (): number => side.port;
const bridgePort = (): number => side.sidecar.bridgeAddress.port;

interface Talk {
  socket: Socket;
  received(): string;
  /** Sends a request, and resolves with the response up to this text. */
  ask(head: string, until: string): Promise<string>;
}

function talk(port: number): Talk {
  const wire = side.wire("", port);
  return {
    socket: wire.socket,
    received: wire.got,
    async ask(head, until) {
      const before = wire.got().length;
      wire.write(`${head}\r\n\r\n`);
      await eventually(() => expect(wire.got().slice(before)).toContain(until));
      return wire.got().slice(before);
    },
  };
}

const get = (path: string, ...more: string[]): string =>
  [`GET ${path} HTTP/1.1`, "Host: localhost", ...more].join("\r\n");
const HEALTHY = '{"status":"ok"}';

describe("an idle connection", () => {
  it.each([
    ["the public listener", publicPort, get("/status"), '"cpuUsage"'],
    ["the public listener, of another path", publicPort, get("/healthz"), HEALTHY],
    ["the bridge listener", bridgePort, get("/bridge/status", `Authorization: ${TOKEN}`), '"startedAt"'],
  ])("is closed by %s", async (_name, port, head, until) => {
    const { ask, socket } = talk(port());
    expect(await ask(head, until)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    await eventually(() => expect(socket.closed).toBe(true));
  });
});

describe("a busy connection", () => {
  it("stays open in any state, while a later idle one is closed", async () => {
    const asking = talk(publicPort());
    const stream = talk(publicPort());
    const chat = talk(publicPort());
    await Promise.all([asking, stream, chat].map(({ ask }) => ask(get("/status"), '"cpuUsage"')));
    await stream.ask(get("/events"), "text/event-stream");
    const key = ["Sec-WebSocket-Version: 13", `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`];
    await chat.ask(get("/chat", "Connection: Upgrade", "Upgrade: websocket", ...key), "VERIFICATION");
    const idle = talk(publicPort());
    await idle.ask(get("/status"), '"cpuUsage"');
    while (!idle.socket.closed) await asking.ask(get("/healthz"), HEALTHY);
    expect([asking, stream, chat].map(({ socket }) => socket.readyState)).toEqual(["open", "open", "open"]);
  });
});

describe("an answer", () => {
  beforeEach(() => side.start({}, ["Steve"]));

  const KEEP_ALIVE = /^HTTP\/1\.1 \d+ .*\r\nConnection: keep-alive\r\n.*$/s;
  it.each([
    ["a prepared one", publicPort, get("/status")],
    ["a prepared one for a page of a listed origin", publicPort, get("/status", "Origin: http://localhost")],
    ["one that is known already", publicPort, get("/status", "If-None-Match: *")],
    ["one of the framework", publicPort, get("/healthz")],
    ["an error", publicPort, get("/nowhere")],
    ["one of the bridge listener", bridgePort, get("/bridge/status", `Authorization: ${TOKEN}`)],
  ])("says once how long its connection stays open: %s", async (_name, port, head) => {
    const answer = await talk(port()).ask(head, "\r\n\r\n");
    expect(answer).toMatch(KEEP_ALIVE);
    expect(answer.match(/^Keep-Alive: .*$/gim)).toEqual(["Keep-Alive: timeout=65"]);
  });

  it.each([
    ["asked for as the last", publicPort, get("/status", "Connection: close")],
    ["of the framework, asked for as the last", publicPort, get("/healthz", "Connection: close")],
    ["asked for with HTTP/1.0", publicPort, "GET /status HTTP/1.0\r\nHost: localhost"],
    [
      "without a length, requested with HTTP/1.0",
      publicPort,
      "GET /status HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\nIf-None-Match: *",
    ],
    ["about a WebSocket, asked for as the last", publicPort, get("/chat", "Connection: close")],
    ["about a WebSocket, asked for with HTTP/1.0", publicPort, "GET /chat HTTP/1.0\r\nHost: localhost"],
    ["about the head of a stream", publicPort, get("/events").replace("GET", "HEAD")],
    ["of the bridge listener", bridgePort, get("/bridge/status", "Connection: close")],
  ])("does not say so if the connection closes afterwards: %s", async (_name, port, head) => {
    const { ask, received, socket } = talk(port());
    await ask(head, "\r\n\r\n");
    await eventually(() => expect(socket.closed).toBe(true));
    expect(received()).toMatch(/\r\nConnection: (Upgrade, )?close\r\n/);
    expect(received()).not.toMatch(/^Keep-Alive:/im);
  });

  it("does not say so if the request is for a WebSocket", async () => {
    const answer = await talk(publicPort()).ask(get("/chat"), "\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 426 .*\r\nConnection: Upgrade\r\n/is);
    expect(answer).not.toMatch(/^Keep-Alive:/im);
  });
});
