import { expect, it } from "@jest/globals";
import type { SavedWorld } from "../../lab/simulator/types.ts";
import { game, printed } from "./helpers.ts";

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
