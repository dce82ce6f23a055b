import { afterEach, describe, expect, it } from "@jest/globals";
import { type ConsoleGame, createConsoleGame } from "./game-console.ts";
import type { ConsoleQuirks } from "./quirks.ts";
import type { SimulatorOptions } from "./types.ts";

/** Prints what it is asked to, and has a command for the console and one for everybody. */
const PACK = `
  import { CommandPermissionLevel, system } from "@minecraft/server";
  const parameters = { mandatoryParameters: [{ name: "text", type: "String" }] };
  system.beforeEvents.startup.subscribe(({ customCommandRegistry: registry }) => {
    const add = (name, permissionLevel, callback) => registry.registerCommand(
      { name, description: "d", permissionLevel, cheatsRequired: false, ...parameters }, callback);
    add("test:print", CommandPermissionLevel.Owner, (origin, text) => {
      const [letter, count] = text.split("x");
      console.warn(count ? letter.repeat(count) : system.currentTick + " " + origin.sourceType + " " + text);
    });
    add("test:any", CommandPermissionLevel.Any, (_, text) => ({ status: 0, message: "told " + text }));
  });
`;
const TIME = Date.UTC(2026, 10, 30, 12);
const STAMP = /^\[2026-11-30 \d\d:00:00:000 ([A-Z]+)\] /;

let game: ConsoleGame;
afterEach(() => game.simulator.dispose());

/** Starts a game. Its result reads the lines printed since the last call, each with its level instead of time and level. */
async function start(
  quirks: ConsoleQuirks = {},
  options: Partial<SimulatorOptions> = {},
): Promise<() => string[]> {
  game = await createConsoleGame({ pack: PACK, now: () => TIME, quirks: { console: quirks }, ...options });
  let text = "";
  game.output.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await game.simulator.tick();
  const lines = (): string[] => {
    const all = text.split("\n").slice(0, -1);
    text = "";
    return all.map(line => line.replace(STAMP, "$1 "));
  };
  expect(lines()).toEqual(["INFO Server started."]);
  return lines;
}

async function typed(...lines: string[]): Promise<void> {
  for (const line of lines) game.type(line);
  await game.simulator.tick(lines.length);
}

const warned = (text: string): string[] => [`WARN [Scripting] ${text}`, ""];

