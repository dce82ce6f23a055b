import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { createShares } from "../../sidecar/http/crowds/shares.ts";
import { turnsBy } from "../helpers/clock.ts";
import { bytesOf, SESSION, serving } from "../helpers/serving.ts";

// What a stranger sends that costs the service far more than it costs the stranger.

const side = serving();
beforeEach(() => side.start());

const NAME = "website_user_uuid";
const UUID = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

describe("a body without end", () => {
  it.each([
    ["in chunks of one byte", "Transfer-Encoding: chunked", "1\r\na\r\n".repeat(10_000)],
    ["of a length that was told", "Content-Length: 1000000000", "a".repeat(60_000)],
  ])("%s is read no further than a little behind the answer", async (_what, header, more) => {
    const wire = side.wire(bytesOf("GET /healthz", header));
    await wire.until("HTTP/1.1 200 ");
    wire.pour(more);
    await wire.ended();
  });
});

describe("a body in pieces", () => {
  const chunks = (count: number): string => `${"1\r\na\r\n".repeat(count)}0\r\n\r\n`;
  const head = (line: string): string =>
    bytesOf(
      line,
      `Cookie: ${SESSION.Cookie}`,
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    );

  it("is taken up to 64 at once, and the connection of more is ended", async () => {
    const last = bytesOf("GET /server", "Connection: close");
    const post = head("POST /link-player");
    const ended = (count: number): Promise<string> => side.wire(post + chunks(count) + last).ended();
    expect(await ended(64)).toMatch(/^HTTP\/1.1 400 .*invalid_body.*HTTP\/1.1 \d/s);
    expect(await ended(65)).toMatch(/^HTTP\/1.1 400 Bad Request\r\nConnection: close\r\n\r\n$/);
  });

  it("is not looked at behind an answer either, and the next connection has all of its body", async () => {
    const wire = side.wire(head("GET /healthz"));
    await wire.until("HTTP/1.1 200 ");
    await wire.write("1\r\na\r\n".repeat(65)).ended();
    const { json } = await side.ask("/link-player", { cookie: SESSION.Cookie, body: {} });
    expect(json).toEqual({ error: "missing_username" });
  });

  it.each(["GET /healthz", "GET /events", "POST /nope"])("ends %s, where nobody wants one", async line => {
    expect(await side.wire(head(line) + chunks(10_000)).ended()).not.toContain("HTTP/1.1 5");
  });
});

describe("a header that is long", () => {
  it("and names entity tags is passed over", async () => {
    await side.online("Steve");
    const { status, headers } = await side.ask("/status");
    expect(status).toBe(200);
    const own = headers.get("etag") ?? "";
    const known = async (tags: string): Promise<number> =>
      (await side.ask("/status", { headers: { "If-None-Match": tags } })).status;
    expect([await known(`"x", ${own}`), await known(`${own}${",".repeat(12_000)}`)]).toEqual([304, 200]);
  });

  it.each([
    ["at its beginning", `${NAME}=${UUID}; ${";".repeat(12_000)}`],
    ["at its end", `${"x=y; ".repeat(2_000)}${NAME}=${UUID}`],
    ["behind names that begin alike", `${`${NAME}x=1; `.repeat(400)}${NAME}=${UUID}`],
  ])("and names cookies is searched for the session's: %s", async (_where, cookie) => {
    expect((await side.ask("/linked-player", { cookie })).status).toBe(200);
  });
});

describe("a chat message", () => {
  it.each([
    ["in 17 fragments closes the socket", 17, 1008],
    ["in 16 is put together", 16, undefined],
  ])("%s", async (_what, count, code) => {
    const socket = await side.socket();
    const parts = ['{"type":"PING"', ...Array(count - 2).fill(" "), "}"];
    for (const [at, part] of parts.entries())
      socket.ws.send(part, { fin: at === parts.length - 1, binary: false });
    if (code === undefined) expect((await socket.next()).type).toBe("PONG");
    else expect(await socket.closed).toBe(code);
  });

  const OTHERS = JSON.stringify({ type: "CHAT", content: "x", y: "y".repeat(100_000) });
  it.each([
    ["nested 60,000 deep", `{"type":"CHAT","content":${"[".repeat(60_000)}`],
    ["with 100,000 characters besides", OTHERS],
  ])("%s is bad, unread, and the socket stays", async (_what, text) => {
    const socket = await side.socket();
    socket.ws.send(text);
    expect(await socket.next()).toEqual({ type: "EXCEPTION", content: "bad message" });
    expect(await socket.settled()).toEqual([]);
  });

  // What JSON has two characters for, and whole pairs, count as what they are.
  it.each([
    ["86 control characters", `a${"\u0000".repeat(86)}`, "bad message"],
    ["86 halves of pairs", `a${"\ud800".repeat(86)}`, "bad message"],
    ["85 control characters", `ab${"\u0000".repeat(85)}`, "server unavailable"],
    ["tabulators and pairs", `${"\t".repeat(256)}${"\u{1f600}".repeat(128)}`, "server unavailable"],
  ])("of 512 counts each by the six characters that it takes: %s", async (_what, content, answer) => {
    const socket = await side.socket();
    socket.say(content);
    expect((await socket.next()).content).toBe(answer);
  });

  it("of the greatest length is read however it is escaped", async () => {
    const socket = await side.socket();
    socket.ws.send(`{"type":"CHAT","content":"${"\\u00e9".repeat(512)}"}`);
    expect(await socket.next()).toEqual({ type: "EXCEPTION", content: "server unavailable" });
  });
});

describe("requests", () => {
  /** Shares on a clock that the test moves, of addresses of which so many requests wait already. */
  function stage(waiting = 0) {
    let now = 0;
    const shares = createShares(
      turnsBy(() => now),
      (address: string) => address,
      () => waiting,
    );
    const pass = (ms: number): void => {
      now += ms;
    };
    const of = (address: string) => shares.take(address);
    const all = (count: number, address = "192.0.2.1") =>
      new Set(Array.from({ length: count }, () => of(address)));
    return { of, all, pass };
  }
  const NOW = new Set(["now"]);

  it("are taken from one address 256 times in a turn that has many, and again a second later", async () => {
    const { of, all, pass } = stage();
    for (let i = 0; i < 255; i++) of(`192.0.2.${i + 1}`);
    // Those count too that came before anybody was looked at.
    expect(all(255)).toEqual(NOW);
    expect([of("192.0.2.1"), of("192.0.2.2")]).toEqual(["over", "now"]);
    await nextTurn();
    pass(999);
    expect(of("192.0.2.1")).toBe("over");
    pass(1);
    expect(of("192.0.2.1")).toBe("now");
  });

  it("past half a millisecond of a turn are dealt with at once eight times for each address, and else when their turn has come", () => {
    const { of, all, pass } = stage();
    expect(all(20)).toEqual(NOW);
    pass(0.5);
    expect(all(8)).toEqual(NOW);
    expect([of("192.0.2.1"), of("192.0.2.2")]).toEqual(["later", "now"]);
    expect(all(256 - 29)).toEqual(new Set(["later"]));
    expect(of("192.0.2.1")).toBe("over");
  });

  it.each([
    [2_048, "later"],
    [2_049, "over"],
  ])("of an address of which %i wait for their turn already have it %s", (waiting, share) => {
    const { of, all, pass } = stage(waiting);
    of("192.0.2.2");
    pass(0.5);
    expect(all(8)).toEqual(NOW);
    expect(of("192.0.2.1")).toBe(share);
  });
});
