import { beforeEach, describe, expect, it } from "@jest/globals";
import { MOST_AHEAD } from "../../sidecar/domain/overload.ts";
import { frames, plainSocket } from "../helpers/flood.ts";
import { eventually } from "../helpers/runner.ts";
import { bytesOf, SESSION, serving } from "../helpers/serving.ts";
import { said } from "./feeding.ts";

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

/** Whether a new connection is ended before it is answered. */
const isShutOut = async (): Promise<boolean> => (await statuses("/healthz", 1)).got.length === 0;

describe("a client that sends requests ahead", () => {
  it.each([
    ["/status", "200"],
    ["/healthz", "200"],
    ["/linked-player", "401"],
  ])("has each of a few answered in order: %s", async (path, status) => {
    expect((await statuses(path, MOST_AHEAD)).got).toEqual(Array(MOST_AHEAD).fill(status));
  });

  it.each(["/status", "/healthz"])(
    "is refused once after more, and nothing behind is dealt with: %s",
    async path => {
      const { got, text } = await statuses(path, 100, "");
      expect(got).toEqual([...Array(MOST_AHEAD).fill("200"), "429"]);
      expect(text.slice(text.lastIndexOf("HTTP/1.1"))).toMatch(/Connection: close\r\n/);
      expect(await isShutOut()).toBe(false);
    },
  );
});

it("a stream is the last answer of its connection: nothing behind it is dealt with", async () => {
  await side.link(SESSION.Cookie);
  const cookie = `Cookie: ${SESSION.Cookie}`;
  const wire = side.wire(bytesOf("GET /events") + bytesOf("POST /unlink-player", cookie));
  await wire.until("retry: 2000");
  expect(wire.statuses()).toEqual(["200"]);
  expect((await side.ask("/linked-player", { cookie: SESSION.Cookie })).json).toMatchObject({
    status: "accepted",
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

/** What is refused more than a hundred times within ten seconds: how it is sent. */
const FLOODS: Record<string, () => Promise<unknown>> = {
  "requests ahead": () => statuses("/status", 500, ""),
  "requests over its rate": async () => {
    for (let i = 0; i < 15; i++) await statuses("/healthz", 20);
  },
  "what is no HTTP": async () => {
    for (let i = 0; i < 101; i++) await side.wire("NONSENSE\r\n\r\n").ended();
  },
  resets: async () => {
    for (let i = 0; i < 101; i++) {
      const wire = side.wire(bytesOf("GET /status"));
      await wire.until("HTTP/1.1 200");
      wire.socket.resetAndDestroy();
    }
  },
  "bodies of single bytes": async () => {
    const head = [
      "POST /link-player HTTP/1.1",
      "Host: localhost",
      `Cookie: ${SESSION.Cookie}`,
      "Transfer-Encoding: chunked",
      "",
      "",
    ];
    for (let i = 0; i < 11; i++) await side.wire(head.join("\r\n") + "1\r\nx\r\n".repeat(1_000)).ended();
  },
  "lines over the rate of its sockets": async () => {
    const sockets = await Promise.all([plainSocket(side.port), plainSocket(side.port)]);
    await Promise.all(
      sockets.map(socket => {
        side.onEnd(() => socket.destroy());
        socket.resume();
        return new Promise(resolve => socket.write(frames("{", 90), resolve));
      }),
    );
  },
};

describe("an address that is refused too often", () => {
  it.each(Object.keys(FLOODS))("is shut out for ten seconds, and the log says so: %s", async kind => {
    await FLOODS[kind]?.();
    await eventually(async () => expect(await isShutOut()).toBe(true));
    const told = { address: "127.0.0.1", seconds: 10 };
    expect(side.log.of("warn").filter(({ message }) => message.startsWith("shut out"))).toMatchObject([
      { fields: told },
    ]);
    side.clock.advance(10_000);
    expect((await statuses("/healthz", 1)).got).toEqual(["200"]);
  });

  it("has its open connections ended, but not its streams and its chat, and others are served", async () => {
    const [stream, chat] = [await side.stream(), await side.socket()];
    const open = side.wire(bytesOf("GET /status"));
    await open.until("HTTP/1.1 200");
    await FLOODS["requests ahead"]?.();
    await open.ended();
    expect(await isShutOut()).toBe(true);
    const other = side.wire(bytesOf("GET /healthz", CLOSE), side.port, "127.0.0.2");
    expect(await other.ended()).toContain("HTTP/1.1 200 ");
    await side.pack.report(said("still here"));
    await stream.next(1);
    expect((await chat.next()).type).toBe("CHAT");
  });

  it("behind a believed proxy is answered 429 at once, and its proxy goes on for others", async () => {
    await side.api("trust-proxy: loopback");
    const from = (address: string): string => `X-Forwarded-For: ${address}`;
    await statuses("/healthz", 500, "", from("203.0.113.6"));
    expect((await statuses("/status", 1, CLOSE, from("203.0.113.6"))).got).toEqual(["429"]);
    expect((await statuses("/status", 1, CLOSE, from("203.0.113.7"))).got).toEqual(["503"]);
  });
});
