import { afterEach, describe, expect, it } from "@jest/globals";
import type { SimulatorOptions } from "../../lab/simulator/types.ts";
import { TestBridge } from "../helpers/bridge.ts";
import { TOKEN } from "../helpers/sidecar.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const OTHER = "another-token-of-the-bridge-0123456789";

/** A game with these settings beside a running sidecar. */
async function begin(settings: (url: string) => Partial<SimulatorOptions>): Promise<void> {
  bridge = new TestBridge();
  await bridge.startSidecar();
  await bridge.startGame(settings(bridge.bridgeUrl));
  bridge.join("Steve");
}

describe("a wrong token", () => {
  it("is logged once, keeps the pack disconnected, and no longer matters once both are the same", async () => {
    await begin(() => ({ secrets: { "bridge-token": OTHER } }));
    await bridge.tick(250);
    expect(bridge.linesWith("rejected the token")).toHaveLength(1);
    expect(bridge.linesWith("")).toHaveLength(1);
    expect(bridge.running.http.counters.total).toBeLessThan(15);
    expect((await bridge.ask("/players")).status).toBe(503);
    await bridge.stopSidecar();
    await bridge.startSidecar({ token: OTHER });
    await bridge.enter();
    await bridge.until(() => bridge.linesWith("connected to the sidecar").length === 1);
    expect(bridge.consoleText).not.toContain(OTHER);
    expect(bridge.side?.log.text).not.toContain(OTHER);
  });
});

describe("a second game server at one sidecar", () => {
  it("[SESSION-3] [SESSION-6] takes over, and the first one logs that each minute and hardly sends requests", async () => {
    const variables = (url: string, name: string) => ({ "bridge-url": url, "world-name": name });
    bridge = new TestBridge();
    await bridge.startSidecar();
    await bridge.startGame({ variables: variables(bridge.bridgeUrl, "One") });
    await bridge.enter("Steve");
    const first = bridge.running;
    const second = await bridge.startGame({ variables: variables(bridge.bridgeUrl, "Two") });
    bridge.onTick = () => first.tickNow();
    try {
      bridge.join("Alex");
      await bridge.until(async () => (await bridge.ask("/players")).text.includes('"name":"Alex"'));
      first.http.resetCounters();
      await bridge.tick(1_200);
      expect((await bridge.ask("/players")).text).not.toContain("Steve");
      expect(first.console.map(({ line }) => line)).toEqual([
        expect.stringContaining("connected to the sidecar"),
        ...Array(2).fill(expect.stringContaining("taken over this bridge (session_replaced, world: Two)")),
      ]);
      for (const line of ["A different world has connected", "Two game servers use the same token"])
        expect(bridge.side?.log.text).toContain(line);
      expect(first.http.counters.total).toBeLessThanOrEqual(4);
      expect(second.console).toHaveLength(1);
    } finally {
      first.dispose();
    }
    bridge.onTick = undefined;
  });
});

describe("a setting of the game", () => {
  it.each<[string, string, Partial<SimulatorOptions>]>([
    ["no bridge-url", "bridge-url", { variables: {} }],
    ["a bridge-url that is no address", "bridge-url", { variables: { "bridge-url": "localhost" } }],
    ["no bridge-token", "bridge-token", { secrets: {} }],
  ])("that is missing or invalid is logged once (%s)", async (_what, name, settings) => {
    await begin(() => settings);
    await bridge.tick(200);
    expect(bridge.linesWith("")).toEqual([expect.stringContaining(`"${name}"`)]);
    expect(bridge.running.http.counters.total).toBe(0);
    expect(bridge.consoleText).not.toContain(TOKEN);
  });
});
