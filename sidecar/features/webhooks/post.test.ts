import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { eventually } from "../../../test/helpers/eventually.ts";
import { answers, type Receiver, startReceiver } from "../../../test/helpers/receiver.ts";
import { createPoster, type Poster, publicLookup, type Resolve } from "./post.ts";

// Own connections: plays a proxy.

let receiver: Receiver;
let clock: ManualClock;
const posters: Poster[] = [];
beforeEach(async () => {
  receiver = await startReceiver();
  clock = new ManualClock();
});
afterEach(async () => {
  for (const poster of posters.splice(0)) poster.close();
  await receiver.stop();
});

const never = new AbortController().signal;
const poster = (url = receiver.url, allowPrivate = true, resolve?: Resolve, env = {}): Poster => {
  const made = createPoster({ url, allowPrivate, clock, env, ...(resolve && { resolve }) });
  posters.push(made);
  return made;
};
const post = (to = poster(), signal = never) => to.post('{"a":1}', { "webhook-id": "1-1" }, signal);

describe("an attempt", () => {
  it("posts JSON with the headers of the format", async () => {
    expect(await post()).toEqual({ status: 204 });
    expect(receiver.received).toMatchObject([
      {
        path: "/path-of-hook",
        body: '{"a":1}',
        headers: { "content-type": "application/json", "content-length": "7", "webhook-id": "1-1" },
      },
    ]);
  });

  it.each([200, 301, 302, 307, 308, 400, 410, 429, 503])(
    "tells the status %s, and goes nowhere else",
    async status => {
      const other = await startReceiver();
      receiver.answer = answers(status, { Location: other.url });
      expect(await post()).toEqual({ status });
      expect(other.connections).toBe(0);
      await other.stop();
    },
  );

  it("waits 20 s for a response", async () => {
    receiver.answer = () => undefined;
    const attempt = post();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    clock.advance(19_999);
    const first = await Promise.race([attempt, new Promise(resolve => setImmediate(resolve, "waits"))]);
    expect(first).toBe("waits");
    clock.advance(1);
    expect(await attempt).toEqual({ fault: "no answer within 20 s" });
  });

  it("uses the status of a response whose body never ends", async () => {
    receiver.answer = response => void response.writeHead(200).write("and");
    const attempt = post();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const pump = setInterval(() => clock.advance(1000), 20);
    expect(await attempt).toEqual({ status: 200 });
    clearInterval(pump);
  });

  it("reads at most 64 KB of a response, and closes the connection", async () => {
    let sent = 0;
    receiver.answer = response => {
      const more = (): void => {
        while (!response.destroyed && sent < 100_000_000) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once("drain", more);
        }
      };
      response.writeHead(200);
      more();
    };
    expect(await post()).toEqual({ status: 200 });
    expect(sent).toBeLessThan(20_000_000);
    receiver.answer = answers(204);
    expect(await post(posters[0])).toEqual({ status: 204 });
    expect(receiver.connections).toBe(2);
  });

  it("reports a connection that is reset or refused", async () => {
    receiver.answer = response => void response.socket?.resetAndDestroy();
    expect(await post()).toEqual({ fault: "ECONNRESET" });
    const gone = await startReceiver();
    await gone.stop();
    expect(await post(poster(gone.url))).toEqual({ fault: "ECONNREFUSED" });
  });

  it("does not wait for the body of a protocol upgrade", async () => {
    receiver.answer = response =>
      void response.socket?.write(
        "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      );
    expect(await post()).toEqual({ fault: "the connection broke" });
  });

  it("is aborted when no caller waits for it any more", async () => {
    receiver.answer = () => undefined;
    const broken = new AbortController();
    const attempt = post(poster(), broken.signal);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    broken.abort();
    expect(await attempt).toEqual({ fault: "ABORT_ERR" });
  });

  const RESET = "X-RateLimit-Reset-After";
  it.each<[Record<string, string>, string, number | undefined]>([
    [{ "Retry-After": "2" }, "", 2000],
    [{}, '{"retry_after": 0.75}', 750],
    [{ "Retry-After": "2" }, '{"message": "slow down", "retry_after": 1.5}', 1500],
    [{ "Retry-After": "529", [RESET]: "0.529" }, "", 529],
    [{ "Retry-After": "529", [RESET]: "0.529" }, '{"retry_after": 529}', 529],
    [{ [RESET]: "1.25" }, "<html>", 1250],
    [{ "Retry-After": "Thu, 01 Jan 2026 00:01:30 GMT" }, "null", 90_000],
    [{ "Retry-After": "Thursday, 01-Jan-26 00:01:30 GMT" }, "", 90_000],
    [{ "Retry-After": "Thu Jan  1 00:01:30 2026" }, "", 90_000],
    [{ "Retry-After": "Wed, 31 Dec 2025 23:59:00 GMT" }, "", undefined],
    [{ "Retry-After": "soon" }, "", undefined],
    [{ "Retry-After": "2026-01-01" }, "", undefined],
    [{ "Retry-After": "0" }, "", undefined],
    [{ "Retry-After": "-1" }, "not JSON", undefined],
    [{}, '{"retry_after": "2"}', undefined],
  ])("reads how long 429 and 503 ask to be left alone: %j %s", async (headers, body, waitMs) => {
    for (const status of [429, 503, 500]) {
      receiver.answer = answers(status, headers, body);
      expect(await post()).toEqual({ status, ...(waitMs !== undefined && status !== 500 && { waitMs }) });
    }
  });

  it.each([
    ['{"message": "Unknown Webhook", "code": 10015}', 10_015],
    ['{"code": "10015"}', undefined],
    ["<html>{}</html>", undefined],
    ["[]", undefined],
  ])("reads the code in the body of a failure: %s", async (body, code) => {
    receiver.answer = answers(404, {}, body);
    expect(await post()).toEqual({ status: 404, ...(code !== undefined && { code }) });
    receiver.answer = answers(200, {}, body);
    expect(await post()).toEqual({ status: 200 });
  });
});

