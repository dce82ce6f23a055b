import { expect, it } from "@jest/globals";
import { game, printed } from "./helpers.ts";

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
