import { expect, it } from "@jest/globals";
import { createConsoleGame } from "../simulator/game-console.ts";
import { DEVIATIONS, type DeviationName, type StandInBehaviour } from "./deviations.ts";

const PACK = `
  import { system } from "@minecraft/server";
  system.beforeEvents.startup.subscribe(({ customCommandRegistry: registry }) => {
    const mandatoryParameters = [{ name: "text", type: "String" }];
    const command = { name: "test:tick", description: "d", permissionLevel: 4, cheatsRequired: false, mandatoryParameters };
    registry.registerCommand(command, () => console.warn("tick " + system.currentTick));
  });
`;
const UNKNOWN = expect.stringMatching(/ INFO\] Unknown command: test:tick\./);
const UNEXPECTED = expect.stringMatching(/ ERROR\] Syntax error: /);
const tick = (count: number) => expect.stringMatching(new RegExp(` WARN\\] \\[Scripting\\] tick ${count}$`));

it.each<[DeviationName | "none", unknown[]]>([
  ["none", [tick(5), "", tick(6), ""]],
  ["slow-console", [tick(5), "", tick(9), ""]],
  ["short-commands", [tick(5), "", UNEXPECTED]],
  ["no-owner-commands", [UNKNOWN, UNKNOWN]],
  ["no-blank-lines", [tick(5), tick(6)]],
])("with the deviation %s the console runs two commands of a script as described", async (name, expected) => {
  const course: StandInBehaviour = name === "none" ? {} : DEVIATIONS[name].course;
  const game = await createConsoleGame({ pack: PACK, ...course });
  let text = "";
  game.output.setEncoding("utf8").on("data", chunk => {
    text += chunk;
  });
  await game.simulator.tick(4);
  game.type("test:tick a");
  game.type(`test:tick ${"b".repeat(247)}`);
  await game.simulator.tick(8);
  game.simulator.dispose();
  const lines = text.split("\n").slice(0, -1);
  expect(lines.filter(line => !line.endsWith("Server started."))).toEqual(expected);
});