const REFUSED = { fault: "its address is not public, and allow-private is not set" };

describe("a private address", () => {
  it.each(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "0.0.0.0", "[::]"])(
    "is refused as %s",
    async host => {
      const { port } = new URL(receiver.url);
      expect(await post(poster(`http://${host}:${port}/x`, false))).toEqual(REFUSED);
      expect(receiver.connections).toBe(0);
    },
  );

  it("is reached if allowed", async () => {
    const { port } = new URL(receiver.url);
    expect(await post(poster(`http://localhost:${port}/x`))).toEqual({ status: 204 });
  });
});

/** A resolver that returns one answer after another, for any name. */
function resolver(...all: string[][]): Resolve & { calls: number } {
  const resolve = Object.assign(
    (_name: string, _options: { all: true }, callback: (error: null, found: LookupAddress[]) => void) =>
      callback(
        null,
        (all[resolve.calls++] ?? []).map(address => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
    { calls: 0 },
  );
  return resolve;
}
const looked = (resolve: Resolve, options: object = { all: true }): unknown => {
  let result: unknown;
  publicLookup(resolve)("a.example", options, (...given) => {
    result = given[0] === null ? given.slice(1) : given[0].message;
  });
  return result;
};

describe("a name", () => {
  it("connects to the checked address, without a second lookup", () => {
    const resolve = resolver(["1.1.1.1", "2606:4700::1111"], ["127.0.0.1"]);
    expect(looked(resolve)).toEqual([
      [
        { address: "1.1.1.1", family: 4 },
        { address: "2606:4700::1111", family: 6 },
      ],
    ]);
    expect(resolve.calls).toBe(1);
    expect(looked(resolver(["1.1.1.1"]), {})).toEqual(["1.1.1.1", 4]);
  });

  it.each([[["127.0.0.1"]], [["1.1.1.1", "10.0.0.1"]], [["::1"]], [["1.1.1.1", "64:ff9b::a00:1"]]])(
    "is refused when it leads to %j",
    addresses => expect(looked(resolver(addresses))).toBe(REFUSED.fault),
  );

  it("that cannot be resolved has its own error", async () => {
    const nowhere: Resolve = (_name, _options, callback) =>
      callback(Object.assign(new Error("x"), { code: "ENOTFOUND" }), []);
    expect(await post(poster("http://a.example/", false, nowhere))).toEqual({ fault: "ENOTFOUND" });
    expect(looked(resolver([]))).toBe("no address");
  });
});

describe("a proxy", () => {
  /** A proxy that passes on nothing; CONNECT requests by their target. */
  let proxy: Server;
  let tunnels: string[];
  beforeEach(async () => {
    tunnels = [];
    proxy = createServer((request, response) => response.writeHead(202).end(request.url)).on(
      "connect",
      ({ url = "" }, socket) => {
        tunnels.push(url);
        socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      },
    );
    await once(proxy.listen(0, "127.0.0.1"), "listening");
  });
  afterEach(() => void proxy.close());

  const REFUSED_BY_PROXY = { fault: "ERR_PROXY_TUNNEL" };
  const address = (): string => `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const through = (url: string, env: object, ...found: string[][]) =>
    post(poster(url, false, resolver(...found), env));

  it("in HTTP_PROXY is used for addresses in the local network, unless NO_PROXY lists them", async () => {
    const env = { HTTP_PROXY: `http://${address()}` };
    expect(await post(poster(receiver.url, true, undefined, env))).toEqual({ status: 202 });
    const direct = poster(receiver.url, true, undefined, { ...env, NO_PROXY: "127.0.0.1" });
    expect(await post(direct)).toEqual({ status: 204 });
  });

  it.each(["HTTPS_PROXY", "https_proxy"])(
    "in %s gets a CONNECT request, with or without scheme",
    async name => {
      for (const value of [`http://${address()}`, address()])
        expect(await through("https://a.example/", { [name]: value }, ["1.1.1.1"])).toEqual(REFUSED_BY_PROXY);
      expect(tunnels).toEqual(["a.example:443", "a.example:443"]);
    },
  );

  it("gets no private address, but names that cannot be resolved locally", async () => {
    const env = { HTTPS_PROXY: `http://${address()}` };
    expect(await through("https://a.example/", env, ["10.0.0.1"])).toEqual(REFUSED);
    expect(await through("https://a.example/", env, ["1.1.1.1", "::1"])).toEqual(REFUSED);
    expect(await through("https://192.168.0.1/", env)).toEqual(REFUSED);
    expect(tunnels).toEqual([]);
    expect(await through("https://a.example/", env, [])).toEqual(REFUSED_BY_PROXY);
    expect(
      await through("https://a.example/", { ...env, NO_PROXY: ".example" }, ["1.1.1.1"], ["::1"]),
    ).toEqual(REFUSED);
    expect(tunnels).toEqual(["a.example:443"]);
  });
});
