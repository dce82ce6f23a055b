import { afterEach, describe, expect, it } from "@jest/globals";
import { type ConsoleFaultRates, createConsoleFaults } from "../../lab/simulator/console-faults.ts";
import {
  delays,
  duplicates,
  type FaultFunction,
  firstFault,
  loseRequests,
  loseResponses,
} from "../../lab/simulator/faults.ts";
import { MAX_BODY_BYTES } from "../../shared/limits.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { NO_RATES, Traffic } from "../helpers/traffic.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const mix = (seed: number): FaultFunction =>
  firstFault(
    loseResponses(0.08, seed),
    loseRequests(0.08, seed + 10),
    duplicates(0.1, seed + 20, 30),
    delays(0.2, seed + 30, 20),
  );

const NETWORKS: [string, number, (seed: number) => FaultFunction][] = [
  ["20 % of the responses lost", 1, seed => loseResponses(0.2, seed)],
  ["20 % of the requests lost", 3, seed => loseRequests(0.2, seed)],
  ["half of the requests sent twice", 4, seed => duplicates(0.5, seed, 40)],
  ["half of the requests delayed", 5, seed => delays(0.5, seed, 30)],
  ["losses, duplicates and delays mixed", 6, mix],
];

const ROUNDS = 120;
const subsequence = (part: string[], whole: string[]): boolean => {
  let at = 0;
  for (const one of whole) if (one === part[at]) at++;
  return at === part.length;
};

/** Sends messages, link requests and names while the network or the console has faults, and checks what arrived. */
async function deliver(spoil: (isSpoilt: boolean) => void): Promise<void> {
  const traffic = new Traffic(bridge, await bridge.socket(), await bridge.socket());
  spoil(true);
  for (let i = 0; i < ROUNDS; i++) {
    traffic.chat();
    if (i % 3 === 0) traffic.whitelist();
    if (i % 5 === 0) traffic.link(i % 2 === 0 ? "Steve" : "Alex");
    await bridge.tick(9);
  }
  spoil(false);
  await traffic.settle();

  expect(traffic.receivedFromGame()).toEqual(traffic.fromGame);
  expect(traffic.receivedFromWeb()).toEqual(traffic.fromWeb);

  const inGame = traffic.shownInGame();
  expect(new Set(inGame).size).toBe(inGame.length);
  expect(subsequence(inGame, traffic.fromWeb)).toBe(true);
  expect(inGame.length).toBeGreaterThan(ROUNDS / 2);
  expect(traffic.fromWeb.length - inGame.length).toBeLessThanOrEqual(traffic.failures());

  const names = bridge.world.allowList.names;
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(traffic.added));
  expect(traffic.added.length + traffic.notAdded.length).toBe(ROUNDS / 3);

  expect(traffic.linked).toHaveLength(ROUNDS / 5);
  for (const { browser, answered } of traffic.linked) {
    const pressed = traffic.pressed.get(browser.label) ?? [];
    expect([202, 500, 503]).toContain(answered);
    if (answered === 202) expect([await browser.status()]).toEqual(pressed);
    else expect([await browser.status(), pressed.length <= 1]).toEqual(["not_linked", true]);
  }
}

describe.each(NETWORKS)("a network with %s (seed %d)", (_what, seed, faults) => {
  it("[FACT-3] [FACT-4] [ACT-2] [ACT-4] [LIMIT-3] loses, duplicates and reorders nothing", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { yaml: NO_RATES });
    const { http } = bridge.running;
    await deliver(isSpoilt => http.setFaults(isSpoilt ? faults(seed) : undefined));
    const { counters } = http;
    expect(counters.inFlightMax).toBeLessThanOrEqual(3);
    expect(counters.bodiesMissing).toBe(0);
    expect(counters.largestBodyBytes).toBeLessThanOrEqual(MAX_BODY_BYTES);
  });
});

const ALL_FAULTS = { lost: 0.05, doubled: 0.05, late: 0.05, cut: 0.05, mixed: 0.05, nul: 0.05 };

const CONSOLES: [string, Omit<ConsoleFaultRates, "seed">][] = [
  ["20 % of the lines lost", { lost: 0.2 }],
  ["half of the lines doubled", { doubled: 0.5 }],
  ["lines late, cut and mixed with those of another pack", { late: 0.2, cut: 0.1, mixed: 0.2, nul: 0.2 }],
  ["20 % of the commands lost", { typedLost: 0.2 }],
  ["half of the commands doubled", { typedDoubled: 0.5 }],
  ["all of it", { ...ALL_FAULTS, typedLost: 0.1, typedDoubled: 0.1 }],
];

describe.each(CONSOLES)("a console with %s", (_what, rates) => {
  it("loses, duplicates and reorders nothing", async () => {
    const faults = createConsoleFaults({ seed: 1, ...rates });
    bridge = await TestBridge.start(["Steve", "Alex"], { over: "the console", faults, yaml: NO_RATES });
    await deliver(() => undefined);
  });
});
