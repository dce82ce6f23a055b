import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./testing/helpers.ts";

const looks = `
  import { Player, system, world, World } from "@minecraft/server";
  console.log(["persistentId", "getPing", "chatDisplayName", "name"].filter(name => name in Player.prototype).join());
  console.log(["chatSend", "playerSpawn"].filter(name => name in world.afterEvents).join());
  console.log(["chatSend", "playerLeave"].filter(name => name in world.beforeEvents).join());
  console.log("watchdogTerminate" in system.beforeEvents, "allowCheats" in World.prototype);
  system.beforeEvents.startup.subscribe(({ customCommandRegistry: registry }) => {
    registry.registerEnum("test:modes", ["one"]);
    const mode = { name: "mode", type: "Enum", enumName: "test:modes" };
    const command = { description: "d", permissionLevel: 0, cheatsRequired: false };
    try {
      registry.registerCommand({ ...command, name: "test:a", optionalParameters: [mode] }, () => undefined);
      console.log("registered");
    } catch (error) {
      console.log(error.reason);
    }
  });
`;

it("offers a pack with stable modules nothing that needs the Beta APIs", async () => {
  expect(printed(await game(looks))).toEqual([
    "persistentId,getPing,chatDisplayName,name",
    "chatSend,playerSpawn",
    "chatSend,playerLeave",
    "true true",
    "registered",
  ]);
  expect(printed(await game(looks, { isStable: true }))).toEqual([
    "name",
    "playerSpawn",
    "playerLeave",
    "false false",
    "EnumDependencyMissing",
  ]);
});

it.each(["server-net", "server-admin", "server-gametest"])(
  "does not run a pack that imports %s beside stable modules",
  async name => {
    const simulator = await game(`import * as all from "@minecraft/${name}";`, { isStable: true });
    expect(simulator.loaded).toBe(false);
    expect(errors(simulator).join()).toContain("Native module error or file not found");
  },
);
