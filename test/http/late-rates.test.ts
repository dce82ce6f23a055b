import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { ask } from "../helpers/client.ts";
import { ManualClock } from "../helpers/clock.ts";
import { LateRates } from "../helpers/late-rates.ts";
import { eventually } from "../helpers/runner.ts";
import type { Options } from "../helpers/sidecar.ts";
import { Feeding, STEVE, said, short } from "./feeding.ts";

// Own connections: sends requests ahead and leaves; the same answers are checked when they are asked for properly.

// The rates of addresses are counted elsewhere, and the answers come later than the requests.

const SESSION = "11111111-1111-4111-8111-111111111111";
const COOKIE = `website_user_uuid=${SESSION}`;

const side = new Feeding();
const sockets: Socket[] = [];
let rates: LateRates;
afterEach(async () => {
  rates.letAllGo();
  for (const socket of sockets.splice(0)) socket.destroy();
  await side.end();
});

async function start(options: Options = {}): Promise<void> {
  const clock = new ManualClock();
  rates = new LateRates(clock);
  await side.start({ ...options, clock, rates });
  await side.pack.snapshot("Steve");
}

/** Steve is linked to the session. */
async function link(): Promise<void> {
  const asked = ask(side.bridge.base, "/link-player", { cookie: COOKIE, body: { username: "Steve" } });
  const { id } = await side.pack.carryOut("done", { player: STEVE });
  expect((await asked).status).toBe(202);
  await side.pack.report({ is: "answered", request: id, accepted: true });
}
const linkStatus = async (): Promise<unknown> => {
  const { json } = await ask(side.bridge.base, "/linked-player", { cookie: COOKIE });
  return (json as { status: string }).status;
};

const request = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, "Host: localhost", `Cookie: ${COOKIE}`, ...headers, "", ""].join("\r\n");
const UNLINK = request("POST /unlink-player");
const LINKED = request("GET /linked-player");
const STREAM = request("GET /events");
const UPGRADE = request(
  "GET /chat",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
);

/** A connection, and everything that came on it. */
async function raw(written: string): Promise<{ socket: Socket; got(): string; statuses(): string[] }> {
  const socket = connect({ port: side.bridge.sidecar.publicAddress.port, host: "127.0.0.1" });
  sockets.push(socket);
  socket.on("error", () => undefined);
  let text = "";
  socket.on("data", chunk => {
    text += chunk;
  });
  await once(socket, "connect");
  socket.write(written);
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? "");
  return { socket, got: () => text, statuses };
}

