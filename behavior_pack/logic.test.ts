import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { address } from "../shared/address.ts";
import { fact } from "../shared/facts.ts";
import { FACTS_BODY_BYTES, MAX_BODY_BYTES } from "../shared/limits.ts";
import { utf8Bytes } from "../shared/text.ts";
import { createRequests } from "./bridge/requests.ts";
import { createRecentKeys } from "./recent-keys.ts";
import { createTpsMeter } from "./status/tps.ts";
import { splitNames } from "./whitelist/whitelist.ts";

describe("address", () => {
  it.each([
    ["http://127.0.0.1:8081", "http://127.0.0.1:8081"],
    ["http://127.0.0.1:8081///", "http://127.0.0.1:8081"],
    [" https://bridge.example/base/ ", "https://bridge.example/base"],
  ])("takes %s", (given, expected) => expect(address(given)).toBe(expected));

  it.each(["", "127.0.0.1:8081", "ftp://x", "http://", "http://x?y", 8081, null, undefined])(
    "refuses %j",
    given => expect(address(given)).toBeUndefined(),
  );
});

describe("the tps meter", () => {
  it("reads 20 at the normal rate and never more", () => {
    const meter = createTpsMeter();
    for (let i = 0; i <= 3000; i++) meter.step(i, i * 50);
    expect(meter.read(3000, 150_000)).toBe(20);
    for (let i = 3001; i <= 6000; i++) meter.step(i, 150_000 + (i - 3000) * 10);
    expect(meter.read(6000, 180_000)).toBe(20);
  });

  it("falls within a minute when the world lags", () => {
    const meter = createTpsMeter();
    let now = 0;
    for (let i = 0; i < 2400; i++, now += 50) meter.step(i, now);
    for (let i = 2400; i < 2460; i++, now += 500) meter.step(i, now);
    // Thirty seconds at 20 and thirty seconds at 2.
    expect(meter.read(2460, now)).toBeCloseTo(11, 0);
  });

  it("starts over when the clock is set back", () => {
    const meter = createTpsMeter();
    for (let i = 0; i < 100; i++) meter.step(i, 1_000_000 + i * 50);
    for (let i = 100; i < 300; i++) meter.step(i, i * 50);
    expect(meter.read(300, 15_000)).toBe(20);
  });
});

describe("encoding", () => {
  it("counts bytes as UTF-8 does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), text => {
        expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it("splits names so that every part is a valid fact that fits", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 32 }), { maxLength: 900 }), names => {
        const parts = splitNames(names);
        expect(parts.flat()).toEqual(names);
        for (const part of parts) {
          const value = { is: "names", id: "a", names: part } as const;
          expect(fact(value)).toBeUndefined();
          expect(utf8Bytes(JSON.stringify(value))).toBeLessThan(FACTS_BODY_BYTES);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("requests", () => {
  it("[LIMIT-2] [LIMIT-3] are never more than three, and never larger than the limit", () => {
    const requests = createRequests({ now: () => 0, tick: () => 0 }, { cancelAll: () => {} });
    const endpoint = { url: "", post: () => new Promise<never>(() => {}) };
    const lost: unknown[] = [];
    requests.post(endpoint, "/", "x".repeat(MAX_BODY_BYTES + 1), 5, reply => lost.push(reply));
    for (let i = 0; i < 4; i++) requests.post(endpoint, "/", "{}", 5, reply => lost.push(reply));
    expect(requests.inFlight()).toBe(3);
    expect(lost).toEqual([{ fault: "BodyTooLarge" }, { fault: "TooManyRequests" }]);
  });

  it("turns an error thrown by the call into a failed request with its name", () => {
    const requests = createRequests({ now: () => 0, tick: () => 0 }, { cancelAll: () => {} });
    const lost: unknown[] = [];
    const endpoint = {
      url: "",
      post: () => {
        throw Object.assign(new Error("secret text"), { name: "UriNotAllowedError" });
      },
    };
    requests.post(endpoint, "/", "{}", 5, reply => lost.push(reply));
    expect(lost).toEqual([{ fault: "UriNotAllowedError" }]);
  });
});

describe("remembered keys", () => {
  it("are the last keys added", () => {
    const keys = createRecentKeys<true>(3);
    for (const key of ["a", "b", "c", "d", "d"]) keys.add(key, true);
    expect(["a", "b", "c", "d"].map(key => keys.has(key))).toEqual([false, true, true, true]);
  });
});
