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
const send = (playerName: string, method = "DELETE"): Promise<Answer> =>
  bridge.ask("/whitelist", { method, headers, body: { playerName } });
const remove = async (playerName: string): Promise<number> => (await bridge.during(send(playerName))).status;
const add = async (name: string): Promise<number> => (await bridge.during(send(name, "POST"))).status;

describe("a name that is taken off the whitelist", () => {
  it("is gone from the game's own list, and nothing else is", async () => {
    await begin();
    for (const name of ["Noor", "noor", "Gamer Tag", "名前"]) bridge.world.allowList.put({ name });
    bridge.world.allowList.put({ xuid: "2535000000000001" });
    expect(await remove("Noor")).toBe(200);
    expect(await remove("Gamer Tag")).toBe(200);
    expect(bridge.world.allowList.names).toEqual(["noor", "名前"]);
    expect(bridge.world.allowList.entries).toHaveLength(3);
    expect([await remove("Noor"), await remove("Gamer Tag")]).toEqual([404, 400]);
  });

  it("may be listed many times, and is gone in all its entries", async () => {
    const entry = { name: "Noor", ignoresPlayerLimit: false };
    await begin();
    for (const xuid of ["1", "2", "3"]) bridge.world.allowList.put({ ...entry, xuid });
    bridge.world.allowList.put({ name: "Noor", xuid: "4" });
    expect(bridge.world.allowList.names).toHaveLength(4);
    expect(await remove("Noor")).toBe(200);
    expect(bridge.world.allowList.names).toEqual([]);
  });

  it("is not let in any more, and not kicked when it is in", async () => {
    await begin();
    bridge.world.allowList.enabled = true;
    expect(await add("Noor")).toBe(202);
    await bridge.enter("Noor");
    expect(await remove("Noor")).toBe(200);
    expect((await bridge.ask("/players")).text).toContain("Noor");
    bridge.player("Noor").leave();
    await bridge.tick(2);
    expect(() => bridge.join("Noor")).toThrow("allow list");
  });

  it("can be put on it again at once, and taken off at once", async () => {
    await begin();
    for (let round = 0; round < 5; round++)
      expect([await add("Noor"), await remove("Noor")]).toEqual([202, 200]);
    expect(await add("Noor")).toBe(202);
    expect(bridge.world.allowList.names).toEqual(["Noor"]);
  });

  it("is off or on as the last answer says, whatever else is asked at the same moment", async () => {
    await begin();
    for (let round = 0; round < 5; round++) {
      const asked = ["POST", "DELETE", "POST", "DELETE", "POST"].map(method => send("Noor", method));
      const answers = await bridge.during(Promise.all(asked));
      for (const { status } of answers) expect([200, 202, 404]).toContain(status);
      const isOn = bridge.world.allowList.names.includes("Noor");
      expect(await remove("Noor")).toBe(isOn ? 200 : 404);
    }
  });

  it("is waited for where the game is slow to show it", async () => {
    await begin({ allowListDelayTicks: 15 });
    bridge.world.allowList.put({ name: "Noor" });
    await bridge.tick(20);
    const asked = bridge.world.tick;
    expect(await remove("Noor")).toBe(200);
    expect(bridge.world.tick - asked).toBeGreaterThanOrEqual(15);
    expect(bridge.world.allowList.names).toEqual([]);
  });

  it("is one of thousands, and many of them at once do not hold the game up", async () => {
    await begin();
    const names = Array.from({ length: 3_000 }, (_, i) => `player_${`${i}`.padStart(4, "0")}`);
    for (const name of names) bridge.world.allowList.put({ name });
    const answers = await bridge.during(Promise.all(names.slice(0, 40).map(name => send(name))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(bridge.world.allowList.names).toEqual(names.slice(40));
  });

  it("is still there, with 500, where the game cannot change its list", async () => {
    await begin();
    bridge.world.allowList.put({ name: "Noor" });
    bridge.world.allowList.failure = "the file cannot be written";
    const answer = await bridge.during(send("Noor"));
    expect(answer.json).toEqual({ error: "unexpected_result" });
    expect(bridge.side?.log.text).toContain("AllowListModificationError");
    bridge.world.allowList.failure = undefined;
    expect(await remove("Noor")).toBe(200);
  });
});