/** Clients leave, and the service has seen it. */
async function leave(...leaving: readonly Socket[]): Promise<void> {
  for (const socket of leaving) socket.resetAndDestroy();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

/** A figure of the bridge listener. */
async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${side.bridge.bridge}/metrics`)).text();
  return Number(new RegExp(`^web_bridge_${name} (\\d+)$`, "m").exec(text)?.[1]);
}
const figureIs = (name: string, count: number): Promise<void> =>
  eventually(async () => expect(await figure(name)).toBe(count));

const ONE_REQUEST = { yaml: "modules: {api: {limits: {requests-per-minute: 1}}}" };

describe("requests that are sent ahead", () => {
  it("are dealt with in their order, though the answer for the last one comes first", async () => {
    await start();
    await link();
    rates.mode = "held";
    const { got, statuses } = await raw(UNLINK + LINKED + LINKED);
    await rates.holds(3);
    rates.letGo(2);
    rates.mode = "at once";
    // One more, whose answer is there at once.
    for (const socket of sockets) socket.write(request("GET /linked-player", "Connection: close"));
    rates.letAllGo();
    await eventually(() => expect(statuses()).toHaveLength(4));
    expect([...got().matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)).toEqual([
      "unlinked",
      ...Array(3).fill("not_linked"),
    ]);
  });

  it("are not dealt with behind one that is refused", async () => {
    await start({ yaml: "modules: {api: {limits: {requests-per-minute: 3}}}" });
    await link();
    expect(await linkStatus()).toBe("accepted");
    rates.mode = "held";
    const { socket, got, statuses } = await raw(LINKED + LINKED);
    await rates.holds(2);
    // By then the address has a token again.
    side.bridge.clock.advance(20_000);
    socket.write(UNLINK);
    await rates.holds(3);
    rates.letAllGo();
    await once(socket, "close");
    expect(statuses()).toEqual(["200", "429"]);
    expect(got()).toMatch(/Retry-After: 20\r\n[^{]*Connection: close/);
    side.bridge.clock.advance(60_000);
    expect(await linkStatus()).toBe("accepted");
  });
});

describe("a request that waits", () => {
  it("has its body read afterwards, whenever it came", async () => {
    await start();
    rates.mode = "held";
    const body = JSON.stringify({ username: "Steve", more: "x".repeat(10_000) });
    const length = `Content-Length: ${body.length}`;
    const head = request("POST /link-player", "Content-Type: application/json", length);
    const { socket, statuses } = await raw(head + body.slice(0, 5_000));
    await rates.holds(1);
    rates.letAllGo();
    socket.write(body.slice(5_000));
    await side.pack.carryOut("offline");
    await eventually(() => expect(statuses()).toEqual(["422"]));
  });

  it("is not dealt with when its client has left", async () => {
    await start();
    await link();
    rates.mode = "held";
    const { socket } = await raw(UNLINK);
    await rates.holds(1);
    await leave(socket);
    rates.letAllGo();
    expect(await linkStatus()).toBe("accepted");
  });

  it("is answered while the service stops", async () => {
    await start();
    rates.mode = "held";
    const { socket, statuses } = await raw(request("GET /healthz"));
    await rates.holds(1);
    const stopped = side.bridge.stop();
    rates.letAllGo();
    await once(socket, "close");
    await stopped;
    expect(statuses()).toEqual(["200"]);
    await side.start();
  });

  it("ends with its connection when the rates are broken, and nobody else does", async () => {
    await start();
    rates.mode = "broken";
    const broken = [await raw(LINKED), await raw(STREAM), await raw(UPGRADE)];
    for (const { socket, got } of broken) {
      if (!socket.closed) await once(socket, "close");
      expect(got()).toBe("");
    }
    rates.mode = "soon";
    expect(await linkStatus()).toBe("not_linked");
    expect(side.bridge.log.of("warn").map(({ message }) => message)).toContain("a fault ended a connection");
  });
});

describe.each(["/events", "http://x/events", "/events?types=chat"])("a stream that waits: %s", path => {
  it("begins when the answer comes", async () => {
    await start();
    rates.mode = "held";
    const { got } = await raw(request(`GET ${path}`));
    await rates.holds(1);
    expect(got()).toBe("");
    rates.letAllGo();
    await eventually(() => expect(got()).toContain("retry: 2000"));
    await side.pack.report(said("hello"));
    await eventually(() => expect(got()).toContain("hello"));
  });
});

describe("a stream that waits", () => {
  it("is refused as other requests are, to pages of listed origins legibly", async () => {
    const limits = "cors-origins: ['https://shop.example'], limits: {requests-per-minute: 1}";
    await start({ yaml: `modules: {api: {${limits}}}` });
    const first = await side.stream();
    const second = await side.stream("", { Origin: "https://shop.example" });
    await second.ended();
    expect([second.status, second.text]).toEqual([429, '{"error":"rate_limited"}']);
    expect(second.headers).toMatchObject({
      "retry-after": "60",
      connection: "close",
      "access-control-allow-origin": "https://shop.example",
      "cache-control": "no-store",
    });
    await side.pack.report(said("hello"));
    expect(short(await first.next(1))).toEqual(["hello"]);
  });

  it("is refused when others have taken the last place meanwhile", async () => {
    await start({ yaml: "modules: {api: {limits: {event-clients: 2}}}" });
    rates.mode = "held";
    const opened = await Promise.all(Array.from({ length: 5 }, () => raw(STREAM)));
    await rates.holds(5);
    rates.letAllGo();
    await eventually(() =>
      expect(opened.map(({ statuses }) => statuses()[0]).sort()).toEqual(["200", "200", "503", "503", "503"]),
    );
    await figureIs("event_streams", 2);
  });

  it("leaves nothing behind when its reader has left", async () => {
    await start();
    rates.mode = "held";
    const opened = await Promise.all(Array.from({ length: 9 }, () => raw(STREAM)));
    await rates.holds(9);
    for (const [at, { socket }] of opened.entries())
      if (at % 2) socket.resetAndDestroy();
      else socket.end();
    rates.letAllGo();
    await figureIs("event_streams", 0);
    const reader = await side.stream();
    await side.pack.report(said("still here"));
    expect(short(await reader.next(1))).toEqual(["still here"]);
  });

  it("has nothing behind it dealt with", async () => {
    await start();
    await link();
    rates.mode = "held";
    const { got, statuses } = await raw(STREAM + UNLINK);
    await rates.holds(1);
    rates.letAllGo();
    await eventually(() => expect(got()).toContain("retry: 2000"));
    expect(statuses()).toEqual(["200"]);
    expect(await linkStatus()).toBe("accepted");
  });

  it("behind another request is refused, and the answers come in order", async () => {
    await start();
    rates.mode = "held";
    const { statuses } = await raw(LINKED + STREAM + LINKED);
    await rates.holds(3);
    rates.letGo();
    await eventually(() => expect(statuses()).toEqual(["200"]));
    rates.letAllGo();
    await eventually(() => expect(statuses()).toEqual(["200", "503", "200"]));
    await figureIs("event_streams", 0);
  });

  it("ends when the service stops meanwhile", async () => {
    await start();
    rates.mode = "held";
    const { socket } = await raw(STREAM);
    await rates.holds(1);
    const stopped = side.bridge.stop();
    rates.letAllGo();
    await once(socket, "close");
    await stopped;
    await side.start();
  });
});

describe("a chat socket that waits", () => {
  it("opens when the answer comes", async () => {
    await start();
    rates.mode = "held";
    const { got, statuses } = await raw(UPGRADE);
    await rates.holds(1);
    rates.letAllGo();
    await eventually(() => expect(got()).toContain("Connection successful."));
    expect(statuses()).toEqual(["101"]);
  });

  it("is refused as others are", async () => {
    await start(ONE_REQUEST);
    const [first, second] = [await raw(UPGRADE), await raw(UPGRADE)];
    await eventually(() => expect([first.statuses(), second.statuses()]).toEqual([["101"], ["429"]]));
    expect(second.got()).toMatch(/Retry-After: 60\r\n/);
  });

  it("is refused when others have taken the last place meanwhile, and leaves nothing behind", async () => {
    await start({ yaml: "modules: {api: {limits: {websocket-clients: 2}}}" });
    rates.mode = "held";
    const opened = await Promise.all(Array.from({ length: 6 }, () => raw(UPGRADE)));
    await rates.holds(6);
    await leave(...opened.slice(3).map(({ socket }) => socket));
    rates.letAllGo();
    await eventually(() =>
      expect(opened.flatMap(({ statuses }) => statuses()).sort()).toEqual(["101", "101", "503"]),
    );
    for (const { socket } of opened) socket.destroy();
    await figureIs("websocket_clients", 0);
  });
});
