import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./helpers.ts";

const PACK = (handler: string) => `
  import { world, system } from "@minecraft/server";
  import { beforeEvents } from "@minecraft/server-admin";
  const tried = act => { try { act(); console.log("done"); } catch (error) { console.log(error.name); } };
  tried(() => beforeEvents.asyncPlayerJoin.subscribe(async () => undefined));
  const wait = ticks => new Promise(done => system.runTimeout(done, ticks));
  world.afterEvents.worldLoad.subscribe(() => {
    beforeEvents.asyncPlayerJoin.subscribe(async event => { ${handler} });
  });
  world.afterEvents.playerJoin.subscribe(({ playerName }) => console.log("joined", playerName));
  world.afterEvents.playerSpawn.subscribe(({ player }) => console.log("spawned", player.name));
  world.afterEvents.playerLeave.subscribe(({ playerName }) => console.log("left", playerName));
`;

it("asks a script before a player joins, who reads why not and never was in the world", async () => {
  const simulator = await game(
    PACK(`
    console.log(event.name, event.persistentId.length, event.splitScreenSlot, event.isValid());
    if (event.name === "Alex") return;
    event.disallowJoin("be 100%gui.accept");
    console.log(event.isValid());
    tried(() => event.allowJoin());
  `),
  );
  await simulator.tick(1);
  const steve = simulator.world.join("Steve");
  await simulator.tick(10);
  expect(printed(simulator)).toEqual([
    "ReferenceError",
    "Steve 16 undefined true",
    "false",
    "DisconnectedError",
  ]);
  expect(steve.online).toBe(false);
  expect(steve.sentAway).toEqual({ reason: "be 100Accept" });
  simulator.world.join("Alex");
  await simulator.tick(10);
  expect(printed(simulator).slice(4)).toEqual(["Alex 16 undefined true", "joined Alex", "spawned Alex"]);
});

it("has a player wait as long as the script does, who is not in the world meanwhile", async () => {
  const simulator = await game(PACK("await wait(10);"));
  await simulator.tick(1);
  const steve = simulator.world.join("Steve");
  await simulator.tick(9);
  steve.say("hello");
  expect(printed(simulator)).toEqual(["ReferenceError"]);
  await simulator.tick(4);
  expect(printed(simulator)).toEqual(["ReferenceError", "joined Steve", "spawned Steve"]);
  expect(simulator.world.chat).toEqual([]);
});

it("forgets a player who goes before the script has answered", async () => {
  const simulator = await game(
    PACK("await wait(5); console.log(event.isValid()); tried(() => event.disallowJoin());"),
  );
  await simulator.tick(1);
  const steve = simulator.world.join("Steve");
  await simulator.tick(2);
  steve.leave();
  await simulator.tick(10);
  expect(printed(simulator)).toEqual(["ReferenceError", "false", "DisconnectedError"]);
  expect(errors(simulator)).toEqual([]);
});

it("keeps a player out where the script rejects, or takes too long", async () => {
  const rejects = await game(PACK("throw new Error('no');"));
  await rejects.tick(1);
  const steve = rejects.world.join("Steve");
  await rejects.tick(10);
  expect(steve.sentAway).toEqual({ reason: undefined });
  expect(errors(rejects).join()).toContain("Unhandled promise rejection: Error: no");
  const slow = await game(PACK("await wait(30);"), { quirks: { script: { joinTicks: 20 } } });
  await slow.tick(1);
  const alex = slow.world.join("Alex");
  await slow.tick(15);
  expect(alex.online).toBe(true);
  await slow.tick(25);
  expect(alex.online).toBe(false);
  expect(printed(slow)).toEqual(["ReferenceError"]);
});

it("asks nobody where that is so", async () => {
  const simulator = await game(PACK("event.disallowJoin();"), { quirks: { script: { joins: "unasked" } } });
  await simulator.tick(1);
  simulator.world.join("Steve");
  await simulator.tick(10);
  expect(printed(simulator)).toEqual(["ReferenceError", "joined Steve", "spawned Steve"]);
});
