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
