import { afterEach, describe, expect, it } from "@jest/globals";
import { TestBridge } from "../helpers/bridge.ts";

const yaml = "modules.api.metrics-refresh-interval: 1s";

let bridge: TestBridge;
afterEach(() => bridge.stop());

const begin = async (...players: string[]): Promise<void> => {
  bridge = await TestBridge.start(players, { yaml });
};

interface Row {
  name: string;
  uuid: string;
  health: number;
  playtimeSeconds: number;
}
async function row(name: string): Promise<Row> {
  const { json } = await bridge.ask("/players");
  const found = (json as Row[]).find(one => one.name === name);
  if (!found) throw new Error(`${name} is not listed`);
  return found;
}

/** Waits for two more snapshots, so that what happened before is in the last of them. */
const refreshed = (): Promise<void> => bridge.tick(45);

describe("the figures of a player", () => {
  it("are counted by whoever did it, mobs are not, and survive a crash of the game but for some playtime", async () => {
    await begin("Steve", "Alex");
    const [steve, alex] = [bridge.player("Steve"), bridge.player("Alex")];
    const ways = [{ by: alex, projectile: true, ownerOnly: true }, { by: "minecraft:zombie" }, { by: steve }];
    for (const how of ways) {
      steve.die(how);
      await bridge.tick(2);
      steve.respawn();
      await bridge.tick(2);
    }
    bridge.world.mobDies("minecraft:cow", steve);
    // Twice as long as between two saves of the world.
    await bridge.tick(800);
    await refreshed();
    const before = [await row("Steve"), await row("Alex")];
    expect(before).toMatchObject([
      { deaths: 3, playerKills: 0 },
      { deaths: 0, playerKills: 1 },
    ]);
    await bridge.stopGame("kill");
    await bridge.tick(10);
    await bridge.startGame();
    await bridge.enter("Steve", "Alex");
    for (const { playtimeSeconds, ...was } of before) {
      const now = await row(was.name);
      expect(now).toMatchObject({ ...was, health: 20 });
      expect(playtimeSeconds - now.playtimeSeconds).toBeLessThanOrEqual(40);
    }
  });
});
