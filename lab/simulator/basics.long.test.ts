import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./testing/helpers.ts";

it("logs rejected promises of the game, and promises derived from them, that have no handler", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    import { ActionFormData } from "@minecraft/server-ui";
    world.afterEvents.chatSend.subscribe(({ message, sender }) => {
      const shown = new ActionFormData().title("t").body("b").button("1").show(sender);
      if (message === "held") shown.then(undefined, () => undefined);
      if (message === "follows") shown.catch(() => { throw new RangeError("late"); });
    });
  `);
  for (const message of ["bare", "held", "follows"]) {
    const player = simulator.world.join(message);
    await simulator.tick(4);
    player.say(message);
    await simulator.tick();
    player.leave();
    await simulator.tick(2);
  }
  const [bare, follows, ...more] = errors(simulator);
  expect(bare).toContain("Unhandled promise rejection: FormRejectError");
  expect(follows).toContain("Unhandled promise rejection: RangeError: late");
  expect(more).toEqual([]);
});

it("names a member that is not simulated", async () => {
  const simulator = await game(`
    import { world, system } from "@minecraft/server";
    system.run(() => world.getEntity("1"));
    system.run(() => world.afterEvents.itemUse);
  `);
  await simulator.tick();
  expect(errors(simulator).join()).toContain("Error: simulator: World.getEntity is not simulated");
  expect(errors(simulator).join()).toContain("Error: simulator: WorldAfterEvents.itemUse is not simulated");
});

it("removes omitted members, so that feature tests find them missing", async () => {
  const simulator = await game(
    `
    import { world, Player } from "@minecraft/server";
    import { dedicatedServer } from "@minecraft/server-admin";
    console.log(typeof world.afterEvents.chatSend, "chatSend" in world.afterEvents, typeof dedicatedServer);
    console.log("persistentId" in Player.prototype, "name" in Player.prototype);
  `,
    { omit: ["WorldAfterEvents.chatSend", "@minecraft/server-admin.dedicatedServer", "Player.persistentId"] },
  );
  expect(printed(simulator)).toEqual(["undefined false undefined", "false true"]);
});

it("has only the engine's globals and no eval", async () => {
  const simulator = await game(`
    for (const name of ["setTimeout", "fetch", "URL", "TextEncoder", "process", "queueMicrotask", "simulated"]) {
      if (typeof globalThis[name] !== "undefined") console.log("has " + name);
    }
    const tries = [() => eval("1"), () => new Function("return 1")(), () => (() => 1).constructor("return 1")(),
      () => (async () => 1).constructor("return 1"), () => (function* () {}).constructor("yield 1")];
    for (const one of tries) try { one(); console.log("evaluated"); } catch (e) { console.log(e.message); }
    console.log((() => 1) instanceof Function, typeof print, typeof console.warn);
  `);
  expect(printed(simulator)).toEqual([...Array(5).fill("eval is not supported"), "true function function"]);
});

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
