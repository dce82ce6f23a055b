import { afterEach, describe, expect, it } from "@jest/globals";
import { Fights } from "../../lab/demo/fights.ts";
import { keepOnMap } from "../../lab/demo/game.ts";
import { MAP_X, MAP_Z } from "../../lab/demo/panel/protocol.ts";
import { createSimulator, type Player, type Simulator } from "../../lab/simulator/simulator.ts";

let simulator: Simulator | undefined;
afterEach(() => simulator?.dispose());

/** Two players forty blocks apart, and their fights. */
async function two(): Promise<{ fights: Fights; steve: Player; alex: Player; act(ticks: number): void }> {
  const made = await createSimulator({ pack: "" });
  simulator = made;
  const { world } = made;
  const steve = world.join("Steve", { position: { x: -20, y: 64, z: 0 } });
  const alex = world.join("Alex", { position: { x: 20, y: 64, z: 0 } });
  const fights = new Fights(() => world.tick);
  const act = (ticks: number): void => {
    for (let i = 0; i < ticks; i++) {
      fights.act();
      made.tickNow();
    }
  };
  return { fights, steve, alex, act };
}

describe("a fight", () => {
  it("begins with a run, takes health blow by blow, and ends with a death", async () => {
    const { fights, steve, alex, act } = await two();
    expect(fights.begin(steve, alex)).toBe(true);
    act(40);
    expect([steve.position.x, alex.position.x, alex.health]).toEqual([expect.closeTo(-4), 20, 20]);
    act(45);
    expect([alex.health, alex.dead]).toEqual([15, false]);
    act(40);
    expect([alex.dead, alex.killedBy, steve.health]).toEqual([true, "Steve", 20]);
    expect(fights.includes(steve) || fights.includes(alex)).toBe(false);
  });
});

describe("players", () => {
  it("who walk off turn back at the edge of the map, and stay where they died", async () => {
    const { steve, act } = await two();
    steve.walk(0.9, 0.5);
    let farthest = 0;
    for (let i = 0; i < 400; i++) {
      keepOnMap(steve);
      act(1);
      const { x, z } = steve.position;
      farthest = Math.max(farthest, Math.abs(x) / MAP_X, Math.abs(z) / MAP_Z);
    }
    expect(farthest).toBeGreaterThan(0.85);
    expect(farthest).toBeLessThan(1);
    steve.walk(0.1, 0);
    steve.die();
    keepOnMap(steve);
    const { x } = steve.position;
    act(10);
    expect(steve.position.x).toBe(x);
  });
});
