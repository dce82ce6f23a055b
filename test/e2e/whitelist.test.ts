import { afterEach, describe, expect, it } from "@jest/globals";
import type { SimulatorOptions } from "../../lab/simulator/types.ts";
import { TestBridge } from "../helpers/bridge.ts";
import type { Answer } from "../helpers/client.ts";
import { ADMIN_KEY } from "../helpers/sidecar.ts";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const headers = { "X-Service-Api-Key": ADMIN_KEY };
const begin = async (game: Partial<SimulatorOptions> = {}): Promise<void> => {
  bridge = await TestBridge.start(["Steve"], undefined, game);
};
const send = (playerName: string): Promise<Answer> =>
  bridge.ask("/whitelist", { headers, body: { playerName } });
const add = async (playerName: string): Promise<number> => (await bridge.during(send(playerName))).status;
const list = async (): Promise<unknown> => (await bridge.askGame("/whitelist", { headers })).json;

describe("the whitelist", () => {
  it("is the game's own list, sorted by code unit", async () => {
    await begin();
    expect(await list()).toEqual([]);
    for (const name of ["b", "Z", "_x", "a1", "A"]) expect(await add(name)).toBe(202);
    expect(await list()).toEqual(["A", "Z", "_x", "a1", "b"]);
    expect(bridge.world.allowList.names).toEqual(["b", "Z", "_x", "a1", "A"]);
  });

  it("holds a name that was there already once, and says 202", async () => {
    await begin();
    bridge.world.allowList.put({ name: "Herobrine" });
    expect(await add("Herobrine")).toBe(202);
    expect(await add("Herobrine")).toBe(202);
    expect(bridge.world.allowList.names).toEqual(["Herobrine"]);
    expect(await list()).toEqual(["Herobrine"]);
  });

  it("shows names that only the game can put there, and leaves out entries without one", async () => {
    await begin();
    bridge.world.allowList.put({ name: "Gamer Tag" });
    bridge.world.allowList.put({ name: "名前" });
    bridge.world.allowList.put({ xuid: "2535000000000001" });
    expect(await list()).toEqual(["Gamer Tag", "名前"]);
  });

  it("lets a player in whom it did not let in before", async () => {
    await begin();
    bridge.world.allowList.enabled = true;
    expect(() => bridge.join("Noor")).toThrow("allow list");
    expect(await add("Noor")).toBe(202);
    await bridge.enter("Noor");
    expect(await list()).toEqual(["Noor"]);
  });

  it("survives a restart of the game and a crash", async () => {
    await begin();
    expect(await add("Noor")).toBe(202);
    for (const how of ["stop", "kill"] as const) {
      await bridge.stopGame(how);
      await bridge.startGame();
      await bridge.enter("Steve");
      expect(await list()).toEqual(["Noor"]);
    }
  });

  it("holds a thousand names", async () => {
    await begin();
    const names = Array.from({ length: 1_000 }, (_, i) => `player_${`${i}`.padStart(4, "0")}`);
    for (const name of names) bridge.world.allowList.put({ name });
    expect(await list()).toEqual(names);
    expect(bridge.running.http.counters.largestBodyBytes).toBeLessThanOrEqual(65_536);
  });
});

describe("a game that is slow to show a change", () => {
  it("is waited for: the answer comes when the name can be read", async () => {
    await begin({ allowListDelayTicks: 15 });
    const asked = bridge.world.tick;
    expect(await add("Noor")).toBe(202);
    expect(bridge.world.tick - asked).toBeGreaterThanOrEqual(15);
    expect(await list()).toEqual(["Noor"]);
  });

  it("takes the same name twice at the same moment and lists it once", async () => {
    await begin({ allowListDelayTicks: 15 });
    const answers = await bridge.during(Promise.all([send("Noor"), send("Noor"), send("Alex")]));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(bridge.world.allowList.names.toSorted()).toEqual(["Alex", "Noor"]);
  });

  it("does not hold up anything else", async () => {
    await begin({ allowListDelayTicks: 15 });
    const asked = send("Noor");
    const socket = await bridge.socket();
    socket.say("meanwhile");
    const steve = bridge.player("Steve");
    await bridge.until(() => steve.chat.length > 0, 10);
    expect((await bridge.during(asked)).status).toBe(202);
  });

  it("gives 500 when the name never shows up", async () => {
    await begin({ allowListDelayTicks: 10_000 });
    expect(await add("Noor")).toBe(500);
  });
});

describe("a game that cannot change its list", () => {
  it("gives 500 with a reason in the sidecar's log only", async () => {
    await begin();
    bridge.world.allowList.failure = "the file cannot be written";
    const answer = await bridge.during(send("Noor"));
    expect(answer.json).toEqual({ error: "unexpected_result" });
    expect(bridge.side?.log.text).toContain("AllowListModificationError");
    expect(bridge.world.allowList.names).toEqual([]);
    bridge.world.allowList.failure = undefined;
    expect(await add("Noor")).toBe(202);
  });

  it.each(["DedicatedServerUtils.allowList", "@minecraft/server-admin.dedicatedServer"])(
    "since it has no %s gives 500 and names that once on its console",
    async omit => {
      await begin({ omit: [omit] });
      const read = await bridge.askGame("/whitelist", { headers });
      expect([read.status, read.json]).toEqual([500, { error: "unexpected_result" }]);
      expect(await add("Noor")).toBe(500);
      expect(await add("Noor")).toBe(500);
      expect(bridge.linesWith("does not offer")).toEqual([expect.stringContaining("allowlist cannot")]);
      expect((await bridge.ask("/status")).status).toBe(200);
    },
  );
});
