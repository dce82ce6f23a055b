import { beforeEach, describe, expect, it } from "@jest/globals";
import { MAX_UNDER_WAY } from "../../sidecar/domain/crowds.ts";
import { eventually } from "../helpers/runner.ts";
import { bytesOf, serving, type Wire } from "../helpers/serving.ts";

const side = serving();
beforeEach(() => side.limits("requests-per-minute: 100", ["Steve"]));

const CLOSE = "Connection: close";

/** So many requests at once; without `last` all of them are alike. */
const ahead = (path: string, count: number, last = CLOSE, ...each: string[]): string =>
  bytesOf(`GET ${path}`, ...each).repeat(count - 1) +
  bytesOf(`GET ${path}`, ...each, ...(last ? [last] : []));
/** The statuses that come back until the connection ends, and all that came. */
async function statuses(...asked: Parameters<typeof ahead>): Promise<{ got: string[]; text: string }> {
  const wire = side.wire(ahead(...asked));
  const text = await wire.ended();
  return { got: wire.statuses(), text };
}

/** Asks on a new connection, which waits until the second is over. */
async function askWhileBarred(path: string): Promise<string[]> {
  const answer = statuses(path, 1);
  await eventually(() => expect(side.sidecar.connections().publicConnections).toBe(1));
  side.clock.advance(1_000);
  return (await answer).got;
}

/** So many connections on each of which a request has been answered: all of them are taken. */
async function crowd(count: number, path: string, localAddress?: string): Promise<Wire[]> {
  const wires = Array.from({ length: count }, () =>
    side.wire(bytesOf(`GET ${path}`), side.port, localAddress),
  );
  await Promise.all(wires.map(wire => wire.until("HTTP/1.1 ")));
  return wires;
}
/** How often one of them was answered so. */
const answered = (wires: Wire[], status: string): number =>
  wires.flatMap(wire => wire.statuses()).filter(each => each === status).length;

describe("a client that sends requests ahead", () => {
  it.each([
    ["/status", "200"],
    ["/healthz", "200"],
    ["/linked-player", "401"],
  ])("has each of a few answered in order: %s", async (path, status) => {
    expect((await statuses(path, MAX_UNDER_WAY)).got).toEqual(Array(MAX_UNDER_WAY).fill(status));
  });

  it.each(["/status", "/healthz"])("is refused after very many, and barred for a second: %s", async path => {
    const { got, text } = await statuses(path, 500, "");
    expect(got).toEqual([...Array(MAX_UNDER_WAY).fill("200"), "429"]);
    expect(text.slice(text.lastIndexOf("HTTP/1.1"))).toMatch(/Connection: close\r\n/);
    expect(await askWhileBarred("/status")).toEqual(["200"]);
  });

  it("has its connections let in where it is a believed proxy, though it is told to be barred itself", async () => {
    await side.api("trust-proxy: loopback");
    const { got } = await statuses("/healthz", 500, "", "X-Forwarded-For: 127.0.0.1");
    expect(got.at(-1)).toBe("429");
    expect((await statuses("/healthz", 1, CLOSE, "X-Forwarded-For: 203.0.113.7")).got).toEqual(["200"]);
  });
});

describe("an address that sends ahead on many connections at the same moment", () => {
  it("is refused past some hundreds, for a second, though it is within its rate", async () => {
    await side.start();
    const wires = await crowd(60, "/healthz");
    await Promise.all(wires.map(wire => wire.write(ahead("/healthz", 30)).ended()));
    expect(answered(wires, "429")).toBeGreaterThan(0);
    // One each to begin with.
    expect(answered(wires, "200") - 60).toBeLessThanOrEqual(2 * 256);
    expect(await askWhileBarred("/healthz")).toEqual(["200"]);
  });

  it("is refused by turns, so that whoever asks behind all of them is answered first", async () => {
    const ask = bytesOf("GET /status");
    const all = await crowd(800, "/status", "127.0.0.2");
    const [visitor] = await crowd(1, "/status");
    for (const wire of all) wire.write(ask);
    visitor?.write(ask);
    await new Promise(resolve => visitor?.socket.once("data", resolve));
    expect(visitor?.statuses()).toEqual(["200", "200"]);
    expect(answered(all, "429")).toBeLessThan(100);
    await eventually(() => expect(answered(all, "429")).toBeGreaterThan(200));
  });

  it.each(["websocket", "h2c"])("is refused upgrades to %s as well", async protocol => {
    await side.start();
    const wires = await crowd(600, "/status");
    const offer = bytesOf("GET /nowhere", "Connection: Upgrade", `Upgrade: ${protocol}`);
    for (const wire of wires) wire.write(offer);
    await eventually(() => expect(wires.flatMap(wire => wire.statuses())).toHaveLength(2 * 600));
    expect(answered(wires, "429")).toBeGreaterThanOrEqual(600 - 2 * 256);
  });
});

describe("an address over its rate", () => {
  it("gets one 429 on each connection, which ends it whatever was sent behind", async () => {
    for (let i = 0; i < 5; i++) await statuses("/healthz", 20);
    const { got, text } = await statuses("/healthz", 20, "");
    expect(got).toEqual(["429"]);
    expect(text).toMatch(/Connection: close\r\n/);
    expect(text).toMatch(/Retry-After: \d+\r\n/);
    // Prepared answers do not count.
    expect((await statuses("/status", 1)).got).toEqual(["200"]);
  });
});
