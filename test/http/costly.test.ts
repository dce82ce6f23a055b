import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createShares } from "../../sidecar/http/crowds/shares.ts";
import { ChatSocket } from "../helpers/chat-socket.ts";
import { ask } from "../helpers/client.ts";
import { turnsBy } from "../helpers/clock.ts";
import { FakePack } from "../helpers/fake-pack.ts";
import { startTestSidecar, type TestSidecar } from "../helpers/sidecar.ts";

// Own connections: sends bodies without end; all else is checked.

// What a stranger sends that costs the service far more than it costs the stranger.

let side: TestSidecar;
beforeEach(async () => {
  side = await startTestSidecar();
});
afterEach(() => side.stop());

const NAME = "website_user_uuid";
const UUID = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";

describe("a body without end", () => {
  it.each([
    ["in chunks of one byte", "Transfer-Encoding: chunked", "1\r\na\r\n".repeat(10_000)],
    ["of a length that was told", "Content-Length: 1000000000", "a".repeat(60_000)],
  ])("%s is read no further than a little behind the answer", async (_what, header, more) => {
    const socket = connect({ port: side.sidecar.publicAddress.port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    const closed = new Promise(resolve => socket.once("close", resolve));
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`);
    expect(String((await once(socket, "data"))[0])).toContain("HTTP/1.1 200 ");
    const send = (): void => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.on("drain", send);
    send();
    await closed;
  });
});

describe("a body in pieces", () => {
  const chunks = (count: number): string => `${"1\r\na\r\n".repeat(count)}0\r\n\r\n`;
  const head = (line: string): string =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nCookie: ${NAME}=${UUID}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

  /** Sends all of it at once, and what comes next once an answer is there; resolves with the answers once it is closed. */
  async function send(first: string, next = ""): Promise<string> {
    const socket = connect({ port: side.sidecar.publicAddress.port, host: "127.0.0.1" });
    socket.on("error", () => undefined);
    let text = "";
    socket.on("data", bytes => {
      text += bytes;
    });
    socket.write(first, "latin1");
    if (next !== "") {
      await once(socket, "data");
      socket.write(next, "latin1");
    }
    await once(socket, "close");
    return text;
  }

  it("is taken up to 64 at once, and the connection of more is ended", async () => {
    const last = "GET /server HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const post = head("POST /link-player");
    expect(await send(post + chunks(64) + last)).toMatch(/^HTTP\/1.1 400 .*invalid_body.*HTTP\/1.1 \d/s);
    expect(await send(post + chunks(65) + last)).toMatch(
      /^HTTP\/1.1 400 Bad Request\r\nConnection: close\r\n\r\n$/,
    );
  });

  it("is not looked at behind an answer either, and the next connection has all of its body", async () => {
    expect(await send(head("GET /healthz"), "1\r\na\r\n".repeat(65))).toMatch(/^HTTP\/1.1 200 /);
    const { json } = await ask(side.base, "/link-player", {
      method: "POST",
      headers: { Cookie: `${NAME}=${UUID}` },
      body: {},
    });
    expect(json).toEqual({ error: "missing_username" });
  });

  it.each(["GET /healthz", "GET /events", "POST /nope"])("ends %s, where nobody wants one", async line => {
    expect(await send(head(line) + chunks(10_000))).not.toContain("HTTP/1.1 5");
  });
});

describe("a header that is long", () => {
  const long = ",".repeat(12_000);

  it("and names entity tags is passed over", async () => {
    const pack = new FakePack(side.bridge);
    await pack.connect();
    await pack.snapshot("Steve");
    const { status, headers } = await ask(side.base, "/status");
    expect(status).toBe(200);
    const own = headers.get("etag") ?? "";
    const with304 = { headers: { "If-None-Match": `"x", ${own}` } };
    expect((await ask(side.base, "/status", with304)).status).toBe(304);
    const without = { headers: { "If-None-Match": `${own}${long}` } };
    expect((await ask(side.base, "/status", without)).status).toBe(200);
  });

  it.each([
    ["at its beginning", `${NAME}=${UUID}; ${";".repeat(12_000)}`],
    ["at its end", `${"x=y; ".repeat(2_000)}${NAME}=${UUID}`],
    ["behind names that begin alike", `${`${NAME}x=1; `.repeat(400)}${NAME}=${UUID}`],
  ])("and names cookies is searched for the session's: %s", async (_where, cookie) => {
    expect((await ask(side.base, "/linked-player", { headers: { Cookie: cookie } })).status).toBe(200);
  });
});

describe("a chat message", () => {
  it.each([
    ["in 17 fragments closes the socket", 17, 1008],
    ["in 16 is put together", 16, undefined],
  ])("%s", async (_what, count, code) => {
    const socket = await ChatSocket.open(side.base);
    const parts = ['{"type":"PING"', ...Array(count - 2).fill(" "), "}"];
    for (const [at, part] of parts.entries())
      socket.ws.send(part, { fin: at === parts.length - 1, binary: false });
    if (code === undefined) expect((await socket.next()).type).toBe("PONG");
    else expect(await socket.closed).toBe(code);
  });

  it.each([
    ["nested 60,000 deep", `{"type":"CHAT","content":${"[".repeat(60_000)}`],
    [
      "with 100,000 characters besides",
      JSON.stringify({ type: "CHAT", content: "x", y: "y".repeat(100_000) }),
    ],
  ])("%s is bad, unread, and the socket stays", async (_what, text) => {
    const socket = await ChatSocket.open(side.base);
    socket.ws.send(text);
    expect(await socket.next()).toEqual({ type: "EXCEPTION", content: "bad message" });
    socket.send({ type: "PING" });
    expect((await socket.next()).type).toBe("PONG");
  });

  it("counts control characters and halves of pairs as the six characters that they take", async () => {
    const socket = await ChatSocket.open(side.base);
    const line = (content: string) => socket.send({ type: "CHAT", content });
    line(`a${"\u0000".repeat(86)}`);
    expect((await socket.next()).content).toBe("bad message");
    line(`a${"\ud800".repeat(86)}`);
    expect((await socket.next()).content).toBe("bad message");
    line(`ab${"\u0000".repeat(85)}`);
    expect((await socket.next()).content).toBe("server unavailable");
    // What JSON has two characters for, and whole pairs, count as what they are.
    line(`${"\t".repeat(256)}${"\u{1f600}".repeat(128)}`);
    expect((await socket.next()).content).toBe("server unavailable");
  });

  it("of the greatest length is read however it is escaped", async () => {
    const socket = await ChatSocket.open(side.base);
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
      () => waiting,
    );
    const pass = (ms: number): void => {
      now += ms;
    };
    return { of: (address: string) => shares.take(() => address), pass };
  }

  it("are taken from one address 256 times in a turn that has many, and again a second later", async () => {
    const { of, pass } = stage();
    for (let i = 0; i < 255; i++) of(`192.0.2.${i + 1}`);
    // Those count too that came before anybody was looked at.
    for (let i = 1; i < 256; i++) expect(of("192.0.2.1")).toBe("now");
    expect(of("192.0.2.1")).toBe("over");
    expect(of("192.0.2.2")).toBe("now");
    await nextTurn();
    pass(999);
    expect(of("192.0.2.1")).toBe("over");
    pass(1);
    expect(of("192.0.2.1")).toBe("now");
  });

  it("past half a millisecond of a turn are dealt with at once eight times for each address, and else when their turn has come", async () => {
    const { of, pass } = stage();
    for (let i = 0; i < 20; i++) expect(of("192.0.2.1")).toBe("now");
    pass(0.5);
    for (let i = 0; i < 8; i++) expect(of("192.0.2.1")).toBe("now");
    expect(of("192.0.2.1")).toBe("later");
    expect(of("192.0.2.2")).toBe("now");
    for (let i = 29; i < 256; i++) expect(of("192.0.2.1")).toBe("later");
    expect(of("192.0.2.1")).toBe("over");
  });

  it("are refused an address of which 2,048 wait for their turn already", () => {
    for (const [waiting, share] of [
      [2_048, "later"],
      [2_049, "over"],
    ] as const) {
      const { of, pass } = stage(waiting);
      of("192.0.2.2");
      pass(0.5);
      for (let i = 0; i < 8; i++) expect(of("192.0.2.1")).toBe("now");
      expect(of("192.0.2.1")).toBe(share);
    }
  });
});
