import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./testing/helpers.ts";

const events = `
  import { world, system } from "@minecraft/server";
  const on = (signal, name, show) => signal.subscribe(event => console.log(name, show(event)));
  on(world.afterEvents.playerJoin, "join", e => e.playerName + e.playerId);
  on(world.afterEvents.playerSpawn, "spawn", e => e.player.name + e.initialSpawn);
  on(world.beforeEvents.playerLeave, "leaving", e => e.player.name + e.player.isValid);
  on(world.afterEvents.playerLeave, "left", e => e.playerName + world.getAllPlayers().length);
  on(world.afterEvents.entityDie, "die", ({ deadEntity, damageSource: s }) => [deadEntity.name, s.cause,
    s.damagingEntity?.typeId, s.damagingProjectile?.getComponent("projectile").owner?.name].join());
`;

it("gives undefined instead of another pack's simulated player, in lists and in events", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    const on = (name, show) => world.afterEvents[name].subscribe(event => console.log(name, show(event)));
    on("playerJoin", e => e.playerName);
    on("playerSpawn", e => e.player);
    on("chatSend", e => [e.sender, e.message]);
    on("entityDie", e => e.deadEntity);
    on("playerLeave", e => [e.playerName, world.getAllPlayers().length]);
    world.afterEvents.worldLoad.subscribe(() => console.log("loaded"));
    world.afterEvents.playerSpawn.subscribe(() =>
      console.log(world.getAllPlayers().map(one => one?.name ?? "nobody"), world.getPlayers({ name: "Steve" }).length));
  `);
  simulator.world.join("Steve");
  await simulator.tick(5);
  const bot = simulator.world.join("Bot", { simulated: "elsewhere" });
  await simulator.tick(5);
  bot.say("hi");
  bot.die();
  await simulator.tick();
  bot.leave();
  await simulator.tick();
  expect(printed(simulator).slice(4)).toEqual([
    "playerJoin Bot",
    "playerSpawn undefined",
    '["Steve","nobody"] 1',
    'chatSend [null,"hi"]',
    "entityDie undefined",
    'playerLeave ["Bot",1]',
  ]);
  expect(errors(simulator)).toEqual([]);
});

it("invalidates the object of a player who left", async () => {
  const simulator = await game(`
    import { world, system, InvalidEntityError } from "@minecraft/server";
    world.afterEvents.playerJoin.subscribe(() => {
      const [player] = world.getAllPlayers();
      system.runTimeout(() => {
        console.log(player.isValid, player.id, player.typeId);
        for (const read of [() => player.name, () => player.getComponent("health"), () => player.sendMessage("x")]) {
          try { read(); } catch (e) { console.log(e.name, e instanceof InvalidEntityError, e instanceof Error); }
        }
      }, 2);
    });
  `);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  steve.leave();
  await simulator.tick(3);
  expect(printed(simulator)).toEqual([
    "false -4294967295 minecraft:player",
    ...Array(3).fill("InvalidEntityError true true"),
  ]);
});

it("throws when a broken player is read", async () => {
  const simulator = await game(`
    import { world, system } from "@minecraft/server";
    system.runInterval(() => {
      for (const player of world.getAllPlayers()) {
        for (const key of ["id", "isValid", "name"]) {
          try { console.log(String(player[key])); } catch { console.log("threw " + key); }
        }
      }
    });
  `);
  const ghost = simulator.world.join("Ghost", { broken: true });
  await simulator.tick();
  ghost.broken = ["name"];
  await simulator.tick();
  expect(printed(simulator)).toEqual([
    "threw id",
    "threw isValid",
    "threw name",
    ghost.id,
    "true",
    "threw name",
  ]);
});

it("kicks a player during the spawn, before or after the handlers of the pack, in one tick", async () => {
  const simulator = await game(
    `${events} on(world.afterEvents.playerSpawn, "valid", e => e.player.isValid);`,
    {
      spawnDelayTicks: 0,
    },
  );
  simulator.world.join("Alex", { kicked: "after" });
  await simulator.tick();
  expect(printed(simulator)).toEqual([
    "join Alex-4294967295",
    "spawn Alextrue",
    "valid true",
    "leaving Alextrue",
    "left Alex0",
  ]);
  simulator.world.join("Steve", { kicked: "before" });
  await simulator.tick();
  expect(printed(simulator).slice(5)).toEqual([
    "join Steve-4294967294",
    "leaving Stevetrue",
    "valid false",
    "left Steve0",
  ]);
  expect(simulator.world.players).toEqual([]);
});

it("gives a player a new object without an event", async () => {
  const simulator = await game(`${events}
    let old;
    world.afterEvents.playerSpawn.subscribe(e => { old = e.player; });
    system.runInterval(() => {
      const [now] = world.getAllPlayers();
      if (old && now !== old) console.log(old.isValid, old.id === now.id, now.name);
    });
  `);
  const steve = simulator.world.join("Steve");
  await simulator.tick(5);
  const before = printed(simulator).length;
  steve.replaceObject();
  await simulator.tick();
  expect(printed(simulator).slice(before)).toEqual(["false true Steve"]);
});
