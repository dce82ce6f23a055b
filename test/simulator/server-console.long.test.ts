import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createServerFolderSimulator, type ServerFolderGame } from "../../lab/simulator/server-folder.ts";
import { makeServer } from "../../scripts/make-server.mjs";

const PACK = "aaaaaaaa-0000-4000-8000-000000000001";
const SCRIPT = `
  import { system, world } from "@minecraft/server";
  import { dedicatedServer } from "@minecraft/server-admin";
  console.warn("script begins");
  system.beforeEvents.startup.subscribe(({ customCommandRegistry }) => {
    const add = (name, status) =>
      customCommandRegistry.registerCommand(
        { name, description: "d", permissionLevel: 4, cheatsRequired: false },
        () => ({ status, message: "hello " + status }),
      );
    add("my:hello", 0);
    add("my:fault", 1);
  });
  system.afterEvents.scriptEventReceive.subscribe(({ id, message }) => {
    console.warn(id + " " + message);
    if (id === "my:list") dedicatedServer.allowList.add({ name: message });
  });
`;
const MODULES = ["@minecraft/server", "@minecraft/server-admin"];
const MANIFEST = {
  format_version: 2,
  header: { name: "Test", uuid: PACK, version: [1, 0, 0] },
  modules: [{ type: "script", uuid: PACK.replace("a", "b"), version: [1, 0, 0], entry: "scripts/main.js" }],
  dependencies: MODULES.map(module_name => ({ module_name, version: "beta" })),
};

let root: string;
let game: ServerFolderGame;
const listed = (): { name?: string }[] => JSON.parse(readFileSync(join(root, "allowlist.json"), "utf8"));

/** Types lines; what the console shows after that, without stamps. */
async function typed(...lines: string[]): Promise<string[]> {
  const { stdout, simulator, type } = game;
  const since = stdout.length;
  for (const line of lines) await type(line);
  if (!lines.includes("stop")) await simulator.tick(2);
  return stdout.slice(since).map(line => line.replace(/^\[[^\]]*\] /, ""));
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "console-"));
  await makeServer(root, { levelName: "Flat", experiments: "on" });
  const put = (path: string, text: string): void => writeFileSync(join(root, path), text);
  put("allowlist.json", '[{"ignoresPlayerLimit":false,"name":"Steve Alex"}]');
  mkdirSync(join(root, "behavior_packs/test/scripts"), { recursive: true });
  put("config/default/permissions.json", JSON.stringify({ allowed_modules: MODULES }));
  put("behavior_packs/test/manifest.json", JSON.stringify(MANIFEST));
  put("behavior_packs/test/scripts/main.js", SCRIPT);
  put("worlds/Flat/world_behavior_packs.json", JSON.stringify([{ pack_id: PACK, version: [1, 0, 0] }]));
  put("server.properties", "level-name=Flat\ncontent-log-console-output-enabled=true\nmax-players=4\n");
  game = await createServerFolderSimulator(root, { keepsList: true });
});
afterEach(() => {
  game.simulator.dispose();
  rmSync(root, { recursive: true, force: true });
});

describe("the console of a server's folder", () => {
  it("lists who is online, and sends players away", async () => {
    expect(await typed("list")).toEqual(["There are 0/4 players online:", ""]);
    game.simulator.world.join("Steve Alex");
    await game.simulator.tick(5);
    expect(await typed("list")).toEqual(["There are 1/4 players online:", "Steve Alex"]);
    expect(await typed('kick "Steve Alex" be nice')).toContain("Kicked Steve Alex from the game: 'be nice'");
    expect(await typed("kick Nobody", "list")).toEqual([
      "Could not find player Nobody",
      "There are 0/4 players online:",
      "",
    ]);
  });

  it("gives commands and events to the script, and knows what nobody has registered", async () => {
    expect(await typed("my:hello", "/fault", "fly away", "scriptevent my:event a b", "")).toEqual([
      "Script event my:event has been sent",
      "hello 0",
      "hello 1",
      "Unknown command: fly. Please check that the command exists and that you have permission to use it.",
      "[Scripting] my:event a b",
    ]);
    expect((await typed("scriptevent minecraft:x y")).join()).toContain("Syntax error");
  });

  it("changes the allow list and its file, as scripts do", async () => {
    expect(
      await typed('allowlist add "Two Words"', 'allowlist add "Two Words"', "allowlist add One"),
    ).toEqual(["Player added to allowlist", "Player already in allowlist", "Player added to allowlist"]);
    expect(await typed("allowlist remove One", "allowlist remove One", "allowlist fly")).toEqual([
      "Player removed from allowlist",
      "Player not in allowlist",
      'Syntax error: Unexpected "fly": at "/allowlist >>fly<<"',
    ]);
    await typed("scriptevent my:list Scripted");
    expect(listed().map(({ name }) => name)).toEqual(["Steve Alex", "Two Words", "Scripted"]);
    expect(listed()[1]).toEqual({ ignoresPlayerLimit: false, name: "Two Words" });
    writeFileSync(join(root, "allowlist.json"), '[{"name":"From Disk"}]');
    expect((await typed("allowlist reload", "allowlist list")).join()).toContain("From Disk");
    const { allowList } = game.simulator.world;
    await typed("allowlist off");
    expect(allowList.enabled).toBe(false);
    await typed("allowlist on");
    expect(allowList.enabled).toBe(true);
  });

  it("writes the list down when a player's xuid is known", async () => {
    await typed("allowlist add Noor");
    const { xuid } = game.simulator.world.join("Noor");
    expect(listed().at(-1)).toEqual({ ignoresPlayerLimit: false, name: "Noor", xuid });
  });

  it("starts the script anew, saves, and ends", async () => {
    expect(await typed("reload")).toEqual([
      "[Scripting] script begins",
      "Function and script files have been reloaded.",
    ]);
    expect(await typed("save hold", "save query", "save resume")).toEqual([
      "Saving...",
      "Data saved. Files are now ready to be copied.",
      "Changes to the world are resumed.",
    ]);
    expect(await typed("stop")).toEqual(["Server stop requested.", "Stopping server...", "Quit correctly"]);
  });

  it("answers where no script runs, too", async () => {
    game.simulator.dispose();
    writeFileSync(join(root, "worlds/Flat/world_behavior_packs.json"), "[]");
    game = await createServerFolderSimulator(root);
    expect(await typed("list", "my:hello")).toEqual([
      "There are 0/4 players online:",
      "",
      "Unknown command: my:hello. Please check that the command exists and that you have permission to use it.",
    ]);
  });
});
