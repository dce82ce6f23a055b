import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { WebSocketServer } from "ws";
import type { ReceivedResponse } from "../../lab/reference/contract.ts";
import { failOnBreaches, takeBreaches } from "../helpers/breaches.ts";
import { ChatSocket, refusedUpgrade } from "../helpers/chat-socket.ts";
import { ask, checkedFetch } from "../helpers/client.ts";
import { contractOf } from "../helpers/contract.ts";
import { startTestSidecar } from "../helpers/sidecar.ts";

// Own connections: is a service that breaks its description.

const contract = contractOf("http://127.0.0.1:1");
const JSON_TYPE = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Request-Id": "one",
};
const HEALTHY = { status: 200, headers: JSON_TYPE as Record<string, string>, text: '{"status":"ok"}' };

/** The error of the contract for a response that differs from a valid one of `GET /healthz` in these. */
function objection(
  more: Partial<Omit<ReceivedResponse, "header">> & { headers?: Record<string, string> },
): string | undefined {
  const { headers, ...rest } = { ...HEALTHY, method: "GET", path: "/healthz", ...more };
  const found = new Headers(headers);
  try {
    contract.answer({ ...rest, header: name => found.get(name) });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("the check of responses", () => {
  it("accepts messages that match the description", () => {
    expect(objection({})).toBeUndefined();
    expect(objection({ method: "HEAD", text: "" })).toBeUndefined();
  });

  it.each<[string, Parameters<typeof objection>[0], string]>([
    ["a status", { status: 201 }, "is not described"],
    ["a property", { text: '{"status":"ok","more":1}' }, "must NOT have additional properties"],
    ["a body of another type", { headers: { ...JSON_TYPE, "Content-Type": "text/html" } }, "got text/html"],
    ["a header", { headers: { ...JSON_TYPE, "Retry-After": "5" } }, "is described without Retry-After"],
    ["a body of a HEAD", { method: "HEAD" }, "is described without a body"],
    ["a path", { path: "/news" }, "is not described"],
    [
      "an error code with all its headers",
      { status: 429, text: '{"error":"tired"}', headers: { ...JSON_TYPE, "Retry-After": "5" } },
      "must be equal to one of the allowed values",
    ],
    [
      "a time that does not exist",
      {
        status: 429,
        text: '{"error":"rate_limited","message":"Wait."}',
        headers: { ...JSON_TYPE, "Retry-After": "soon" },
      },
      "Retry-After",
    ],
    ["a private path that answers an error", { path: "/", status: 500 }, "is not described"],
  ])("finds %s that is not described", (_what, more, message) => {
    expect(objection(more)).toContain(message);
  });
});

describe("the check of streams", () => {
  it.each([
    ["event: gap\ndata: {}", "has no id"],
    ['id: 1-1\nevent: gap\ndata: {"more":1}', "must NOT have additional properties"],
    ["id: 1-1\nevent: news\ndata: {}", "is not described"],
    ['id: 1-1\nevent: server\ndata: {"at":1,"state":"gone"}', "must be equal to one of the allowed values"],
    ["news", "may not hold the line"],
    ["retry: soon", "retry"],
  ])("finds %j", (block, message) => {
    expect(() => contract.streamed("/events", block)).toThrow(message);
  });
});

describe("the check of messages", () => {
  it.each([
    '{"type":"CHAT","content":1}',
    '{"type":"CHAT","content":"x","more":1}',
    '{"type":"NEWS","content":"x"}',
    '{"type":"EXCEPTION","content":"tired"}',
    "{",
  ])("finds a message that the service may not send: %s", text => {
    expect(() => contract.fromService(text)).toThrow("may not send");
  });

  it("uses the length limit of the service's configuration", async () => {
    const side = await startTestSidecar({ yaml: "modules: {api: {limits: {message-length: 20}}}" });
    const say = (length: number): string => JSON.stringify({ type: "CHAT", content: "x".repeat(length) });
    const lengths = [20, 21].map(length => contractOf(side.base).fromClient(say(length)));
    await side.stop();
    expect(lengths).toEqual([true, false]);
    expect(contractOf(side.base).fromClient(say(512))).toBe(true);
  });
});

describe("a service that breaks its description", () => {
  let server: Server;
  let chat: WebSocketServer;
  let base: string;
  beforeAll(async () => {
    server = createServer((_req, res) => res.writeHead(200, JSON_TYPE).end('{"status":"fine"}'));
    chat = new WebSocketServer({ server, path: "/chat" });
    chat.on("connection", socket => socket.send('{"type":"NEWS","content":"x"}'));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const client of chat.clients) client.terminate();
    server.close();
  });

  it("fails the call of a test", async () => {
    await expect(ask(base, "/healthz")).rejects.toThrow("GET /healthz: 200");
  });

  // The errors with which a test fails after its end.
  it("fails a test that reads the response elsewhere", async () => {
    await checkedFetch(`${base}/healthz`);
    expect(failOnBreaches).toThrow("GET /healthz: 200");
  });

  it("fails a test with a chat socket", async () => {
    const socket = await ChatSocket.open(base);
    await socket.close();
    expect(failOnBreaches).toThrow("may not send");
  });

  it("fails a test whose upgrade is rejected in another way", async () => {
    await refusedUpgrade(`${base}/other`);
    expect(failOnBreaches).toThrow("/other");
  });

  it("is found when it accepts messages that clients may not send", async () => {
    chat.on("connection", socket =>
      socket.on("message", () => socket.send('{"type":"PONG","content":"heartbeat pong"}')),
    );
    const socket = await ChatSocket.open(base);
    takeBreaches();
    socket.send({ type: "VERIFICATION", content: "me" });
    await expect(socket.settled()).rejects.toThrow("it was not refused");
    await socket.close();
  });
});
