import { describe, expect, it } from "@jest/globals";
import { refusedUpgrade } from "../../../../test/helpers/chat-socket.ts";
import { eventually } from "../../../../test/helpers/eventually.ts";
import { serving, type Wire } from "../../../../test/helpers/serving.ts";
import { connectionsFor } from "../../../platform/descriptors.ts";

const side = serving();
let wires: Wire[] = [];

/** Opens this many idle connections. */
async function open(count: number, port = side.port): Promise<Wire[]> {
  const opened = Array.from({ length: count }, () => side.wire("", port));
  await Promise.all(opened.map(wire => wire.connected()));
  wires.push(...opened);
  return opened;
}
async function begin(limits: string, openAlready: number, more = ""): Promise<void> {
  wires = [];
  await side.api(`limits: {${limits}}${more}`);
  await open(openAlready);
}
const destroy = (...some: Wire[]): void => {
  for (const { socket } of some) socket.destroy();
};

/** The complete response to one request on a new connection. */
const answer = (path: string, head = "Host: localhost"): Promise<string> =>
  side.wire(`GET ${path} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`).ended();
const isAnswered = (path: string): Promise<void> =>
  eventually(async () => expect(await answer(path)).toContain("HTTP/1.1 200 "));

describe("connections over the limit", () => {
  it("are rejected, while the health check and the bridge work", async () => {
    await begin("connections: 5", 5);
    const refused = await answer("/status");
    expect(refused).toContain("HTTP/1.1 503 ");
    expect(refused).toMatch(/Retry-After: \d+\r\n/);
    expect(refused).toContain('{"error":"too_many_connections",');
    expect(await answer("/healthz")).toContain("HTTP/1.1 200 ");
    await side.pack.connect();
    destroy(...wires.slice(0, 2));
    await isAnswered("/initialize");
  });

  it("are rejected for WebSockets too, and count against no rate", async () => {
    await begin("connections: 3, requests-per-minute: 4", 3);
    for (let i = 0; i < 8; i++)
      expect(await refusedUpgrade(`${side.base}/chat`)).toMatchObject({
        status: 503,
        headers: { "retry-after": expect.stringMatching(/^\d+$/) },
        body: expect.stringMatching(/^{"error":"too_many_connections",/),
      });
    destroy(...wires);
    await isAnswered("/initialize");
    await side.socket();
  });

  it("are closed in favour of later ones if they are idle", async () => {
    await begin("connections: 5", 5);
    const [first] = await open(1);
    await open(32);
    await first?.ended();
    expect(await answer("/healthz")).toContain("HTTP/1.1 200 ");
  });
});

describe("connections of one address over its limit", () => {
  it("are reset, until others of it are closed", async () => {
    await begin("connections-per-address: 3", 3);
    expect(await answer("/healthz")).toBe("");
    destroy(...wires.slice(0, 1));
    await isAnswered("/healthz");
  });

  it("are accepted from a trusted proxy", async () => {
    await begin("connections-per-address: 3", 10, ", trust-proxy: loopback");
    expect(await answer("/healthz")).toContain("HTTP/1.1 200 ");
  });
});

it.each([
  ["Max open files            1024                 4096                 files", 804],
  ["Max open files            64                   64                   files", 1],
  ["nothing of that kind", undefined],
])("leaves descriptors for the other needs of the process: %s", (limits, connections) => {
  expect(connectionsFor(limits)).toBe(connections);
});

describe("connections to the bridge listener", () => {
  it("without a token are closed in favour of later ones beyond 32 and 32 more, and the pack's stay open", async () => {
    await begin("connections: 5", 0);
    const { port } = side.sidecar.bridgeAddress;
    const idle = await open(64, port);
    await side.pack.connect();
    await idle[32]?.ended();
    const polled = side.pack.take();
    await eventually(async () => expect((await side.pack.snapshot("Steve")).status).toBe(200));
    const later = await open(200, port);
    await Promise.all([...idle.slice(33), ...later.slice(0, 160)].map(wire => wire.ended()));
    expect(idle.slice(0, 32).filter(({ socket }) => socket.closed)).toEqual([]);
    side.clock.advance(20_000);
    expect(await polled).toEqual([]);
    expect(side.log.text).toContain("closing the oldest unauthenticated connections");
  });
});
