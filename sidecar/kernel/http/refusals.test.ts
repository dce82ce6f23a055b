import { describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import { RecordingLog } from "../../../test/helpers/log.ts";
import type { Limit } from "./refusals.ts";
import { createRefusals } from "./refusals.ts";

function stage() {
  const [clock, log] = [new ManualClock(), new RecordingLog()];
  const counted: Limit[] = [];
  const others: { lines: number; from: string }[] = [];
  const refusals = createRefusals({
    clock,
    log,
    shared: { publish: () => undefined, others: () => others },
    counted: limit => counted.push(limit),
  });
  return { clock, log, counted, others, ...refusals };
}

const MINUTE_MS = 60_000;

describe("a client that reaches a limit", () => {
  it("is logged within a minute, with address, count and limits", () => {
    const { clock, log, count, counted } = stage();
    for (let i = 0; i < 3; i++) count("socket", "203.0.113.7");
    count("link-address", "203.0.113.7");
    count("everybody", "2001:db8:0:0::/64");
    expect(log.lines).toEqual([]);
    clock.advance(MINUTE_MS);
    const message = "Rejected requests over the limits";
    expect(log.lines).toEqual([
      {
        level: "warn",
        message,
        fields: { address: "203.0.113.7", refused: 4, limits: { socket: 3, "link-address": 1 } },
      },
      {
        level: "warn",
        message,
        fields: { address: "2001:db8:0:0::/64", refused: 1, limits: { everybody: 1 } },
      },
    ]);
    expect(counted).toHaveLength(5);
  });

  it("shares ten lines a minute with all others, the last of which is a summary", () => {
    const { clock, log, count } = stage();
    for (let i = 0; i < 1_000; i++)
      for (let n = 0; n <= (i < 9 ? 9 - i : 0); n++) count("socket", `10.0.${i}`);
    clock.advance(5_000);
    expect(log.lines).toHaveLength(10);
    expect(log.lines[0]?.fields).toMatchObject({ address: "10.0.0", refused: 10 });
    expect(log.lines[8]?.fields).toMatchObject({ address: "10.0.8", refused: 2 });
    expect(log.lines[9]?.fields).toEqual({ addresses: 991, refused: 991, atLeast: false });
  });

  it("cannot fill memory or log with 100,000 addresses", () => {
    const { clock, log, count, lastMinute } = stage();
    for (let i = 0; i < 100_000; i++) count("socket", `address ${i}`);
    expect(lastMinute()?.lines).toBe(100_000);
    clock.advance(MINUTE_MS);
    expect(log.lines).toHaveLength(10);
    expect(log.lines[9]?.fields).toEqual({ addresses: 9_991, refused: 99_991, atLeast: true });
  });
});

describe("the messages rejected in the last minute", () => {
  it("are counted for a minute, with the address of most", () => {
    const { clock, count, lastMinute } = stage();
    expect(lastMinute()).toBeUndefined();
    for (let i = 0; i < 11; i++) count("socket", "203.0.113.7");
    clock.advance(10_000);
    count("address", "203.0.113.8");
    count("link-address", "203.0.113.9");
    count("refusals", "203.0.113.7");
    expect(lastMinute()).toEqual({ lines: 12, from: "203.0.113.7" });
    clock.advance(49_000);
    expect(lastMinute()).toEqual({ lines: 12, from: "203.0.113.7" });
    clock.advance(6_000);
    expect(lastMinute()).toEqual({ lines: 1, from: "203.0.113.8" });
    clock.advance(60_000);
    expect(lastMinute()).toBeUndefined();
  });

  it("include those that other sidecars have rejected", () => {
    const { count, lastMinute, others } = stage();
    others.push({ lines: 5, from: "203.0.113.8" }, { lines: 2, from: "203.0.113.9" });
    expect(lastMinute()).toEqual({ lines: 7, from: "203.0.113.8" });
    for (let i = 0; i < 6; i++) count("socket", "203.0.113.7");
    expect(lastMinute()).toEqual({ lines: 13, from: "203.0.113.7" });
  });
});
