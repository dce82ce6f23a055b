import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./helpers.ts";

it("ends a script that hangs", async () => {
  const simulator = await game(
    `
    import { system } from "@minecraft/server";
    system.runTimeout(() => { for (;;); }, 2);
    system.runTimeout(() => console.log("alive"), 4);
  `,
    { hangMs: 50 },
  );
  await simulator.tick(6);
  expect(simulator.terminated).toBe("hang");
  expect(errors(simulator)).toEqual(["[Watchdog] hang in the script: it is ended"]);
  expect(printed(simulator)).toEqual([]);
});

it("ends a script whose promises never rest", async () => {
  const simulator = await game(
    `
    import { system } from "@minecraft/server";
    const again = () => Promise.resolve().then(again);
    again();
    system.run(() => console.log("alive"));
  `,
  );
  await simulator.tick(2);
  expect(printed(simulator)).toEqual(["alive"]);
});

it("ends a script that runs out of memory", async () => {
  const simulator = await game(
    `
    import { system } from "@minecraft/server";
    const kept = [];
    system.runInterval(() => { for (let i = 0; i < 1000; i++) kept.push("x".repeat(1000) + i); });
  `,
    { memoryLimitBytes: 8 * 1024 * 1024 },
  );
  await simulator.tick(110);
  expect(simulator.terminated).toBe("out of memory");
});

it("reports endless recursion as an error of the script", async () => {
  const simulator = await game(`
    import { system } from "@minecraft/server";
    const deep = n => 1 + deep(n + 1);
    system.run(() => deep(0));
    system.run(() => console.log("alive"));
  `);
  await simulator.tick();
  expect(errors(simulator)[0]).toMatch(/stack/i);
  expect(printed(simulator)).toEqual(["alive"]);
});

/** Median milliseconds of a tick in which a script counts so far: what a machine can do, and has time for, is not the same twice. */
async function countingMs(steps: number): Promise<number> {
  const simulator = await game(`
    import { system } from "@minecraft/server";
    system.runInterval(() => {
      let sum = 0;
      for (let i = 0; i < ${steps}; i++) sum += i;
      if (sum < 0) console.log("never");
    });
  `);
  await simulator.tick(20);
  simulator.resetReport();
  await simulator.tick(200);
  return simulator.report().p50Ms;
}

it("costs next to nothing with an empty pack and 100 players", async () => {
  const simulator = await game("");
  for (let i = 0; i < 100; i++) simulator.world.join(`Player ${i}`).walk(0.1, 0.1);
  await simulator.tick(20);
  simulator.resetReport();
  await simulator.tick(500);
  const report = simulator.report();
  expect(report.ticks).toBe(500);
  expect(report.p50Ms).toBeLessThan(await countingMs(1_000));
  expect(report.memoryBytes).toBeGreaterThan(0);
});

it("reads 100 players as quickly as a script counts to 20,000", async () => {
  const simulator = await game(`
    import { world, system } from "@minecraft/server";
    system.runInterval(() => {
      let sum = 0;
      for (const player of world.getAllPlayers()) {
        sum += player.getComponent("minecraft:health").currentValue + player.name.length + player.id.length;
      }
      if (sum === 0) console.log("nobody");
    });
  `);
  for (let i = 0; i < 100; i++) simulator.world.join(`Player ${i}`);
  await simulator.tick(20);
  simulator.resetReport();
  await simulator.tick(200);
  expect(errors(simulator)).toEqual([]);
  expect(simulator.report().p50Ms).toBeLessThan(await countingMs(20_000));
});