describe("the console of a game", () => {
  it("prints a blank line after each line of a script, and players and answers without", async () => {
    const lines = await start();
    const { xuid, persistentId: pfid } = game.simulator.world.join("Ari Vale");
    await typed("test:print hi", "/test:any you", "list");
    game.simulator.world.player("Ari Vale").leave();
    await game.simulator.tick();
    expect(lines()).toEqual([
      `INFO Player connected: Ari Vale, xuid: ${xuid}`,
      `INFO Player PartyIdUpdate:  pfid: ${pfid}, partyid: , isLeader: false`,
      ...warned("2 Server hi"),
      "INFO told you",
      "INFO There are 1/10 players online:",
      "INFO Ari Vale",
      `INFO Player disconnected: Ari Vale, xuid: ${xuid}, pfid: ${pfid}`,
    ]);
  });

  it("prints a script's line of any length, and begins the line after one of more than 4,096 bytes with NUL", async () => {
    const lines = await start();
    const [stamp, most] = ["[2026-11-30 12:00:00:000 WARN] [Scripting] ".length, 4096];
    await typed(`test:print ax${most - stamp}`, "list", `test:print ax${most - stamp + 1}`, "list");
    expect(lines().filter(line => line.includes("There"))).toEqual([
      "INFO There are 0/10 players online:",
      expect.stringMatching(/^\0\[.* INFO\] There are 0\/10 players online:$/),
    ]);
    await typed("test:print éx40000");
    expect(lines()).toEqual(warned("é".repeat(40_000)));
  });

  it("runs one typed command a tick in their order, and more where the game does", async () => {
    const lines = await start();
    for (const each of ["a", "b", "c"]) game.type(`test:print ${each}`);
    await game.simulator.tick(4);
    expect(lines()).toEqual(["2 Server a", "3 Server b", "4 Server c"].flatMap(warned));
    game.simulator.dispose();

    const fast = await start({ commandsPerTick: 2 });
    for (const each of ["a", "b", "c"]) game.type(`test:print ${each}`);
    await game.simulator.tick(2);
    expect(fast()).toEqual(["2 Server a", "2 Server b", "3 Server c"].flatMap(warned));
  });

  it("drops a command of more than 1,000 characters, and names one that no pack has", async () => {
    const lines = await start();
    const text = "y".repeat(989);
    expect(`test:print ${text}`).toHaveLength(1000);
    await typed(`test:print ${text}`, `test:print ${text}y`, "test:none");
    const [printed, blank, dropped, unknown, ...more] = lines();
    expect([printed, blank]).toEqual(warned(`2 Server ${text}`));
    expect(dropped).toMatch(/^ERROR Syntax error: Unexpected "y/);
    expect(unknown).toBe(
      "INFO Unknown command: test:none. Please check that the command exists and that you have permission to use it.",
    );
    expect(more).toEqual([]);
  });

  it("stands still while scripts are loaded again, and runs what was typed meanwhile", async () => {
    const lines = await start();
    await typed("reload", "test:print after");
    await game.simulator.until(() => game.simulator.world.tick > 2);
    expect(lines()).toEqual([
      "INFO Function and script files have been reloaded.",
      ...warned("2 Server after"),
    ]);
  });

  it("adds, removes and lists names with blanks and commas in quotes", async () => {
    const lines = await start();
    await typed(
      'allowlist add "Ari, Vale"',
      'allowlist add "Ari, Vale"',
      "allowlist add Ari Vale",
      "allowlist list",
    );
    await typed('allowlist remove "Ari, Vale"', "allowlist remove Ari", "allowlist list");
    expect(lines().map(line => line.replace(/^INFO /, ""))).toEqual([
      "Player added to allowlist",
      "Player already in allowlist",
      'ERROR Syntax error: Unexpected "Vale": at "/allowlist >>Vale<<"',
      '###* {"command":"allowlist","result":[{"name":"Ari, Vale","ignoresPlayerLimit":false}]} *###',
      "Player removed from allowlist",
      "Player not in allowlist",
      '###* {"command":"allowlist","result":[]} *###',
    ]);
  });

  it("lists the allowlist in several lines where the game does, and what can be read back", async () => {
    const lines = await start({ listInLines: true }, { allowListDelayTicks: 3 });
    await typed("allowlist add Steve", "allowlist list", "list", "list", "allowlist list");
    expect(lines().filter(line => !/There are|^INFO $/.test(line))).toEqual([
      "INFO Player added to allowlist",
      ...["INFO ###* {", '   "command" : "allowlist",', '   "result" : []', "}", " *###"],
      ...["INFO ###* {", '   "command" : "allowlist",', '   "result" : [', "      {"],
      ...[
        '         "name" : "Steve",',
        '         "ignoresPlayerLimit" : false',
        "      }",
        "   ]",
        "}",
        " *###",
      ],
    ]);
  });

  it("kicks a player by a name in quotes, everybody by a selector, and shows names for selectors in a reason", async () => {
    const lines = await start();
    const { world } = game.simulator;
    const [steve, ari] = [world.join("Steve"), world.join("Ari Vale")];
    world.join("Alex");
    lines();
    await typed('kick "Ari Vale" not @a, "please"', "kick Zuri", 'kick "@a"', "kick @a");
    expect(lines().filter(line => !line.includes("disconnected"))).toEqual([
      `INFO Kicked Ari Vale from the game: 'not Steve, Ari Vale, Alex, "please"'`,
      "ERROR Could not find player Zuri",
      "ERROR Could not find player @a",
      "INFO Kicked Steve from the game",
      "INFO Kicked Alex from the game",
    ]);
    expect(ari.removal).toEqual({ reason: 'not Steve, Ari Vale, Alex, "please"' });
    expect(steve.removal).toEqual({ reason: undefined });
  });
});
