import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { errorBody } from "../../../../test/helpers/errors.ts";
import { eventually } from "../../../../test/helpers/eventually.ts";
import { said } from "../../../../test/helpers/fake-pack.ts";
import { bytesOf, serving } from "../../../../test/helpers/serving.ts";
import type { WebFile } from "../../../features/console/web-files.ts";
import { MAX_UNSENT } from "./rules.ts";

// Own connections: reads no responses; everything else is checked.

const side = serving();
const start = async (api: string, webFiles: WebFile[] = []): Promise<void> => {
  await side.api(api, undefined, { webFiles });
  await side.pack.connect();
};

const LIST = "/events?format=json&limit=500";
const EVENTS = 500;
/** Bytes of a list of all stored events, in characters of three bytes each. */
const LIST_BYTES = EVENTS * 3 * 500;

/** A connection on which this is sent, and nothing read. */
function get(written: string): Socket {
  const socket = connect({ port: side.port, host: "127.0.0.1" });
  side.onEnd(() => socket.destroy());
  socket.on("error", () => undefined);
  socket.write(written);
  return socket;
}

async function fill(): Promise<void> {
  const line = said("\u754c".repeat(500));
  for (let sent = 0; sent < EVENTS; sent += 25) await side.pack.report(...Array(25).fill(line));
}

describe("lists of events", () => {
  beforeEach(() => start("limits: {requests-per-minute: 600}"));

  const list = (query = "") => side.ask(`${LIST}${query}`, { headers: { "Accept-Encoding": "identity" } });

  it("charge an address for their bytes: each 16 KiB like a request", async () => {
    await fill();
    const { text } = await list();
    expect(Buffer.byteLength(text)).toBeGreaterThan(LIST_BYTES);
    const cost = 1 + Math.floor(Buffer.byteLength(text) / 16_384);
    const may = Math.floor(600 / cost) - 1;
    for (let i = 0; i < may; i++) expect((await list()).status).toBe(200);
    const over = await list();
    expect([over.status, over.json]).toEqual([429, errorBody("rate_limited")]);
    // 600 a minute are ten a second.
    expect(over.headers.get("retry-after")).toBe(`${Math.ceil((cost - 1) / 10)}`);
    // Cheaper responses are still allowed.
    expect((await list("&types=join")).status).toBe(200);
    side.clock.advance(Number(over.headers.get("retry-after")) * 1_000);
    expect((await list()).status).toBe(200);
  });
});

describe("unread responses", () => {
  beforeEach(() => start("limits: {requests-per-minute: 1000000}"));

  it("cause errors once an address has too many unread bytes, and no longer after it reads", async () => {
    await fill();
    const requests = 30;
    const ahead = bytesOf(`GET ${LIST}`).repeat(requests);
    // The system buffers some of it.
    const waiting = requests * LIST_BYTES - 10 * 1024 * 1024;
    const open: Socket[] = [];
    for (let i = 0; i * waiting < 2 * MAX_UNSENT.address; i++) open.push(get(ahead));
    await eventually(async () => expect((await side.ask("/server")).status).toBe(429));
    for (const socket of open) socket.resume();
    // An address stays over the limit for a second, too.
    await eventually(async () => {
      side.clock.advance(1_000);
      expect((await side.ask("/server")).status).toBe(200);
    });
  });
});

describe("unread responses of many addresses", () => {
  const MIB = 1024 * 1024;
  const file = (name: string, bytes: number) => ({ path: `assets/${name}.js`, content: Buffer.alloc(bytes) });
  beforeEach(() =>
    start("trust-proxy: loopback", [
      { path: "index.html", content: Buffer.from("<html>") },
      file("huge", 40 * MIB),
      file("large", 20 * MIB),
    ]),
  );

  const request = (path: string, address: string): string =>
    bytesOf(`GET ${path}`, `X-Forwarded-For: ${address}`);

  async function begun(path: string, address: string): Promise<Socket> {
    const socket = get(request(path, address));
    // The head has arrived; the rest is buffered.
    await once(socket, "readable");
    return socket;
  }

  /** Continues to read; returns whether this many bytes arrive. */
  async function isWhole(socket: Socket, bytes: number): Promise<boolean> {
    let read = 0;
    try {
      for await (const piece of socket) {
        read += (piece as Buffer).length;
        if (read > bytes) return true;
      }
    } catch {
      // A connection that was closed with unread bytes is reset.
    }
    return false;
  }

  it("disconnect the clients with most unread bytes, and everyone else is served", async () => {
    const slow = await begun("/assets/large.js", "10.0.0.1");
    const others: Socket[] = [];
    for (let i = 0; i < 6; i++) {
      others.push(await begun("/assets/huge.js", `10.0.1.${i}`));
      const headers = { "X-Forwarded-For": "10.0.0.2" };
      expect((await side.ask("/server", { headers })).status).toBe(200);
    }
    // A closed connection has sent more requests by then.
    for (const [i, other] of others.entries()) other.write(request("/assets/huge.js", `10.0.1.${i}`));
    expect(await isWhole(slow, 20 * MIB)).toBe(true);
    const whole = await Promise.all(others.map(one => isWhole(one, 40 * MIB)));
    // The system buffers some of each, which does not count.
    const mayWait = Math.ceil(MAX_UNSENT.all / (30 * MIB));
    expect(whole.filter(Boolean).length).toBeLessThanOrEqual(mayWait);
    expect(whole).toContain(true);
  });
});
