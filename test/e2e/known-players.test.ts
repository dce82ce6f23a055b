import { afterEach, describe, expect, it } from "@jest/globals";
import type { KnownPlayerData, KnownPlayers } from "../../client/index.ts";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { TestBridge } from "../helpers/bridge.ts";

const KEY = "a key that reads of players 0123456789";
const yaml = `modules: {api: {metrics-refresh-interval: 1s, known-players: {show: everybody},
  admin-keys: [{name: reader, sha256: "${sha256Of(KEY)}", scopes: ["players:read"]}]}}`;

let bridge: TestBridge;
afterEach(() => bridge.stop());

const all = async (): Promise<KnownPlayers> => (await bridge.ask("/known-players")).json as KnownPlayers;
async function one(name: string): Promise<KnownPlayerData> {
  const found = (await all()).players.find(player => player.name === name);
  const headers = { "X-Service-Api-Key": KEY };
  return (await bridge.ask(`/known-players/${found?.uuid ?? "-"}`, { headers })).json as KnownPlayerData;
}
const isKnown = async (expected: Partial<KnownPlayerData>, name = "Steve"): Promise<boolean> => {
  const known = await one(name);
  return Object.entries(expected).every(([key, value]) => known[key as keyof KnownPlayerData] === value);
};

describe("a player who has been here", () => {
  it("is known with visits, figures and stays, whatever is started anew meanwhile", async () => {
    bridge = await TestBridge.start(["Steve", "Alex"], { yaml });
    bridge.player("Alex").die({ by: bridge.player("Steve") });
    await bridge.until(() => isKnown({ visits: 1, online: true, playerKills: 1 }));
    await bridge.until(() => isKnown({ deaths: 1 }, "Alex"));

    // The script, the sidecar, and the sidecar while the script begins anew.
    await bridge.tick(60);
    const { playtimeSeconds } = await one("Steve");
    await bridge.running.reload();
    await bridge.tick(60);
    const reloaded = (await one("Steve")).playtimeSeconds;
    expect(reloaded).toBeGreaterThanOrEqual(playtimeSeconds);
    await bridge.stopSidecar();
    await bridge.tick(60);
    await bridge.running.reload();
    await bridge.startSidecar();
    await bridge.enter();
    await bridge.tick(60);
    const stayed = await one("Steve");
    expect(stayed).toMatchObject({ visits: 1, online: true, playerKills: 1, stays: [{ to: null }] });
    expect(stayed.playtimeSeconds).toBeGreaterThan(reloaded);

    bridge.player("Steve").leave();
    await bridge.until(() => isKnown({ online: false }));
    const away = await one("Steve");
    bridge.join("Steve");
    await bridge.until(() => isKnown({ visits: 2, online: true }));
    await bridge.stopGame("kill");
    await bridge.tick(20);
    await bridge.startGame();
    await bridge.enter("Steve");
    await bridge.until(() => isKnown({ visits: 3 }));
    const back = await one("Steve");
    expect(back).toMatchObject({ visits: 3, playerKills: 1, firstSeen: away.firstSeen });
    expect(back.playtimeSeconds).toBeGreaterThanOrEqual(away.playtimeSeconds);
    expect(back.stays?.map(({ to }) => to === null)).toEqual([true, false, false]);
    expect(await isKnown({ visits: 1, online: false }, "Alex")).toBe(true);
    expect((await all()).total).toBe(2);
  });
});
