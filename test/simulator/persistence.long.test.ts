import { expect, it } from "@jest/globals";
import type { SavedWorld } from "../../lab/simulator/types.ts";
import { echoServer, errors, game, printed } from "./helpers.ts";

const counter = `
  import { world, system } from "@minecraft/server";
  world.afterEvents.worldLoad.subscribe(() => {
    console.log("runs", world.getDynamicProperty("runs") ?? 0, system.currentTick);
    world.setDynamicProperty("runs", (world.getDynamicProperty("runs") ?? 0) + 1);
  });
  system.beforeEvents.shutdown.subscribe(() => {
    world.setDynamicProperty("clean", true);
    console.log("shutdown");
    Promise.resolve().then(() => system.run(() => console.log("never")));
  });
  world.afterEvents.chatSend.subscribe(() => world.setDynamicProperty("chatted", true));
`;

it("keeps the world over a clean stop", async () => {
  const first = await game(counter);
  const steve = first.world.join("Steve");
  await first.tick(3);
  const saved = await first.stop();
  expect(printed(first)).toEqual(["runs 0 1", "shutdown"]);
  await expect(first.tick()).rejects.toThrow("the game is over");
  const second = await game(counter, { saved: JSON.parse(JSON.stringify(saved)) });
  const again = second.world.join("Steve");
  await second.tick();
  expect(printed(second)).toEqual(["runs 1 4"]);
  expect(second.world.dynamicProperties.get("clean")).toBe(true);
  expect([again.id, again.persistentId]).toEqual([steve.id, steve.persistentId]);
});

it("loses what was not saved when the game crashes", async () => {
  const first = await game(counter, { saveEveryTicks: 5 });
  const steve = first.world.join("Steve");
  await first.tick(5);
  steve.say("hi");
  await first.tick(2);
  expect(first.world.dynamicProperties.get("chatted")).toBe(true);
  const saved = first.kill();
  expect(saved.dynamicProperties).toEqual({ runs: 1 });
  expect(printed(first)).not.toContain("shutdown");
});

it("loses the script's state and keeps the world at a reload", async () => {
  const simulator = await game(`${counter} console.log("state", globalThis.kept); globalThis.kept = 1;`);
  simulator.world.join("Steve");
  await simulator.tick(2);
  await simulator.reload({ worldLoad: true });
  await simulator.tick();
  expect(errors(simulator)).toEqual([]);
  expect(printed(simulator)).toEqual(["state undefined", "runs 0 1", "state undefined", "runs 1 3"]);
  expect(simulator.world.player("Steve").online).toBe(true);
});

it("tells of the world's loading once for each start, and of start-up for each script", async () => {
  const simulator = await game(`
    import { system, world } from "@minecraft/server";
    system.beforeEvents.startup.subscribe(() => console.log("startup"));
    world.afterEvents.worldLoad.subscribe(() => console.log("worldLoad"));
  `);
  await simulator.tick(2);
  await simulator.reload();
  await simulator.tick(2);
  expect(printed(simulator)).toEqual(["startup", "worldLoad", "startup"]);
});

it("aborts requests in flight when it stops", async () => {
  const echo = await echoServer();
  const simulator = await game(`
    import { system } from "@minecraft/server";
    import { http, HttpRequest } from "@minecraft/server-net";
    system.run(() => http.request(new HttpRequest("${echo.url}/hold").setMethod("Post").setBody("{}")).catch(() => {}));
  `);
  await simulator.until(() => echo.seen.length === 1);
  await simulator.stop();
  expect(simulator.http.inFlight).toBe(0);
  await echo.close();
});

it("enforces the types and the size of dynamic properties", async () => {
  const simulator = await game(`
    import { world, system } from "@minecraft/server";
    const tryIt = run => { try { run(); console.log("ok"); } catch (e) { console.log(e.name); } };
    system.run(() => {
      tryIt(() => world.setDynamicProperty("s", "x".repeat(32767)));
      tryIt(() => world.setDynamicProperty("s", "é".repeat(16384)));
      tryIt(() => world.setDynamicProperty("o", { a: 1 }));
      tryIt(() => world.setDynamicProperties({ a: 1, b: "x".repeat(40000) }));
      tryIt(() => world.setDynamicProperties({ v: { x: 1, y: 2, z: 3 }, t: true, s: undefined, n: 1.5 }));
      console.log(world.getDynamicPropertyIds().join(), world.getDynamicPropertyTotalByteCount());
      console.log(JSON.stringify(world.getDynamicProperty("v")), world.getDynamicProperty("s"));
    });
  `);
  await simulator.tick();
  const bounds = "ArgumentOutOfBoundsError";
  expect(printed(simulator)).toEqual([
    "ok",
    bounds,
    "TypeError",
    bounds,
    "ok",
    "v,t,n 24",
    '{"x":1,"y":2,"z":3} undefined',
  ]);
});

it("changes the allow list through the documented arguments only", async () => {
  const simulator = await game(
    `
    import { world, system } from "@minecraft/server";
    import { dedicatedServer } from "@minecraft/server-admin";
    const list = dedicatedServer && { get now() { return dedicatedServer.allowList; } };
    const tryIt = run => { try { console.log(String(run())); } catch (e) { console.log(e.name); } };
    system.run(() => {
      tryIt(() => list.now.add("Steve"));
      tryIt(() => list.now.add({}));
      tryIt(() => list.now.add({ name: "Steve" }));
      tryIt(() => list.now.add({ name: "Steve" }));
      tryIt(() => list.now.contains({ name: "Steve" }));
    });
    system.runTimeout(() => {
      tryIt(() => list.now.contains({ name: "Steve" }));
      tryIt(() => list.now.entries.map(e => e.name));
      tryIt(() => list.now.remove({ name: "Alex" }));
      tryIt(() => list.now.enabled);
    }, 5);
  `,
    { allowListDelayTicks: 3 },
  );
  await simulator.tick(6);
  expect(printed(simulator)).toEqual([
    "TypeError",
    "InvalidArgumentError",
    "undefined",
    "AllowListModificationError",
    "false",
    "true",
    "Steve",
    "AllowListModificationError",
    "false",
  ]);
  expect(simulator.world.allowList.names).toEqual(["Steve"]);
});

it("saves a world late where it is told to: a kill loses all of the session then", async () => {
  const pack = `
    import { world } from "@minecraft/server";
    world.afterEvents.worldLoad.subscribe(() => world.setDynamicProperty("new", 1));
  `;
  for (const [quirks, kept] of [[{}, { new: 1 }] as const, [{ savesLate: true }, {}] as const]) {
    const saves: unknown[] = [];
    const keep = (saved: SavedWorld): void => void saves.push(saved.dynamicProperties);
    const simulator = await game(pack, { quirks, keep, saveEveryTicks: 5 });
    await simulator.tick(6);
    expect(simulator.kill().dynamicProperties).toEqual(kept);
    expect(saves).toEqual("new" in kept ? [kept] : []);
  }
});
