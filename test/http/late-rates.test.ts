import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { ManualClock } from "../helpers/clock.ts";
import { LateRates } from "../helpers/late-rates.ts";
import { eventually } from "../helpers/runner.ts";
import { bytesOf, SESSION, serving, type Wire } from "../helpers/serving.ts";
import { said } from "./feeding.ts";

// The rates of addresses are counted elsewhere, and the answers come later than the requests.

const COOKIE = SESSION.Cookie;

const side = serving();
const { pack } = side;
let rates: LateRates;

/** Starts with a game that Steve is in, and has this become of the answers: held, unless a test lets them go. */
async function start(api = "", mode: LateRates["mode"] = "held", isLinked = false): Promise<void> {
  const clock = new ManualClock();
  rates = new LateRates(clock);
  await side.api(api, ["Steve"], { clock, rates });
  side.onEnd(() => rates.letAllGo());
  if (isLinked) await side.link(COOKIE);
  rates.mode = mode;
}
const linkStatus = async (): Promise<unknown> =>
  ((await side.ask("/linked-player", { cookie: COOKIE })).json as { status: string }).status;

const request = (line: string, ...headers: string[]): string =>
  bytesOf(line, `Cookie: ${COOKIE}`, ...headers);
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

/** So many connections on each of which the same is asked. */
const wires = (count: number, written: string): Wire[] =>
  Array.from({ length: count }, () => side.wire(written));
/** What each of them is answered first, in no order. */
const firsts = (some: Wire[]): string[] => some.flatMap(wire => wire.statuses().slice(0, 1)).sort();

/** Clients leave, and the service has seen it. */
async function leave(...leaving: Wire[]): Promise<void> {
  for (const { socket } of leaving) socket.resetAndDestroy();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}
const figureIs = (name: string, count: number): Promise<void> =>
  eventually(async () => expect(await side.figure(name)).toBe(count));

describe("a request that waits", () => {
  it("has its body read afterwards, whenever it came", async () => {
    await start();
    const body = JSON.stringify({ username: "Steve", more: "x".repeat(10_000) });
    const head = request(
      "POST /link-player",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    );
    const wire = side.wire(head + body.slice(0, 5_000));
    await rates.holds(1);
    rates.letAllGo();
    wire.write(body.slice(5_000));
    await pack.carryOut("offline");
    await eventually(() => expect(wire.statuses()).toEqual(["422"]));
  });

  it("is not dealt with when its client has left", async () => {
    await start("", "held", true);
    const wire = side.wire(UNLINK);
    await rates.holds(1);
    await leave(wire);
    rates.letAllGo();
    expect(await linkStatus()).toBe("accepted");
  });

  it.each([
    ["is answered", request("GET /healthz"), ["200"]],
    ["for a stream ends", STREAM, undefined],
  ])("%s while the service stops", async (_what, asked, statuses) => {
    await start();
    const wire = side.wire(asked);
    await rates.holds(1);
    const stopped = side.shut();
    rates.letAllGo();
    await wire.ended();
    await stopped;
    if (statuses) expect(wire.statuses()).toEqual(statuses);
  });

  it("ends with its connection when the rates are broken, and nobody else does", async () => {
    await start("", "broken");
    for (const asked of [LINKED, STREAM, UPGRADE]) expect(await side.wire(asked).ended()).toBe("");
    rates.mode = "soon";
    expect(await linkStatus()).toBe("not_linked");
    expect(side.log.of("warn").map(({ message }) => message)).toContain("a fault ended a connection");
  });
});

describe("a stream that waits", () => {
  it.each(["/events", "http://x/events", "/events?types=chat"])(
    "begins when the answer comes: %s",
    async path => {
      await start();
      const wire = side.wire(request(`GET ${path}`));
      await rates.holds(1);
      expect(wire.got()).toBe("");
      rates.letAllGo();
      await wire.until("retry: 2000");
      await pack.report(said("hello"));
      await wire.until("hello");
    },
  );
});

describe("a chat socket that waits", () => {
  it("opens when the answer comes, or is refused as others are", async () => {
    await start("limits: {requests-per-minute: 1}");
    const [first, second] = [side.wire(UPGRADE), side.wire(UPGRADE)];
    await rates.holds(2);
    rates.letAllGo();
    await eventually(() => expect(firsts([first, second])).toEqual(["101", "429"]));
    const got = first.got() + second.got();
    expect(got).toMatch(/Retry-After: 60\r\n/);
    await eventually(() => expect(first.got() + second.got()).toContain("Connection successful."));
  });

  it("is refused when others have taken the last place meanwhile, and leaves nothing behind", async () => {
    await start("limits: {websocket-clients: 2}");
    const opened = wires(6, UPGRADE);
    await rates.holds(6);
    await leave(...opened.slice(3));
    rates.letAllGo();
    await eventually(() => expect(firsts(opened)).toEqual(["101", "101", "503"]));
    for (const { socket } of opened) socket.destroy();
    await figureIs("websocket_clients", 0);
  });
});
