import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { address } from "../../behavior_pack/address.ts";
import { createFactQueue, MAX_WAITING_DEATHS } from "../../behavior_pack/bridge/fact-queue.ts";
import { LONGEST_AWAY_TICKS, LONGEST_WAIT_TICKS, waitTicks } from "../../behavior_pack/bridge/reconnect.ts";
import { createRequests } from "../../behavior_pack/bridge/requests.ts";
import { createRecentKeys } from "../../behavior_pack/recent-keys.ts";
import { createTpsMeter } from "../../behavior_pack/status/tps.ts";
import { splitNames } from "../../behavior_pack/whitelist/whitelist.ts";
import { fact } from "../../shared/facts.ts";
import { FACTS_BODY_BYTES, MAX_BODY_BYTES, MAX_FACTS } from "../../shared/limits.ts";
import { utf8Bytes } from "../../shared/text.ts";

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

describe("back-off", () => {
  it("[RETRY-2] begins at about four ticks, doubles, and never passes fifteen seconds, or one and a half", () => {
    expect([1, 2, 3, 4].map(failures => waitTicks(failures, () => 0.5))).toEqual([4, 8, 16, 32]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (n, chance) => {
          const wait = waitTicks(n, () => chance);
          expect(wait).toBeGreaterThanOrEqual(3);
          expect(wait).toBeLessThanOrEqual(LONGEST_WAIT_TICKS);
          expect(waitTicks(n, () => chance, LONGEST_AWAY_TICKS)).toBeLessThanOrEqual(LONGEST_AWAY_TICKS);
        },
      ),
    );
  });
});

describe("the tps meter", () => {
  it("reads 20 at the normal rate and never more", () => {
    const meter = createTpsMeter();
    for (let i = 0; i <= 3000; i++) meter.step(i, i * 50);
    expect(meter.read(3000, 150_000)).toBe(20);
    for (let i = 3001; i <= 6000; i++) meter.step(i, 150_000 + (i - 3000) * 10);
    expect(meter.read(6000, 180_000)).toBe(20);
  });

  it("falls within the minute when the world lags", () => {
    const meter = createTpsMeter();
    let now = 0;
    for (let i = 0; i < 2400; i++, now += 50) meter.step(i, now);
    for (let i = 2400; i < 2460; i++, now += 500) meter.step(i, now);
    // Thirty seconds at 20 and thirty seconds at 2.
    expect(meter.read(2460, now)).toBeCloseTo(11, 0);
  });

  it("begins again when the clock was set back", () => {
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

describe("the facts queue", () => {
  const said = (text: string): string => JSON.stringify({ is: "said", name: "Steve", text });

  it("[FACT-1] [FACT-2] never hands out more than fits, keeps order, and loses only chat", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("say" as const), length: fc.integer({ min: 0, max: 2000 }) }),
      fc.record({ do: fc.constant("fact" as const) }),
      fc.record({ do: fc.constant("send" as const), acknowledged: fc.integer({ min: 0, max: 300 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), steps => {
        const queue = createFactQueue();
        const got: string[] = [];
        const pushed: string[] = [];
        const sentAs = new Map<number, string>();
        const send = (acknowledged: number): void => {
          const batch = queue.take(0);
          if (batch === undefined) return;
          expect(batch.first).toBe(got.length + 1);
          expect(batch.texts.length).toBeLessThanOrEqual(MAX_FACTS);
          expect(batch.texts.join(",").length).toBeLessThanOrEqual(FACTS_BODY_BYTES);
          batch.texts.forEach((text, at) => {
            expect(sentAs.get(batch.first + at) ?? text).toBe(text);
            sentAs.set(batch.first + at, text);
          });
          got.push(...batch.texts.slice(0, acknowledged));
          queue.acknowledge(batch.first + Math.min(acknowledged, batch.texts.length) - 1);
        };
        steps.forEach((one, at) => {
          if (one.do === "send") {
            send(one.acknowledged);
            return;
          }
          const text = one.do === "say" ? said(`${at} ${"x".repeat(one.length)}`) : `{"id":${at}}`;
          pushed.push(text);
          queue.push(one.do === "say" ? "said" : "outcome", text);
        });
        while (queue.size() > 0) send(1000);
        const missing = pushed.filter(text => !got.includes(text));
        expect(pushed.filter(text => got.includes(text))).toEqual(got);
        expect(missing).toHaveLength(queue.takeDropped());
        expect(missing.every(text => text.includes("said"))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("[FACT-16] takes no further death while 100 wait to be sent, and all else", () => {
    const queue = createFactQueue();
    for (let i = 0; i < 250; i++) queue.push("died", `${i}`);
    queue.push("said", "hi");
    const texts = queue.take(0)?.texts ?? [];
    expect([texts.length, texts[MAX_WAITING_DEATHS - 1], texts.at(-1)]).toEqual([101, "99", "hi"]);
    queue.push("died", "later");
    queue.acknowledge(101);
    expect(queue.take(0)).toEqual({ first: 102, texts: ["later"] });
    expect(queue.takeDropped()).toBe(0);
  });

  it("[FACT-10] keeps the rest of a snapshot of which a part was sent, and else only the newest", () => {
    const queue = createFactQueue();
    const big = "x".repeat(30_000);
    queue.pushSnapshot([`1a${big}`, `1b${big}`]);
    expect(queue.take(0)?.texts).toHaveLength(1);
    queue.pushSnapshot(["2"]);
    queue.pushSnapshot(["3"]);
    queue.acknowledge(1);
    expect(queue.take(0)?.texts.map(text => text.slice(0, 2))).toEqual(["1b", "3"]);
  });

  it("[FACT-7] gives the number of a dropped fact to the next one", () => {
    const queue = createFactQueue();
    for (const text of ["1", "2", "3"]) queue.push("outcome", text);
    queue.take(0);
    expect(queue.refuse()).toBeUndefined();
    expect(queue.take(0)).toEqual({ first: 1, texts: ["1"] });
    expect(queue.refuse()).toBe("outcome");
    expect(queue.take(0)).toEqual({ first: 1, texts: ["2"] });
  });
});

describe("requests", () => {
  it("[LIMIT-2] [LIMIT-3] are never more than three, nor larger than the limit", () => {
    const requests = createRequests({ now: () => 0, tick: () => 0 }, { cancelAll: () => {} });
    const endpoint = { url: "", post: () => new Promise<never>(() => {}) };
    const lost: unknown[] = [];
    requests.post(endpoint, "/", "x".repeat(MAX_BODY_BYTES + 1), 5, reply => lost.push(reply));
    for (let i = 0; i < 4; i++) requests.post(endpoint, "/", "{}", 5, reply => lost.push(reply));
    expect(requests.inFlight()).toBe(3);
    expect(lost).toEqual([{ fault: "BodyTooLarge" }, { fault: "TooManyRequests" }]);
  });

  it("turns what is thrown at once into a lost request, by its name", () => {
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
  it("are the last ones added", () => {
    const seen = createRecentKeys<true>(3);
    for (const key of ["a", "b", "c", "d", "d"]) seen.add(key, true);
    expect(["a", "b", "c", "d"].map(key => seen.has(key))).toEqual([false, true, true, true]);
  });
});
