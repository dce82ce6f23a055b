import type { LookupAddress } from "node:dns";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createPoster, type Poster, publicLookup, type Resolve } from "../../sidecar/webhooks/post.ts";
import { ManualClock } from "../helpers/clock.ts";
import { answers, type Receiver, startReceiver } from "../helpers/receiver.ts";
import { eventually } from "../helpers/runner.ts";

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
const poster = (url = receiver.url, allowPrivate = true, resolve?: Resolve): Poster => {
  const made = createPoster({ url, allowPrivate, clock, ...(resolve && { resolve }) });
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

  it("uses one connection for attempts that follow each other", async () => {
    const to = poster();
    for (const status of [200, 500, 200]) {
      receiver.answer = answers(status, {}, "x".repeat(60_000));
      expect(await post(to)).toEqual({ status });
    }
    expect(receiver.connections).toBe(1);
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

  it("waits 10 s for an answer", async () => {
    receiver.answer = () => undefined;
    const attempt = post();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    clock.advance(9_999);
    const first = await Promise.race([attempt, new Promise(resolve => setImmediate(resolve, "waits"))]);
    expect(first).toBe("waits");
    clock.advance(1);
    expect(await attempt).toEqual({ fault: "no answer within 10 s" });
  });

  it("takes the status of an answer whose text does not end", async () => {
    receiver.answer = response => void response.writeHead(200).write("and");
    const attempt = post();
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const pump = setInterval(() => clock.advance(1000), 20);
    expect(await attempt).toEqual({ status: 200 });
    clearInterval(pump);
  });

  it("reads at most 64 KB of an answer, and ends the connection", async () => {
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

  it("names a connection that is reset or refused", async () => {
    receiver.answer = response => void response.socket?.resetAndDestroy();
    expect(await post()).toEqual({ fault: "ECONNRESET" });
    const gone = await startReceiver();
    await gone.stop();
    expect(await post(poster(gone.url))).toEqual({ fault: "ECONNREFUSED" });
  });

  it("does not wait for more of an answer that changes the protocol", async () => {
    receiver.answer = response =>
      void response.socket?.write(
        "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      );
    expect(await post()).toEqual({ fault: "the connection broke" });
  });

  it("is broken off when nobody waits for it any more", async () => {
    receiver.answer = () => undefined;
    const broken = new AbortController();
    const attempt = post(poster(), broken.signal);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    broken.abort();
    expect(await attempt).toEqual({ fault: "ABORT_ERR" });
  });

  it.each([
    [{ "Retry-After": "2" }, "", 2000],
    [{}, '{"retry_after": 0.75}', 750],
    [{ "Retry-After": "1" }, '{"message": "slow down", "retry_after": 1.5}', 1500],
    [{ "Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT" }, "null", undefined],
    [{ "Retry-After": "-1" }, "not JSON", undefined],
    [{}, '{"retry_after": "2"}', undefined],
  ])("tells how long a 429 asks to be left alone: %j %s", async (headers, body, askedMs) => {
    receiver.answer = answers(429, headers as Record<string, string>, body);
    expect(await post()).toEqual({ status: 429, ...(askedMs !== undefined && { askedMs }) });
  });
});

const REFUSED = { fault: "its address is not public, and allow-private is not set" };

describe("an address that is not public", () => {
  it.each(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "0.0.0.0", "[::]"])(
    "is refused as %s",
    async host => {
      const { port } = new URL(receiver.url);
      expect(await post(poster(`http://${host}:${port}/x`, false))).toEqual(REFUSED);
      expect(receiver.connections).toBe(0);
    },
  );

  it("is reached where it is allowed", async () => {
    const { port } = new URL(receiver.url);
    expect(await post(poster(`http://localhost:${port}/x`))).toEqual({ status: 204 });
  });
});

/** A resolver that gives one answer after the other, whatever it is asked. */
function resolver(...all: string[][]): Resolve & { asked: number } {
  const resolve = Object.assign(
    (_name: string, _options: { all: true }, callback: (error: null, found: LookupAddress[]) => void) =>
      callback(
        null,
        (all[resolve.asked++] ?? []).map(address => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
    { asked: 0 },
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
  it("leads where it was checked: nothing is asked a second time", () => {
    const resolve = resolver(["1.1.1.1", "2606:4700::1111"], ["127.0.0.1"]);
    expect(looked(resolve)).toEqual([
      [
        { address: "1.1.1.1", family: 4 },
        { address: "2606:4700::1111", family: 6 },
      ],
    ]);
    expect(resolve.asked).toBe(1);
    expect(looked(resolver(["1.1.1.1"]), {})).toEqual(["1.1.1.1", 4]);
  });

  it.each([[["127.0.0.1"]], [["1.1.1.1", "10.0.0.1"]], [["::1"]], [["1.1.1.1", "64:ff9b::a00:1"]]])(
    "is refused when it leads to %j",
    addresses => expect(looked(resolver(addresses))).toBe(REFUSED.fault),
  );

  it("is refused at each connection anew", async () => {
    const { port } = new URL(receiver.url);
    const resolve = resolver(["127.0.0.1"], ["127.0.0.1"]);
    const to = poster(`http://a.example:${port}/`, false, resolve);
    expect([await post(to), await post(to)]).toEqual([REFUSED, REFUSED]);
    expect([resolve.asked, receiver.connections]).toEqual([2, 0]);
  });

  it("that leads nowhere is a fault of its own", async () => {
    const nowhere: Resolve = (_name, _options, callback) =>
      callback(Object.assign(new Error("x"), { code: "ENOTFOUND" }), []);
    expect(await post(poster("http://a.example/", false, nowhere))).toEqual({ fault: "ENOTFOUND" });
    expect(looked(resolver([]))).toBe("no address");
  });
});
