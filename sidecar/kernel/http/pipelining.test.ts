import { beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../../../test/helpers/eventually.ts";
import { said } from "../../../test/helpers/fake-pack.ts";
import { frames, plainSocket } from "../../../test/helpers/flood.ts";
import { bytesOf, SESSION, serving } from "../../../test/helpers/serving.ts";
import { MAX_PIPELINED } from "./overload/rules.ts";

const side = serving();
beforeEach(() => side.limits("requests-per-minute: 100", ["Steve"]));

const CLOSE = "Connection: close";
/** Source address of requests: not of this machine. */
const FROM = "127.0.0.2";
const wire = (bytes: string, from = FROM) => side.wire(bytes, side.port, from);

/** This many requests in one write; without `last` all are equal. */
const ahead = (path: string, count: number, last = CLOSE, ...each: string[]): string =>
  bytesOf(`GET ${path}`, ...each).repeat(count - 1) +
  bytesOf(`GET ${path}`, ...each, ...(last ? [last] : []));

/** The statuses received until the connection closes, and everything received. */
async function statuses(...requests: Parameters<typeof ahead>): Promise<{ got: string[]; text: string }> {
  const asking = wire(ahead(...requests));
  const text = await asking.ended();
  return { got: asking.statuses(), text };
}

/** Whether a new connection is closed without a response. */
const isShutOut = async (): Promise<boolean> => (await statuses("/healthz", 1)).got.length === 0;

describe("a client that pipelines requests", () => {
  it.each([
    ["/status", "200"],
    ["/healthz", "200"],
    ["/linked-player", "401"],
  ])("gets responses to a few in order: %s", async (path, status) => {
    expect((await statuses(path, MAX_PIPELINED)).got).toEqual(Array(MAX_PIPELINED).fill(status));
  });

  it.each(["/status", "/healthz"])(
    "gets one error for too many, and nothing after it is handled: %s",
    async path => {
      const { got, text } = await statuses(path, 100, "");
      expect(got).toEqual([...Array(MAX_PIPELINED).fill("200"), "429"]);
      expect(text.slice(text.lastIndexOf("HTTP/1.1"))).toMatch(/Connection: close\r\n/);
      expect(await isShutOut()).toBe(false);
    },
  );
});

describe("a stream", () => {
  const unlink = bytesOf("POST /unlink-player", `Cookie: ${SESSION.Cookie}`);

  it("is the last response of its connection: later requests close it, and are not handled", async () => {
    await side.link(SESSION.Cookie);
    await wire(bytesOf("GET /events") + unlink).ended();
    const stream = wire(bytesOf("GET /events"));
    await stream.until("retry: 2000");
    await stream.write(unlink).ended();
    expect(stream.statuses()).toEqual(["200"]);
    expect((await side.ask("/linked-player", { cookie: SESSION.Cookie })).json).toMatchObject({
      status: "accepted",
    });
  });

  it.each([
    ["another protocol is offered", bytesOf("GET /healthz", "Upgrade: h2c", "Connection: upgrade")],
    ["nothing comes", ""],
  ])(
    "of a closed connection is dropped, if it waited for an earlier response, and everything after it %s",
    async (_, last) => {
      await wire(
        bytesOf("GET /events?format=json") + bytesOf("GET /events") + last + bytesOf("GET /status"),
      ).ended();
      await eventually(async () => expect(await side.figure("event_streams")).toBe(0));
    },
  );
});

describe("an address over its rate", () => {
  it("gets one 429 on each connection, which closes it regardless of later requests", async () => {
    for (let i = 0; i < 5; i++) await statuses("/healthz", 20);
    const { got, text } = await statuses("/healthz", 20, "");
    expect(got).toEqual(["429"]);
    expect(text).toMatch(/Connection: close\r\n/);
    expect(text).toMatch(/Retry-After: \d+\r\n/);
    // Prepared responses do not count.
    expect((await statuses("/status", 1)).got).toEqual(["200"]);
  });
});

/** Requests that are rejected more than a hundred times within ten seconds, by how they are sent. */
const FLOODS: Record<string, () => Promise<unknown>> = {
  "requests ahead": () => statuses("/status", 500, ""),
  "requests over its rate": async () => {
    for (let i = 0; i < 15; i++) await statuses("/healthz", 20);
  },
  "what is no HTTP": async () => {
    for (let i = 0; i < 101; i++) await wire("NONSENSE\r\n\r\n").ended();
  },
  "resets before a request": async () => {
    for (let i = 0; i < 101; i++) {
      const asking = wire("GET /stat");
      await asking.connected();
      asking.socket.resetAndDestroy();
    }
  },
  "bodies behind their answers": async () => {
    const head = bytesOf("POST /unlink-player", "Content-Length: 2000000");
    for (let i = 0; i < 101; i++) await wire(head).ended();
  },
  "chunks behind their answers, with an origin that no page can send them from": async () => {
    const head = bytesOf("POST /link-player", "Transfer-Encoding: chunked", "Origin: https://evil.example");
    for (let i = 0; i < 11; i++) await wire(`${head}1\r\n{\r\n`).ended();
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
    for (let i = 0; i < 11; i++) await wire(head.join("\r\n") + "1\r\nx\r\n".repeat(1_000)).ended();
  },
  "lines over the rate of its sockets": async () => {
    const sockets = await Promise.all([1, 2].map(() => plainSocket(side.port, undefined, FROM)));
    await Promise.all(
      sockets.map(socket => {
        side.onEnd(() => socket.destroy());
        socket.resume();
        return new Promise(resolve => socket.write(frames("{", 90), resolve));
      }),
    );
  },
};

describe("an address with too many refusals", () => {
  it.each(Object.keys(FLOODS))("is blocked for ten seconds, with a log line: %s", async kind => {
    await FLOODS[kind]?.();
    const expected = [{ fields: { address: FROM, seconds: 10 } }];
    const warnings = () =>
      side.log.of("warn").filter(({ message }) => message.startsWith("Blocked an address"));
    // Without requests, which would eventually exceed its rate.
    await eventually(() => expect(warnings()).toMatchObject(expected));
    expect(await isShutOut()).toBe(true);
    side.clock.advance(10_000);
    expect((await statuses("/healthz", 1)).got).toEqual(["200"]);
  });

  it("has its open connections closed, but not its streams and its chat, and others are served", async () => {
    const stream = wire(bytesOf("GET /events"));
    await stream.until("retry: 2000");
    const chat = await plainSocket(side.port, undefined, FROM);
    side.onEnd(() => chat.destroy());
    const open = wire(bytesOf("GET /status"));
    await open.until("HTTP/1.1 200");
    await FLOODS["requests ahead"]?.();
    await open.ended();
    expect(await isShutOut()).toBe(true);
    expect(await wire(bytesOf("GET /healthz", CLOSE), "127.0.0.3").ended()).toContain("HTTP/1.1 200 ");
    const received = new Promise<string>(resolve => chat.on("data", chunk => resolve(`${chunk}`)));
    await side.pack.report(said("still here"));
    await stream.until("still here");
    expect(await received).toContain("still here");
  });

  it("gets 429 if it is this machine, like a proxy, and its health check works", async () => {
    const own = async (path: string) => wire(bytesOf(`GET ${path}`, CLOSE), "127.0.0.1").ended();
    await wire(ahead("/status", 500, ""), "127.0.0.1").ended();
    const refused = await own("/status");
    expect(refused).toMatch(/^HTTP\/1.1 429 .*\r\nRetry-After: 10\r\n/s);
    expect(refused).toMatch(
      /\r\nRateLimit: "requests";r=0;t=10\r\nRateLimit-Policy: "requests";q=\d+;w=60\r\n/,
    );
    expect(await own("/healthz")).toMatch(/^HTTP\/1.1 200 /);
  });

  it("behind a trusted proxy gets 429 immediately, and its proxy works for others", async () => {
    await side.api("trust-proxy: loopback");
    const from = (address: string): string => `X-Forwarded-For: ${address}`;
    await statuses("/healthz", 500, "", from("203.0.113.6"));
    const { got, text } = await statuses("/status", 1, CLOSE, from("203.0.113.6"));
    expect(got).toEqual(["429"]);
    expect(text).toContain("\r\nRetry-After: 10\r\n");
    expect((await statuses("/status", 1, CLOSE, from("203.0.113.7"))).got).toEqual(["503"]);
  });
});

/** Behaviour of an honest browser, or what a page of another origin can make it do. */
const HONEST: Record<string, () => Promise<unknown>> = {
  "answers that it reads no further": async () => {
    for (let i = 0; i < 150; i++) {
      const asking = wire(bytesOf("GET /openapi.json"));
      await asking.until("HTTP/1.1 200");
      asking.socket.resetAndDestroy();
    }
  },
  "streams that are lost": async () => {
    const streams = Array.from({ length: 150 }, () => wire(bytesOf("GET /events")));
    await Promise.all(streams.map(stream => stream.until("retry: 2000")));
    for (const { socket } of streams) socket.resetAndDestroy();
    await eventually(async () => expect(await side.figure("event_streams")).toBe(0));
  },
  "large bodies of a page of another origin": async () => {
    const head = bytesOf("POST /link-player", "Content-Length: 2000000", "Origin: https://evil.example");
    for (let i = 0; i < 150; i++) await wire(head).ended();
  },
};

it.each(Object.keys(HONEST))("an address is not blocked for %s", async kind => {
  await side.limits("requests-per-minute: 10000");
  await HONEST[kind]?.();
  expect(await isShutOut()).toBe(false);
});
