import { expect, it } from "@jest/globals";
import { errors, game, printed } from "./helpers.ts";

const register = (body: string, more = "") => `
  import { system, world, CommandPermissionLevel, CustomCommandStatus } from "@minecraft/server";
  system.beforeEvents.startup.subscribe(event => {
    const registry = event.customCommandRegistry;
    const add = (name, permissionLevel, callback) =>
      registry.registerCommand({ name, description: "d", permissionLevel, cheatsRequired: false }, callback);
    ${body}
  });
  ${more}
`;

it("runs a command in restricted execution and shows its message to whoever gave it", async () => {
  const simulator = await game(
    register(`
      add("my:who", CommandPermissionLevel.Any, origin => {
        let where = "normal";
        try { world.afterEvents.chatSend.subscribe(() => {}); } catch { where = "restricted"; }
        const name = origin.sourceEntity?.name ?? "nobody";
        return { status: CustomCommandStatus.Success, message: origin.sourceType + " " + name + " " + where };
      });
      add("my:no", CommandPermissionLevel.Any, () => ({ status: CustomCommandStatus.Failure, message: "no" }));
      add("my:quiet", CommandPermissionLevel.Any, () => undefined);
    `),
  );
  const steve = simulator.world.join("Steve");
  const alex = simulator.world.join("Alex");
  await simulator.tick(5);
  steve.command("/my:who");
  steve.command("/who");
  steve.command("/my:no");
  steve.command("/my:quiet");
  simulator.world.command("my:who");
  await simulator.tick();
  expect(steve.chat).toEqual(["Entity Steve restricted", "Entity Steve restricted", "§cno"]);
  expect(alex.chat).toEqual([]);
  expect(printed(simulator)).toEqual(["Server nobody restricted"]);
});

it("knows who may give a command", async () => {
  const simulator = await game(
    register(`add("my:op", CommandPermissionLevel.Admin, () => ({ status: 0, message: "yes" }));`),
  );
  const steve = simulator.world.join("Steve");
  await simulator.tick(5);
  steve.command("/my:op");
  await simulator.tick();
  steve.operator = true;
  steve.command("/my:op");
  await simulator.tick();
  expect(steve.chat).toEqual([expect.stringContaining("Unknown command"), "yes"]);
});

it("registers early, once, in one namespace that is not the game's", async () => {
  const attempt = (name: string): string =>
    `try { add("${name}", 0, () => undefined); } catch (e) { console.log(e.name + " " + (e.reason ?? "")); }`;
  const simulator = await game(
    register(
      `${["my:a", "my:a", "other:b", "minecraft:c", "d"].map(attempt).join("\n")}
       globalThis.late = () => { ${attempt("my:late")} };`,
      "world.afterEvents.worldLoad.subscribe(() => globalThis.late());",
    ),
  );
  await simulator.tick(2);
  expect(printed(simulator)).toEqual([
    "CustomCommandError AlreadyRegistered",
    "CustomCommandError NamespaceMismatch",
    "NamespaceNameError ",
    "NamespaceNameError ",
    "CustomCommandError RegistryInvalid",
  ]);
  expect(errors(simulator)).toEqual([]);
});

it("tells the language of a player's game", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    world.afterEvents.playerSpawn.subscribe(({ player }) => console.log(player.clientSystemInfo.locale));
  `);
  simulator.world.join("Steve").locale = "de_DE";
  simulator.world.join("Alex");
  await simulator.tick(6);
  expect(printed(simulator)).toEqual(["de_DE", "en_US"]);
});

it("takes parameters that are texts or one of some words, and refuses a line that does not fit", async () => {
  const simulator = await game(
    register(`
      const { Enum, String } = CustomCommandParamType;
      registry.registerEnum("my:size", ["small", "very-large"]);
      const take = (name, more) => registry.registerCommand(
        { name, description: "d", permissionLevel: 0, cheatsRequired: false, ...more },
        (origin, ...words) => ({ status: 0, message: JSON.stringify(words) }),
      );
      take("my:make", {
        mandatoryParameters: [{ name: "what", type: String }],
        optionalParameters: [{ name: "size", enumName: "my:size", type: Enum }],
      });
      for (const parameter of [{ name: "my:none", type: Enum }, { name: "n", type: CustomCommandParamType.Integer }])
        try { take("my:other", { mandatoryParameters: [parameter] }); } catch (e) { console.log(e.reason ?? e.message); }
    `).replace("import { ", "import { CustomCommandParamType, "),
  );
  expect(printed(simulator)).toEqual([
    "EnumDependencyMissing",
    "simulator: parameters of type Integer are not simulated",
  ]);
  const steve = simulator.world.join("Steve");
  await simulator.tick(5);
  for (const rest of ["", " --------", ' "a b" very-large', " a huge", " a small more"])
    steve.command(`/my:make${rest}`);
  await simulator.tick();
  expect(steve.chat).toEqual([
    '§cSyntax error: Unexpected "": at "/my:make >><<"',
    '["--------"]',
    '["a b","very-large"]',
    '§cSyntax error: Unexpected "huge": at "/my:make >>huge<<"',
    '§cSyntax error: Unexpected "more": at "/my:make >>more<<"',
  ]);
});
