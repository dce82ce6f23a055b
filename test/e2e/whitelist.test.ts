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
const send = (playerName: string, method = "POST"): Promise<Answer> =>
  bridge.ask("/whitelist", { method, headers, body: { playerName } });
const add = async (name: string): Promise<number> => (await bridge.during(send(name))).status;
const remove = async (name: string): Promise<number> => (await bridge.during(send(name, "DELETE"))).status;
const list = async (): Promise<unknown> => (await bridge.askGame("/whitelist", { headers })).json;

describe("the whitelist", () => {
  it("is the game's own list, whoever has put a name there", async () => {
    await begin();
    for (const name of ["Gamer Tag", "名前"]) bridge.world.allowList.put({ name });
    bridge.world.allowList.put({ xuid: "2535000000000001" });
    for (const name of ["b", "Z", "b"]) expect(await add(name)).toBe(202);
    expect(await list()).toEqual(["Gamer Tag", "Z", "b", "名前"]);
    for (const name of ["b", "Gamer Tag"]) expect(await remove(name)).toBe(200);
    expect(bridge.world.allowList.names).toEqual(["名前", "Z"]);
    expect(bridge.world.allowList.entries).toHaveLength(3);
    expect([await remove("b"), await remove("Gamer Tag")]).toEqual([404, 400]);
  });

  it("lets a player in whom it did not let in before, and kicks nobody who is taken off", async () => {
    await begin();
    bridge.world.allowList.enabled = true;
    expect(() => bridge.join("Noor")).toThrow("allow list");
    expect(await add("Noor")).toBe(202);
    await bridge.enter("Noor");
    expect(await remove("Noor")).toBe(200);
    expect((await bridge.ask("/players")).text).toContain("Noor");
    bridge.player("Noor").leave();
    await bridge.tick(2);
    expect(() => bridge.join("Noor")).toThrow("allow list");
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

  it("holds thousands of names, of which many can be taken off at once", async () => {
    await begin();
    const names = Array.from({ length: 3_000 }, (_, i) => `player_${`${i}`.padStart(4, "0")}`);
    for (const name of names) bridge.world.allowList.put({ name });
    expect(await list()).toEqual(names);
    expect(bridge.running.http.counters.largestBodyBytes).toBeLessThanOrEqual(65_536);
    const answers = await bridge.during(Promise.all(names.slice(0, 40).map(name => send(name, "DELETE"))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(bridge.world.allowList.names).toEqual(names.slice(40));
  });

  it("holds what was added before it was asked for, whoever reads it meanwhile", async () => {
    await begin();
    const names = ["a", "b", "c", "d", "e"];
    const read = (): Promise<Answer> => bridge.ask("/whitelist", { headers });
    let adding = true;
    const readers = Array.from({ length: 8 }, async () => {
      while (adding) expect((await read()).status).toBe(200);
    });
    const writer = async (): Promise<void> => {
      for (const [i, name] of names.entries()) {
        expect((await send(name)).status).toBe(202);
        expect((await read()).json).toEqual(names.slice(0, i + 1));
      }
      adding = false;
    };
    await bridge.during(Promise.all([writer(), ...readers]));
  });

  it("has a name or has it not as the last answer says, whatever else is asked at the same moment", async () => {
    await begin();
    for (let round = 0; round < 5; round++) {
      const asked = ["POST", "DELETE", "POST", "DELETE", "POST"].map(method => send("Noor", method));
      const answers = await bridge.during(Promise.all(asked));
      for (const { status } of answers) expect([200, 202, 404]).toContain(status);
      const isOn = bridge.world.allowList.names.includes("Noor");
      expect(await remove("Noor")).toBe(isOn ? 200 : 404);
    }
  });
});

describe("a game that is slow to show a change", () => {
  it("is waited for, and holds up nothing else", async () => {
    await begin({ allowListDelayTicks: 15 });
    const asked = bridge.world.tick;
    const sent = Promise.all([send("Noor"), send("Noor"), send("Alex")]);
    const socket = await bridge.socket();
    socket.say("meanwhile");
    await bridge.until(() => bridge.player("Steve").chat.length > 0, 10);
    expect((await bridge.during(sent)).map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(bridge.world.tick - asked).toBeGreaterThanOrEqual(15);
    expect(await list()).toEqual(["Alex", "Noor"]);
  });
});
