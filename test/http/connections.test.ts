import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { connectionsFor } from "../../sidecar/process/descriptors.ts";
import { ChatSocket, refusedUpgrade } from "../helpers/chat-socket.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { eventually } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// Own connections: has to see how each connection ends.

let side: TestSidecar;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await side.stop();
});

const begin = async (limits: string, more = ""): Promise<void> => {
  side = await startTestSidecar({ yaml: `modules: {api: {limits: {${limits}}${more}}}` });
};

// Without `once` of Node, which an error would end.
const closed = (socket: Socket): Promise<void> =>
  socket.closed ? Promise.resolve() : new Promise(resolve => socket.once("close", () => resolve()));

async function open({ port } = side.sidecar.publicAddress): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  sockets.push(socket);
  socket.on("error", () => undefined);
  await Promise.race([new Promise(resolve => socket.once("connect", resolve)), closed(socket)]);
  return socket;
}

/** All that comes back on a new connection for one request. */
async function answer(path: string, head = "Host: localhost"): Promise<string> {
  const socket = await open();
  let text = "";
  socket.on("data", chunk => {
    text += chunk;
  });
  socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
  await closed(socket);
  return text;
}

describe("connections past the limit", () => {
  it("are refused, while the health check and the bridge go on", async () => {
    await begin("connections: 5");
    for (let i = 0; i < 5; i++) await open();
    const refused = await answer("/status");
    expect(refused).toContain("HTTP/1.1 503 ");
    expect(refused).toMatch(/Retry-After: \d+\r\n/);
    expect(refused).toContain('{"error":"too_many_connections"}');
    expect(await answer("/healthz")).toContain("HTTP/1.1 200 ");
    await new FakePack(side.bridge).connect();
    for (const socket of sockets.splice(0, 2)) socket.destroy();
    await eventually(async () => expect(await answer("/initialize")).toContain("HTTP/1.1 200 "));
  });

  it("are refused to WebSockets too, and count against no rate", async () => {
    await begin("connections: 3, requests-per-minute: 4");
    for (let i = 0; i < 3; i++) await open();
    for (let i = 0; i < 8; i++)
      expect(await refusedUpgrade(`${side.base}/chat`)).toMatchObject({
        status: 503,
        headers: { "retry-after": expect.stringMatching(/^\d+$/) },
        body: '{"error":"too_many_connections"}',
      });
    for (const socket of sockets.splice(0)) socket.destroy();
    await eventually(async () => expect(await answer("/initialize")).toContain("HTTP/1.1 200 "));
    await ChatSocket.open(side.base);
  });

  it.each([
    [
      "a page of another origin",
      "Host: localhost\r\nOrigin: https://evil.example",
      "403",
      "origin_not_allowed",
    ],
    ["another name", "Host: evil.example", "421", "host_not_allowed"],
  ])("answer the health check to nobody of %s", async (_who, head, status, error) => {
    await begin("connections: 1");
    await open();
    const refused = await answer("/healthz", head);
    expect(refused).toContain(`HTTP/1.1 ${status} `);
    expect(refused).toContain(`{"error":"${error}"}`);
  });

  it("give way to later ones when they say nothing", async () => {
    await begin("connections: 5");
    for (let i = 0; i < 5; i++) await open();
    const first = await open();
    for (let i = 0; i < 32; i++) await open();
    await closed(first);
    expect(await answer("/healthz")).toContain("HTTP/1.1 200 ");
  });
});

describe("connections of one address past its limit", () => {
  it("are reset, until others of it have ended", async () => {
    await begin("connections-per-address: 3");
    for (let i = 0; i < 3; i++) await open();
    expect(await answer("/healthz")).toBe("");
    sockets[0]?.destroy();
    await eventually(async () => expect(await answer("/healthz")).toContain("HTTP/1.1 200 "));
  });

  it("are taken from a proxy that is believed", async () => {
    await begin("connections-per-address: 3", ", trust-proxy: loopback");
    for (let i = 0; i < 10; i++) await open();
    expect(await answer("/healthz")).toContain("HTTP/1.1 200 ");
  });
});

it("leaves descriptors for what else the process needs", async () => {
  await begin("connections: 5");
  expect(connectionsFor("Max open files            1024                 4096                 files")).toBe(
    804,
  );
  expect(connectionsFor("Max open files            64                   64                   files")).toBe(1);
  expect(connectionsFor("nothing of that kind")).toBeUndefined();
});

describe("connections to the bridge listener", () => {
  it("that show no token go for later ones past 32 and 32 more, and the pack's stay", async () => {
    await begin("connections: 5");
    const { bridgeAddress } = side.sidecar;
    const idle = await Promise.all(Array.from({ length: 64 }, () => open(bridgeAddress)));
    const pack = new FakePack(side.bridge);
    await pack.connect();
    await closed(idle[32] as Socket);
    const polled = pack.take();
    await eventually(async () => expect((await pack.snapshot("Steve")).status).toBe(200));
    const later = await Promise.all(Array.from({ length: 200 }, () => open(bridgeAddress)));
    await Promise.all([...idle.slice(33), ...later.slice(0, 160)].map(closed));
    expect(idle.slice(0, 32).filter(({ closed }) => closed)).toEqual([]);
    side.clock.advance(20_000);
    expect(await polled).toEqual([]);
    expect(side.log.text).toContain("those that show no token go for later ones");
  });
});
