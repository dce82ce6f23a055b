import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { ChatSocket } from "../../../test/helpers/chat-socket.ts";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { eventually } from "../../../test/helpers/eventually.ts";
import { said } from "../../../test/helpers/fake-pack.ts";
import { memoryFeedLog } from "../../../test/helpers/feed-log.ts";
import { LateRates } from "../../../test/helpers/late-rates.ts";
import { bytesOf, SESSION, serving, type Wire } from "../../../test/helpers/serving.ts";

// The rates of addresses are counted elsewhere, so results arrive later than the requests.

const COOKIE = SESSION.Cookie;

const side = serving();
const { pack } = side;
let rates: LateRates;

/** Starts with a game with Steve. Results are held until a test releases them. */
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

/** This many connections, each with the same request. */
const wires = (count: number, written: string): Wire[] =>
  Array.from({ length: count }, () => side.wire(written));
/** The first line of each response, in any order. */
const firsts = (some: Wire[]): string[] => some.flatMap(wire => wire.statuses().slice(0, 1)).sort();

/** Clients disconnect, and the service has noticed it. */
async function leave(...leaving: Wire[]): Promise<void> {
  for (const { socket } of leaving) socket.resetAndDestroy();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}
const figureIs = (name: string, count: number): Promise<void> =>
  eventually(async () => expect(await side.figure(name)).toBe(count));

describe("a waiting request", () => {
  it("has its body read afterwards, whenever it arrived", async () => {
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

  it("is not handled if its client has disconnected", async () => {
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
  ])("%s while the service stops", async (_what, request, statuses) => {
    await start();
    const wire = side.wire(request);
    await rates.holds(1);
    const stopped = side.shut();
    rates.letAllGo();
    await wire.ended();
    await stopped;
    if (statuses) expect(wire.statuses()).toEqual(statuses);
  });

  it("ends with its connection if the rates fail, and no other does", async () => {
    await start("", "broken");
    for (const request of [LINKED, STREAM, UPGRADE]) expect(await side.wire(request).ended()).toBe("");
    rates.mode = "soon";
    expect(await linkStatus()).toBe("not_linked");
    expect(side.log.of("warn").map(({ message }) => message)).toContain("Unexpected error on a connection");
  });
});

describe("a waiting stream", () => {
  it.each(["/events", "http://x/events", "/events?types=chat"])(
    "starts when the result arrives: %s",
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

describe("a waiting chat socket", () => {
  it("opens when the result arrives, or is rejected like others", async () => {
    await start("limits: {requests-per-minute: 1}");
    const [first, second] = [side.wire(UPGRADE), side.wire(UPGRADE)];
    await rates.holds(2);
    rates.letAllGo();
    await eventually(() => expect(firsts([first, second])).toEqual(["101", "429"]));
    const got = first.got() + second.got();
    expect(got).toMatch(/Retry-After: 60\r\n/);
    await eventually(() => expect(first.got() + second.got()).toContain("Connection successful."));
  });

  it("is rejected if others have taken the last place by then, and leaves nothing behind", async () => {
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

const lines = ({ received }: ChatSocket): string[] =>
  received.filter(({ type }) => type === "CHAT").map(({ content }) => content);
const refused = ({ received }: ChatSocket, why: string): number =>
  received.filter(({ type, content }) => type === "EXCEPTION" && content === why).length;

describe("messages whose rates are counted elsewhere, with delayed results", () => {
  let speaker: ChatSocket;
  let other: ChatSocket;
  async function open(api = "", mode: LateRates["mode"] = "held"): Promise<void> {
    await start(api, "soon");
    [speaker, other] = [await side.socket(), await side.socket()];
    rates.mode = mode;
  }

  it("are delivered or rejected in order, before a later PING gets its PONG", async () => {
    await open("chat: {web: linked}");
    speaker.say("a");
    const pending = speaker.settled();
    await rates.holds(1);
    expect(await other.settled()).toEqual([]);
    rates.letAllGo();
    expect(await pending).toEqual([{ type: "EXCEPTION", content: "not allowed" }]);
  });

  it("do not delay the messages of other sockets", async () => {
    await open();
    speaker.say("later");
    await rates.holds(1);
    rates.mode = "soon";
    other.say("sooner");
    await eventually(() => expect(lines(speaker)).toEqual(["sooner"]));
    rates.letAllGo();
    await eventually(() => expect(lines(other)).toEqual(["later"]));
  });

  it("close their socket if the rates fail, and no other one", async () => {
    await open("", "broken");
    speaker.say("hello");
    expect(await speaker.closed).toBe(1006);
    rates.mode = "soon";
    expect(await other.settled()).toEqual([]);
  });
});

describe("messages for a slow storage", () => {
  const MAX_LINES = 1_000;
  let letGo: () => void;
  let speaker: ChatSocket;
  async function open(limits = ""): Promise<void> {
    const clock = new ManualClock();
    const feedLog = memoryFeedLog(clock);
    const gate = new Promise<void>(resolve => {
      letGo = resolve;
    });
    const publish: typeof feedLog.publish = entries => gate.then(() => feedLog.publish(entries));
    await side.limits(limits, undefined, { clock, feedLog: { ...feedLog, publish } });
    speaker = await side.socket();
  }

  it("are rejected when 1,000 are waiting, and accepted again afterwards", async () => {
    await open(
      "messages-burst: 2000, messages-per-minute-per-address: 10000, chat-lines-burst: 2000, chat-lines-per-second: 1000",
    );
    const other = await side.socket();
    for (let i = 0; i <= MAX_LINES; i++) speaker.say(`line ${i}`);
    await eventually(() => expect(refused(speaker, "server unavailable")).toBe(1));
    letGo();
    await eventually(() => expect(lines(other)).toHaveLength(MAX_LINES));
    speaker.say("one more");
    await eventually(() => expect(lines(other)).toHaveLength(MAX_LINES + 1));
  });
});
