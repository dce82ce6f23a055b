import { expect, it } from "@jest/globals";
import { game, printed } from "./testing/helpers.ts";
import type { SavedWorld } from "./types.ts";

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

it("saves the world only at its stop if configured so, so that a kill loses the whole session", async () => {
  const pack = `
    import { world } from "@minecraft/server";
    world.afterEvents.worldLoad.subscribe(() => world.setDynamicProperty("new", 1));
  `;
  for (const [quirks, expected] of [[{}, { new: 1 }] as const, [{ savesLate: true }, {}] as const]) {
    const saves: unknown[] = [];
    const keep = (saved: SavedWorld): void => void saves.push(saved.dynamicProperties);
    const simulator = await game(pack, { quirks, keep, saveEveryTicks: 5 });
    await simulator.tick(6);
    expect(simulator.kill().dynamicProperties).toEqual(expected);
    expect(saves).toEqual("new" in expected ? [expected] : []);
  }
});
