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
});
