import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./helpers.ts";

const IMPORTS = `
  import { system, world, EntityDamageCause, GameMode } from "@minecraft/server";
  import { spawnSimulatedPlayer, SimulatedPlayer } from "@minecraft/server-gametest";
  const place = { x: 0, y: 64, z: 0 };
  const spawn = name =>
    spawnSimulatedPlayer({ dimension: world.getDimension("overworld"), ...place }, name, GameMode.Survival);
`;
/** Prints each event of players by its name. */
const EVENTS = `
  world.beforeEvents.chatSend.subscribe(({ sender, message }) => console.log("before " + sender.name + " " + message));
  world.afterEvents.chatSend.subscribe(({ sender, message }) => console.log("chat " + sender.name + " " + message));
  world.afterEvents.playerJoin.subscribe(({ playerName }) => console.log("join " + playerName));
  world.afterEvents.playerSpawn.subscribe(({ player, initialSpawn }) =>
    console.log("spawn " + player?.name + " " + initialSpawn + " " + (player instanceof SimulatedPlayer)));
  world.afterEvents.playerLeave.subscribe(({ playerName }) => console.log("leave " + playerName));
  world.afterEvents.entityDie.subscribe(({ deadEntity, damageSource }) =>
    console.log("die " + deadEntity.name + " " + damageSource.cause + " " + damageSource.damagingEntity?.name));
`;

it("lets a script spawn players of its own, who raise what people do", async () => {
  const simulator = await game(`${IMPORTS}${EVENTS}
    let [a, b] = [];
    const steps = [
      () => { [a, b] = [spawn("Ann Bot"), spawn("Bob")]; console.log(a.name + " " + a.persistentId.length); },
      () => {}, () => {}, () => {}, () => {},
      () => a.chat("hi"),
      () => { b.getComponent("health").setCurrentValue(1); a.attackEntity(b); },
      () => console.log("respawned " + b.respawn()),
      () => a.kill(),
      () => b.applyDamage(99, { cause: EntityDamageCause.lava }),
      () => { a.disconnect(); b.disconnect(); },
      () => console.log("valid " + a.isValid + " " + world.getAllPlayers().length),
    ];
    world.afterEvents.worldLoad.subscribe(() => system.runInterval(() => steps.shift()?.(), 1));
  `);
  await simulator.tick(15);
  expect(errors(simulator)).toEqual([]);
  expect(printed(simulator)).toEqual([
    "Ann Bot 16",
    "join Ann Bot",
    "join Bob",
    "spawn Ann Bot true true",
    "spawn Bob true true",
    "before Ann Bot hi",
    "chat Ann Bot hi",
    "die Bob entityAttack Ann Bot",
    "respawned true",
    "spawn Bob false true",
    "die Ann Bot selfDestruct undefined",
    "die Bob lava undefined",
    "leave Ann Bot",
    "leave Bob",
    "valid false 0",
  ]);
});

it("keeps the simulated players of a script over a reload, and their id over a new joining", async () => {
  const simulator = await game(`${IMPORTS}
    system.afterEvents.scriptEventReceive.subscribe(({ id }) => {
      if (id === "t:spawn") console.log(spawn("Bob").persistentId);
      else for (const player of world.getAllPlayers())
        if (player instanceof SimulatedPlayer) player.disconnect();
    });
  `);
  simulator.world.scriptEvent("t:spawn", "");
  await simulator.tick(5);
  await simulator.reload();
  simulator.world.scriptEvent("t:leave", "");
  await simulator.tick(5);
  simulator.world.scriptEvent("t:spawn", "");
  await simulator.tick(5);
  const [first, second] = printed(simulator);
  expect(first).toMatch(/^[0-9A-F]{16}$/);
  expect(second).toBe(first);
});
