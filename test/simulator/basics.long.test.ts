import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./helpers.ts";

it("evaluates the pack and fires worldLoad on the first tick", async () => {
  const simulator = await game(`
    import { world, system } from "@minecraft/server";
    console.log("top");
    system.beforeEvents.startup.subscribe(() => console.log("startup"));
    world.afterEvents.worldLoad.subscribe(() => console.log("load", system.currentTick));
  `);
  expect(printed(simulator)).toEqual(["top", "startup"]);
  await simulator.tick(2);
  expect(errors(simulator)).toEqual([]);
  expect(printed(simulator)).toEqual(["top", "startup", "load 1"]);
});

it("runs scheduled callbacks on their ticks", async () => {
  const simulator = await game(`
    import { system } from "@minecraft/server";
    const at = name => () => console.log(name + system.currentTick);
    system.run(at("run"));
    system.runTimeout(at("timeout"), 3);
    const interval = system.runInterval(at("interval"), 2);
    system.runTimeout(() => system.clearRun(interval), 5);
    system.waitTicks(4).then(at("waited"));
  `);
  await simulator.tick(10);
  expect(errors(simulator)).toEqual([]);
  expect(printed(simulator)).toEqual(["run1", "interval2", "timeout3", "interval4", "waited4"]);
});

it("runs system.run of an event callback in the same tick, of a timer in the next", async () => {
  const simulator = await game(`
    import { system, world } from "@minecraft/server";
    world.afterEvents.playerJoin.subscribe(() => {
      console.log("event" + system.currentTick);
      system.run(() => {
        console.log("run" + system.currentTick);
        system.run(() => console.log("again" + system.currentTick));
      });
    });
  `);
  simulator.world.join("Steve");
  await simulator.tick(3);
  expect(printed(simulator)).toEqual(["event1", "run1", "again2"]);
});

it("slices jobs over ticks", async () => {
  const simulator = await game(
    `
    import { system } from "@minecraft/server";
    system.runJob((function* () { for (let i = 0; i < 3; i++) { console.log("step" + i); yield; } })());
  `,
    { jobBudgetMs: 0 },
  );
  await simulator.tick(2);
  expect(printed(simulator)).toEqual(["step0", "step1"]);
  await simulator.tick(5);
  expect(printed(simulator)).toEqual(["step0", "step1", "step2"]);
});

it("logs uncaught errors and rejections and goes on", async () => {
  const simulator = await game(`
    import { system } from "@minecraft/server";
    system.run(() => { throw new RangeError("thrown"); });
    system.run(async () => { await null; throw new RangeError("rejected"); });
    system.runTimeout(() => console.log("alive"), 2);
  `);
  await simulator.tick(3);
  expect(errors(simulator)[0]).toContain("[Scripting] RangeError: thrown");
  expect(errors(simulator)[1]).toContain("Unhandled promise rejection: RangeError: rejected");
  expect(printed(simulator)).toEqual(["alive"]);
});

it("logs a promise of the game that rejects, or what follows from it, where nobody holds it", async () => {
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

it("takes omitted members away so that feature tests see them missing", async () => {
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

it("refuses a pack that imports an omitted or unknown module", async () => {
  for (const omit of [["@minecraft/server-net"], []]) {
    const name = omit[0] ?? "@minecraft/server-unknown";
    const simulator = await game(`import "${name}"; console.log("ran");`, { omit });
    expect(simulator.loaded).toBe(false);
    expect(errors(simulator)[0]).toContain(`Native module error or file not found: ${name}`);
    await simulator.tick();
    expect(printed(simulator)).toEqual([]);
  }
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

it("shows the given clock", async () => {
  let now = 1000;
  const simulator = await game(
    `
    import { system } from "@minecraft/server";
    system.runInterval(() => console.log(Date.now(), new Date().getTime(), new Date() instanceof Date));
  `,
    { now: () => now },
  );
  await simulator.tick();
  now = 2500;
  await simulator.tick();
  expect(printed(simulator)).toEqual(["1000 1000 true", "2500 2500 true"]);
});

it("takes away exports, and ends a pack that hangs while it loads", async () => {
  const without = await game(
    `import * as ui from "@minecraft/server-ui"; console.log("uiManager" in ui, "ActionFormData" in ui);`,
    { omit: ["@minecraft/server-ui.uiManager"] },
  );
  expect(printed(without)).toEqual(["false true"]);
  const hanging = await game("for (;;);", { hangMs: 30 });
  expect(hanging).toMatchObject({ loaded: false, terminated: "hang" });
  await hanging.tick();
  expect(hanging.world.tick).toBe(1);
});

it("runs what follows an await in the same tick, in normal execution", async () => {
  const simulator = await game(`
    import { world, system } from "@minecraft/server";
    world.beforeEvents.chatSend.subscribe(async ({ sender }) => {
      await null;
      sender.chatNamePrefix = "later ";
      console.log("awaited", system.currentTick);
    });
  `);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  steve.say("hi");
  await simulator.tick();
  expect(errors(simulator)).toEqual([]);
  expect(printed(simulator)).toEqual(["awaited 2"]);
  expect(steve.chatNamePrefix).toBe("later ");
});
