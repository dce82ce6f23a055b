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

it("hands the events that the console gives to those who listen to their namespace", async () => {
  const simulator = await game(`
    import { system } from "@minecraft/server";
    const tell = who => ({ id, message, sourceType }) => console.log([who, id, message, sourceType].join(" "));
    system.afterEvents.scriptEventReceive.subscribe(tell("all"));
    system.afterEvents.scriptEventReceive.subscribe(tell("own"), { namespaces: ["prove"] });
  `);
  simulator.world.scriptEvent("prove:ask", '{"id":7}');
  simulator.world.scriptEvent("other:thing", "");
  await simulator.tick();
  expect(printed(simulator)).toEqual([
    'all prove:ask {"id":7} Server',
    'own prove:ask {"id":7} Server',
    "all other:thing  Server",
  ]);
});

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

it("refuses a second simulated player of the same name, and one that is no place or name", async () => {
  const simulator = await game(`${IMPORTS}
    world.afterEvents.worldLoad.subscribe(() => {
      spawn("Bob");
      for (const attempt of [() => spawn("Bob"), () => spawn(7), () => spawnSimulatedPlayer(place, "Al", "Survival")])
        try { attempt(); } catch (error) { console.log(error.name); }
    });
  `);
  await simulator.tick(2);
  expect(printed(simulator)).toEqual(["EngineError", "TypeError", "TypeError"]);
  expect(simulator.world.player("Bob").xuid).toBe("");
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

it("knows the place where the world begins, and its dimensions", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    world.afterEvents.worldLoad.subscribe(() => {
      console.log(world.getDimension("overworld").id, JSON.stringify(world.getDefaultSpawnLocation()));
      world.getDimension("moon");
    });
  `);
  await simulator.tick();
  expect(printed(simulator)[0]).toContain('minecraft:overworld {"x":0,"y":32767,"z":0}');
  expect(errors(simulator).join()).toContain("InvalidArgumentError: Dimension 'moon' is invalid.");
});
