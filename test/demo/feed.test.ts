import { afterEach, describe, expect, it } from "@jest/globals";
import { Feed } from "../../lab/demo/panel/feed.ts";
import { createSimulator, type Simulator } from "../../lab/simulator/simulator.ts";

let simulator: Simulator;
afterEach(() => simulator?.dispose());

const texts = (feed: Feed, after = 0): string[] => feed.after(after).map(({ text }) => text);

describe("the chat of the panel", () => {
  it("tells what is said in the colours of the game, to whom, and who comes, dies and goes", async () => {
    simulator = await createSimulator({ pack: "" });
    const { world } = simulator;
    const feed = new Feed();
    const [steve, alex] = [world.join("Steve"), world.join("Alex")];
    feed.read(world);
    steve.say("§ahello §lyou");
    steve.say("psst", { targets: [alex] });
    await simulator.tick(2);
    feed.read(world);
    alex.die({ by: steve });
    steve.die({ by: "minecraft:zombie" });
    feed.read(world);
    feed.read(world);
    alex.respawn();
    feed.read(world);
    alex.die();
    alex.leave();
    feed.read(world);
    expect(texts(feed)).toEqual([
      "§#ffff55Steve joined the game",
      "§#ffff55Alex joined the game",
      "§§<Steve> §#55ff55hello you",
      "§§<Steve> psst",
      "§§<Steve> psst",
      "§§Steve was slain by Zombie",
      "§§Alex was slain by Steve",
      "§#ffff55Alex left the game",
    ]);
    expect(feed.after(3).map(({ to }) => to)).toEqual(["Steve", "Alex", undefined, undefined, undefined]);
  });

  it("keeps the newest two hundred lines, and gives each out once", async () => {
    simulator = await createSimulator({ pack: "" });
    const steve = simulator.world.join("Steve");
    const feed = new Feed();
    for (let i = 0; i < 30; i++) {
      for (let line = 0; line < 10; line++) steve.say(`line ${i * 10 + line}`);
      await simulator.tick();
      feed.read(simulator.world);
    }
    expect(texts(feed)).toHaveLength(200);
    expect(texts(feed).at(-1)).toBe("§§<Steve> line 299");
    expect(feed.after(0).map(({ number }) => number)).toEqual(Array.from({ length: 200 }, (_, i) => i + 102));
    expect(texts(feed, 300)).toEqual(["§§<Steve> line 299"]);
  });
});
