import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./helpers.ts";

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

it("tells of joining, spawning and leaving", async () => {
  const simulator = await game(events);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  expect(printed(simulator)).toEqual(["join Steve-4294967295"]);
  await simulator.tick(3);
  expect(printed(simulator).at(-1)).toBe("spawn Stevetrue");
  steve.leave();
  await simulator.tick();
  expect(printed(simulator).slice(-2)).toEqual(["leaving Stevetrue", "left Steve0"]);
  expect(errors(simulator)).toEqual([]);
});

it("gives undefined in the place of another pack's simulated player, in lists and in events", async () => {
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

it("flushes deaths before joins, and leaves last", async () => {
  const simulator = await game(events);
  const steve = simulator.world.join("Steve");
  await simulator.tick(5);
  steve.die();
  simulator.world.join("Alex").leave();
  const before = printed(simulator).length;
  await simulator.tick();
  const kinds = printed(simulator)
    .slice(before)
    .map(line => line.split(" ")[0]);
  expect(kinds).toEqual(["leaving", "die", "join", "left"]);
});

it("names killers by hand, by arrow and by mob", async () => {
  const simulator = await game(events);
  const steve = simulator.world.join("Steve");
  const alex = simulator.world.join("Alex");
  await simulator.tick(5);
  const death = async (options: Parameters<typeof steve.die>[0]) => {
    steve.die(options);
    await simulator.tick();
    expect(steve.health).toBe(0);
    steve.respawn();
    const line = printed(simulator).at(-1);
    await simulator.tick();
    expect(printed(simulator).at(-1)).toBe("spawn Stevefalse");
    return line;
  };
  expect(await death({})).toBe("die Steve,fall,,");
  expect(await death({ by: alex })).toBe("die Steve,entityAttack,minecraft:player,");
  expect(await death({ by: alex, projectile: true })).toBe("die Steve,projectile,minecraft:player,Alex");
  expect(await death({ by: alex, projectile: true, ownerOnly: true })).toBe("die Steve,projectile,,Alex");
  expect(await death({ by: "minecraft:zombie" })).toBe("die Steve,entityAttack,minecraft:zombie,");
});

it("filters entityDie by type", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    world.afterEvents.entityDie.subscribe(e => console.log(e.deadEntity.typeId), { entityTypes: ["minecraft:player"] });
  `);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  simulator.world.mobDies("minecraft:cow", steve);
  steve.die();
  await simulator.tick();
  expect(printed(simulator)).toEqual(["minecraft:player"]);
});

it("passes chat through before events and shows it with prefixes", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    world.beforeEvents.chatSend.subscribe(e => { if (e.message === "bad") e.cancel = true; });
    world.afterEvents.chatSend.subscribe(e => console.log(e.sender.chatDisplayName, e.message, e.targets?.length));
  `);
  const steve = simulator.world.join("Steve");
  const alex = simulator.world.join("Alex");
  const bob = simulator.world.join("Bob");
  steve.chatNamePrefix = "[VIP] ";
  await simulator.tick();
  steve.say("hi");
  steve.say("bad");
  steve.say("muted", { cancelled: true });
  steve.say("psst", { targets: [alex] });
  await simulator.tick();
  expect(printed(simulator)).toEqual(["[VIP] Steve hi undefined", "[VIP] Steve psst 1"]);
  expect(alex.chat).toEqual(["<[VIP] Steve> hi", "<[VIP] Steve> psst"]);
  expect(bob.chat).toEqual(["<[VIP] Steve> hi"]);
});

it("makes the object of a player who left invalid", async () => {
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

it("makes reads of a broken player throw", async () => {
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

it("flattens messages and refuses malformed ones", async () => {
  const simulator = await game(`
    import { world, system, RawMessageError } from "@minecraft/server";
    system.run(() => {
      world.sendMessage("plain §atext");
      world.sendMessage({ rawtext: [{ text: "a" }, { translate: "gui.accept" }] });
      world.sendMessage(["x", { translate: "chat.type.text", with: ["Bob", "hi"] }]);
      for (const bad of [{}, { text: 1 }, { rawtext: ["x"] }, { translate: "a", with: [1] }]) {
        try { world.sendMessage(bad); } catch (e) { console.log(e.name, e instanceof RawMessageError); }
      }
      try { world.sendMessage(5); } catch (e) { console.log(e.name); }
    });
  `);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  expect(steve.chat).toEqual(["plain §atext", "agui.accept", "xchat.type.text(Bob, hi)"]);
  expect(printed(simulator)).toEqual([...Array(4).fill("RawMessageError true"), "TypeError"]);
});

it("refuses players an enabled allow list does not name", async () => {
  const simulator = await game("");
  simulator.world.allowList.enabled = true;
  expect(() => simulator.world.join("Steve")).toThrow("Steve is not on the allow list");
  simulator.world.allowList.put({ name: "Steve" });
  simulator.world.join("Steve");
  expect(simulator.world.allowList.entries[0]?.xuid).toMatch(/^2535\d{12}$/);
});

it("walks without being asked", async () => {
  const simulator = await game(`
    import { world, system } from "@minecraft/server";
    system.runTimeout(() => console.log(JSON.stringify(world.getAllPlayers()[0].location)), 10);
  `);
  simulator.world.join("Steve").walk(0.5, -0.25);
  await simulator.tick(10);
  expect(printed(simulator)).toEqual(['{"x":5,"y":64,"z":-2.5}']);
});

it("sends a player away as they spawn, before or after the pack hears of it, in one tick", async () => {
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

it("gives a player another object, of which no event tells", async () => {
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
