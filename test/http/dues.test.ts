import { beforeEach, describe, expect, it } from "@jest/globals";
import { MOST_WAIT_MS } from "../../sidecar/domain/crowds.ts";
import { perMinute } from "../../sidecar/domain/rate.ts";
import { createDues } from "../../sidecar/http/crowds/dues.ts";
import type { Rates } from "../../sidecar/ports.ts";
import { createMemoryRates } from "../../sidecar/store/rates.ts";
import { ManualClock } from "../helpers/clock.ts";
import { LateRates } from "../helpers/late-rates.ts";

const KIB = 1024;
/** Costs four of the 60 that an address has, of which one comes back each second. */
const PIECE = 64 * KIB;

interface Client {
  name: string;
  address: string;
}

let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

/** Clients that pay, and what became of them. */
function stage(rates: Pick<Rates, "take"> = createMemoryRates(clock)) {
  const told: string[] = [];
  const tell =
    (what: string) =>
    ({ name }: Client) =>
      void told.push(`${name} ${what}`);
  const dues = createDues<Client>({
    clock,
    rates,
    rate: { name: "catch-up", ...perMinute(60) },
    goOn: tell("goes on"),
    wait: tell("waits"),
    again: tell("tries"),
    giveUp: tell("gives up"),
    failed: tell("fails"),
  });
  return {
    dues,
    /** what has been told since the last time */
    told: () => told.splice(0),
    client: (name: string, address = "a"): Client => ({ name, address }),
    /** An address pays all that it has. */
    spend(address = "a"): void {
      for (let i = 0; i < 15; i++) expect(dues.pay({ name: "spender", address }, PIECE)).toBe(true);
    },
  };
}

describe("a client", () => {
  it("pays each whole 16 KiB, and less than that costs nothing", () => {
    const { client, dues, told } = stage();
    const one = client("one");
    for (let i = 0; i < 20; i++) expect(dues.pay(one, 32 * KIB + 1)).toBe(true);
    for (let i = 0; i < 20; i++) expect(dues.pay(one, 2 * KIB)).toBe(true);
    for (let i = 0; i < 20; i++) expect(dues.pay(one, 16 * KIB)).toBe(true);
    expect(told()).toEqual([]);
    expect(dues.pay(one, 16 * KIB)).toBe(false);
  });

  it("waits where its address cannot pay, tries when it can, and needs to wait for nobody of other addresses", () => {
    const { client, dues, spend, told } = stage();
    spend();
    const one = client("one");
    expect(dues.pay(one, PIECE)).toBe(false);
    expect(dues.pay(client("other", "b"), PIECE)).toBe(true);
    clock.advance(3_999);
    expect(told()).toEqual(["one waits"]);
    clock.advance(1);
    expect(told()).toEqual(["one tries"]);
    expect(dues.pay(one, PIECE)).toBe(true);
    clock.advance(2 * MOST_WAIT_MS);
    expect(told()).toEqual([]);
  });

  it("gives up after five minutes of waiting", () => {
    const { client, dues, spend, told } = stage();
    spend();
    const [one, two] = [client("one"), client("two")];
    for (const each of [one, two]) dues.pay(each, PIECE);
    clock.advance(MOST_WAIT_MS - 1);
    expect(told()).not.toContain("two gives up");
    clock.advance(1);
    expect(told()).toContain("two gives up");
    // Nobody waits any more.
    expect(dues.pay(client("three"), PIECE)).toBe(true);
  });

  it("that costs nothing waits for nobody", () => {
    const { client, dues, spend } = stage();
    spend();
    expect(dues.pay(client("one"), PIECE)).toBe(false);
    expect(dues.pay(client("two"), 16 * KIB - 1)).toBe(true);
  });
});

describe("clients of one address", () => {
  it("wait in line, in which the first alone tries, and the next when that has paid or gone", () => {
    const { client, dues, spend, told } = stage();
    spend();
    const [one, two, three] = [client("one"), client("two"), client("three")];
    for (const each of [one, two, three]) expect(dues.pay(each, PIECE)).toBe(false);
    // It has come back by now for one that asks for less, who is not first.
    clock.advance(2_000);
    expect(dues.pay(client("four"), 16 * KIB)).toBe(false);
    expect(told()).toEqual(["one waits", "two waits", "three waits", "four waits"]);
    clock.advance(2_000);
    expect(told()).toEqual(["one tries"]);
    expect(dues.pay(one, PIECE)).toBe(true);
    expect(told()).toEqual(["two tries"]);
    expect(dues.pay(two, PIECE)).toBe(false);
    expect(told()).toEqual(["two waits"]);
    dues.forget(three);
    dues.forget(two);
    expect(told()).toEqual(["four tries"]);
  });

  it("that have begun come before those that have not", () => {
    const { client, dues, spend, told } = stage();
    const one = client("one");
    expect(dues.pay(one, 0)).toBe(true);
    for (let i = 0; i < 2; i++) expect(dues.pay(one, PIECE)).toBe(true);
    clock.advance(8_000);
    spend();
    const two = client("two");
    for (const each of [two, one]) expect(dues.pay(each, PIECE)).toBe(false);
    clock.advance(4_000);
    expect(told()).toEqual(["two waits", "one waits", "one tries"]);
    expect(dues.pay(one, PIECE)).toBe(true);
    expect(told()).toEqual(["two tries"]);
  });
});

describe("where it is counted elsewhere", () => {
  it("a client goes on once its address has paid, and is not asked to pay that again", async () => {
    const rates = new LateRates(clock);
    const { client, dues, told } = stage(rates);
    const one = client("one");
    expect(dues.pay(one, PIECE)).toBe(false);
    await turn();
    expect(told()).toEqual(["one goes on"]);
    expect(dues.pay(one, PIECE)).toBe(true);
    for (let left = 60 - 4; left > 0; left -= 4) {
      expect(dues.pay(one, PIECE)).toBe(false);
      await turn();
      expect(dues.pay(one, PIECE)).toBe(true);
    }
    told();
    expect(dues.pay(one, PIECE)).toBe(false);
    await turn();
    clock.advance(4_000);
    expect(told()).toEqual(["one waits", "one tries"]);
  });

  it("a client that goes meanwhile is in nobody's way", async () => {
    const rates = new LateRates(clock);
    const { client, dues, told } = stage(rates);
    const one = client("one");
    for (let i = 0; i < 16; i++) {
      dues.pay(one, PIECE);
      if (i === 15) dues.forget(one);
      await turn();
      dues.pay(one, 0);
    }
    told();
    expect(dues.pay(client("two"), PIECE)).toBe(false);
    await turn();
    clock.advance(4_000);
    expect(told()).toEqual(["two waits", "two tries"]);
  });

  it("a client ends where that is broken", async () => {
    const rates = new LateRates(clock);
    rates.mode = "broken";
    const { client, dues, told } = stage(rates);
    expect(dues.pay(client("one"), PIECE)).toBe(false);
    await turn();
    expect(told()).toEqual(["one fails"]);
  });
});

/** Answers that come in another turn have come. */
async function turn(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise(setImmediate);
}
