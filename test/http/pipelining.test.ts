import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { MAX_UNDER_WAY } from "../../sidecar/domain/crowds.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { eventually } from "../helpers/runner.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// Own connections: sends requests without waiting for answers; the same ones are checked when they are asked for properly.

let side: TestSidecar;
beforeEach(async () => {
  side = await startTestSidecar({ yaml: "modules: {api: {limits: {requests-per-minute: 100}}}" });
  const pack = new FakePack(side.bridge);
  await pack.connect();
  await pack.snapshot("Steve");
});
afterEach(() => side.stop());

/** Sends so many requests at once and returns the statuses that come back until the connection ends. */
async function statuses(
  path: string,
  count: number,
  last = "",
  each = "",
): Promise<{ got: string[]; text: string }> {
  const socket = connect({ port: side.sidecar.publicAddress.port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  let text = "";
  socket.on("data", chunk => {
    text += chunk;
  });
  const ask = (more: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${each}${more}\r\n`;
  socket.write(ask("").repeat(count - 1) + ask(last));
  await once(socket, "close");
  return { got: [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? ""), text };
}

const CLOSE = "Connection: close\r\n";

/** Asks on a new connection, which waits until the second is over. */
async function askWhileBarred(path: string): Promise<{ got: string[] }> {
  const answer = statuses(path, 1, CLOSE);
  await eventually(() => expect(side.sidecar.connections().publicConnections).toBe(1));
  side.clock.advance(1_000);
  return answer;
}

describe("a client that sends requests ahead", () => {
  it.each(["/status", "/healthz", "/linked-player"])(
    "has each of a few answered in order: %s",
    async path => {
      const { got } = await statuses(path, MAX_UNDER_WAY, CLOSE);
      expect(got).toEqual(Array(MAX_UNDER_WAY).fill(path === "/linked-player" ? "401" : "200"));
    },
  );

  it.each(["/status", "/healthz"])("is refused after very many, and barred for a second: %s", async path => {
    const { got, text } = await statuses(path, 500);
    expect(got).toEqual([...Array(MAX_UNDER_WAY).fill("200"), "429"]);
    expect(text.slice(text.lastIndexOf("HTTP/1.1"))).toMatch(/Connection: close\r\n/);
    expect((await askWhileBarred("/status")).got).toEqual(["200"]);
  });
});

describe("a believed proxy", () => {
  it("has its connections let in, though it is told to be barred itself", async () => {
    const behind = await startTestSidecar({ yaml: "modules: {api: {trust-proxy: loopback}}" });
    const own = side;
    side = behind;
    const { got } = await statuses("/healthz", 500, "", "X-Forwarded-For: 127.0.0.1\r\n");
    expect(got.at(-1)).toBe("429");
    const other = await statuses("/healthz", 1, CLOSE, "X-Forwarded-For: 203.0.113.7\r\n");
    expect(other.got).toEqual(["200"]);
    side = own;
    await behind.stop();
  });
});

describe("an address that sends ahead on many connections at the same moment", () => {
  it("is refused past some hundreds, for a second, though it is within its rate", async () => {
    await side.stop();
    side = await startTestSidecar();
    const ask = (more = ""): string => `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
    let text = "";
    const add = (more: string): void => {
      text += more;
    };
    const sockets = Array.from({ length: 60 }, () =>
      connect({ port: side.sidecar.publicAddress.port, host: "127.0.0.1" }).setEncoding("latin1"),
    );
    for (const socket of sockets) socket.write(ask());
    // All of them are taken.
    await Promise.all(sockets.map(socket => once(socket, "data")));
    for (const socket of sockets) socket.on("data", add).write(ask().repeat(29) + ask(CLOSE));
    await Promise.all(sockets.map(socket => once(socket, "close")));
    expect(text).toContain("HTTP/1.1 429");
    expect(text.split("HTTP/1.1 200").length - 1).toBeLessThanOrEqual(2 * 256);
    expect((await askWhileBarred("/healthz")).got).toEqual(["200"]);
  });

  it("is refused by turns, so that whoever asks behind all of them is answered first", async () => {
    const { port } = side.sidecar.publicAddress;
    const open = (localAddress: string): Socket =>
      connect({ port, host: "127.0.0.1", localAddress }).setEncoding("latin1");
    const ask = "GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const crowd = Array.from({ length: 800 }, () => open("127.0.0.2"));
    const visitor = open("127.0.0.1");
    let refused = 0;
    const all = [...crowd, visitor];
    for (const socket of all) socket.write(ask);
    await Promise.all(all.map(socket => once(socket, "data")));
    for (const socket of crowd) {
      socket.on("data", text => {
        if (String(text).startsWith("HTTP/1.1 429 ")) refused++;
      });
      socket.write(ask);
    }
    visitor.write(ask);
    expect((await once(visitor, "data"))[0]).toMatch(/^HTTP\/1.1 200 /);
    expect(refused).toBeLessThan(100);
    await eventually(() => expect(refused).toBeGreaterThan(200));
    for (const socket of all) socket.destroy();
  });

  it.each(["websocket", "h2c"])("is refused upgrades to %s as well", async protocol => {
    await side.stop();
    side = await startTestSidecar();
    const { port } = side.sidecar.publicAddress;
    const sockets = Array.from({ length: 600 }, () => connect({ port, host: "127.0.0.1" }));
    let text = "";
    const asked = (line: string, more: string): string =>
      `GET ${line} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
    for (const socket of sockets) socket.on("error", () => undefined).write(asked("/status", ""));
    await Promise.all(sockets.map(socket => once(socket, "data")));
    const offer = asked("/nowhere", `Connection: Upgrade\r\nUpgrade: ${protocol}\r\n`);
    for (const socket of sockets) socket.on("data", bytes => (text += bytes)).write(offer);
    await eventually(() => expect(text.split("HTTP/1.1 ").length - 1).toBe(600));
    const statusesOf = (status: number): number => text.split(`HTTP/1.1 ${status}`).length - 1;
    expect(statusesOf(429)).toBeGreaterThanOrEqual(600 - 2 * 256);
    for (const socket of sockets) socket.destroy();
  });
});

describe("an address over its rate", () => {
  it("gets one 429 on each connection, which ends it whatever was sent behind", async () => {
    for (let i = 0; i < 5; i++) await statuses("/healthz", 20, CLOSE);
    const { got, text } = await statuses("/healthz", 20);
    expect(got).toEqual(["429"]);
    expect(text).toMatch(/Connection: close\r\n/);
    expect(text).toMatch(/Retry-After: \d+\r\n/);
    // Prepared answers do not count.
    expect((await statuses("/status", 1, CLOSE)).got).toEqual(["200"]);
  });
});
