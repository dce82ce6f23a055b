import { expect, it } from "@jest/globals";
import { game, printed } from "./helpers.ts";

const PACK = `
  import { world, system } from "@minecraft/server";
  import { CannotKickPlayerError, kickPlayer } from "@minecraft/server-admin";
  const tried = act => { try { act(); console.log("done"); } catch (error) { console.log(error.name); } };
  const names = () => console.log(world.getAllPlayers().map(({ name }) => name).join() || "nobody");
  world.beforeEvents.playerLeave.subscribe(({ player }) => console.log("leaving", player.name));
  world.afterEvents.playerLeave.subscribe(({ playerName }) => console.log("left", playerName));
  world.afterEvents.playerSpawn.subscribe(({ player }) => {
    system.run(() => {
      tried(() => kickPlayer(player, 5));
      tried(() => kickPlayer("Steve"));
      tried(() => kickPlayer(player, "be 100%gui.accept"));
      names();
    });
    system.runTimeout(() => { names(); tried(() => kickPlayer(player)); }, 1);
  });
`;

it("sends a player away for a script, who reads the reason and is gone with the next tick", async () => {
  const simulator = await game(PACK);
  const steve = simulator.world.join("Steve");
  await simulator.tick(10);
  expect(printed(simulator)).toEqual([
    ...["TypeError", "TypeError", "done", "Steve"],
    ...["leaving Steve", "left Steve", "nobody", "InvalidEntityError"],
  ]);
  expect(steve.online).toBe(false);
  expect(steve.sentAway).toEqual({ reason: "be 100Accept" });
});

it.each([
  ["refused", "CannotKickPlayerError"],
  ["ignored", "done"],
] as const)("sends nobody away where that is %s", async (kicks, told) => {
  const simulator = await game(PACK, { quirks: { kicks } });
  const steve = simulator.world.join("Steve");
  await simulator.tick(10);
  expect(printed(simulator)).toEqual(["TypeError", "TypeError", told, "Steve", "Steve", told]);
  expect(steve.online).toBe(true);
});
