import { afterEach, describe, expect, it } from "@jest/globals";
import { Fights } from "../../lab/demo/fights.ts";
import { type Game, travel } from "../../lab/demo/network.ts";
import { createSimulator, type Simulator } from "../../lab/simulator/simulator.ts";

const made: Simulator[] = [];
afterEach(() => {
  for (const simulator of made.splice(0)) simulator.dispose();
});

async function game(...names: string[]): Promise<Game> {
  const simulator = await createSimulator({ pack: "" });
  made.push(simulator);
  const { world } = simulator;
  for (const name of names) world.join(name);
  const join = (name: string): boolean => world.join(name).online;
  return { world, power: "on", fights: new Fights(() => world.tick), join };
}

const namesOn = ({ world }: Game): string[] => (world?.players ?? []).map(({ name }) => name).sort();

describe("the network of the demo", () => {
  it("has a player go to another server, who is on one of them at a time", async () => {
    const games = [await game("Steve", "Alex"), await game("Kai"), await game()];
    for (let i = 0; i < 50; i++) {
      expect(["Alex", "Kai"]).toContain(travel(games, "Steve"));
      expect(games.flatMap(namesOn).sort()).toEqual(["Alex", "Kai", "Steve"]);
    }
    expect(games[0] && namesOn(games[0])).toContain("Steve");
  });

  it("takes nobody from a screen, a fight or a grave, and nobody to a server that is off", async () => {
    const [from, to] = [await game("Steve", "Alex", "Kai", "Zuri"), await game()];
    const [, alex, kai, zuri] = from.world?.players ?? [];
    if (!alex || !kai || !zuri) throw new Error("nobody is there");
    alex.busy = true;
    kai.die();
    from.fights.begin(zuri, alex);
    expect(travel([from, to], "Steve")).toBeUndefined();
    alex.busy = false;
    expect(travel([from, to], "Steve")).toBeUndefined();
    expect(travel([await game("Noor"), { ...to, power: "off" }], "Steve")).toBeUndefined();
    expect(namesOn(from)).toEqual(["Alex", "Kai", "Steve", "Zuri"]);
  });
});
