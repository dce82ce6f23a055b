import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { makeServer } from "../../scripts/make-server.mjs";
import { EMPTY_LIST, UNSAFE_LIST } from "./console-lines.ts";
import { createServerFolderSimulator, type ServerFolderGame } from "./server-folder.ts";
import { type Echo, echoServer } from "./testing/helpers.ts";

const PACK = "aaaaaaaa-0000-4000-8000-000000000001";
const MODULE = "bbbbbbbb-0000-4000-8000-000000000002";
const MODULES = ["server", "server-net", "server-admin"].map(name => `@minecraft/${name}`);
/** Prints its settings, and the result of a request. */
const SCRIPT = `
  import { world } from "@minecraft/server";
  import { http, HttpRequest, HttpRequestMethod } from "@minecraft/server-net";
  import { variables, secrets } from "@minecraft/server-admin";
  world.afterEvents.worldLoad.subscribe(() => {
    console.warn("url " + variables.get("url") + " secret " + String(secrets.get("token") !== undefined));
    const request = new HttpRequest(variables.get("url"));
    request.setMethod(HttpRequestMethod.Post);
    request.setBody("twenty bytes of text");
    http.request(request).then(() => console.warn("answered"), error => console.warn(error.name));
  });`;

let root: string;
let world: string;
let echo: Echo;
const games: ServerFolderGame[] = [];
const path = (...parts: string[]): string => join(root, ...parts);
const put = (file: string, value: unknown): void => {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
};
const list = (entries: unknown): void => put(join(world, "world_behavior_packs.json"), entries);
const permit = (net: object = {}, allowed = MODULES, folder = MODULE): void =>
  put(path("config", folder, "permissions.json"), {
    allowed_modules: allowed,
    module_permissions: { "@minecraft/server-net": net },
  });
const manifest = (version = [1, 0, 0], of = "beta") => ({
  format_version: 2,
  header: { name: "Test", uuid: PACK, version },
  modules: [{ type: "script", uuid: MODULE.toUpperCase(), version, entry: "scripts/main.js" }],
  dependencies: MODULES.map(module_name => ({ module_name, version: of })),
});
const install = (folder: string, content: object = manifest()): void => {
  put(join(folder, "manifest.json"), content);
  put(join(folder, "scripts/main.js"), SCRIPT);
};
const setProperty = (key: string, value: string): void => {
  const file = path("server.properties");
  const rest = readFileSync(file, "utf8")
    .split("\n")
    .filter(line => !line.startsWith(`${key}=`));
  writeFileSync(file, [...rest, `${key}=${value}`].join("\n"));
};

async function start(): Promise<ServerFolderGame> {
  const game = await createServerFolderSimulator(root);
  games.push(game);
  return game;
}
/** Starts the game and ticks until its script has printed the result of its request. */
async function outcome(): Promise<string> {
  const { simulator, stdout } = await start();
  await simulator.until(() => stdout.some(line => /answered|Error$/.test(line)));
  return stdout.findLast(line => line !== "")?.replace(/^.*\[Scripting\] /, "") ?? "";
}
/** Starts the game; returns the lines without their time, if no script runs. */
async function refused(): Promise<string[]> {
  const { started, stdout } = await start();
  expect(started).toBeUndefined();
  return stdout.map(line => line.replace(/^\[[^\]]*\] /, ""));
}

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "bds é "));
  world = path("worlds/Bedrock level");
  await makeServer(root, { levelName: "Bedrock level", experiments: "on" });
  put(path("allowlist.json"), [{ name: "Steve" }]);
  echo = await echoServer();
  install(path("behavior_packs/test"));
  list([{ pack_id: PACK, version: [1, 0, 0] }]);
  permit();
  put(path("config", MODULE, "variables.json"), { url: `${echo.url}/` });
  put(path("config", MODULE, "secrets.json"), { token: "t" });
  setProperty("content-log-console-output-enabled", "true");
});
afterEach(async () => {
  for (const { simulator } of games.splice(0)) simulator.dispose();
  await echo.close();
  rmSync(root, { recursive: true, force: true });
});

describe("a game in a server folder", () => {
  it("runs the script of the world's pack with its settings, and writes the server's lines", async () => {
    const { simulator, started, stdout } = await start();
    expect(started).toBe(PACK);
    await simulator.until(() => stdout.some(line => line.includes("answered")));
    const text = stdout.join("\n");
    expect(text).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d{3} INFO\] Starting Server\n/);
    for (const line of [
      "Level Name: Bedrock level",
      "Version: 1.26.60.6",
      "Experiment(s) active:",
      " gtst\n",
      "INFO] Accepting clients on [::]:19132",
      "Server started.",
      "Plugin Discovered",
    ])
      expect(text).toContain(line);
    expect(text).toContain(`[Packs] [SERVER] [00] Test (id: ${PACK}, version: 1.0.0) @ behavior_packs/test`);
    expect(text).toContain(`WARN] [Scripting] url ${echo.url}/ secret true`);
  });

  it("does not run a script whose module is not allowed", async () => {
    permit({}, MODULES.slice(0, 1));
    expect((await refused()).join("\n")).toContain(
      "[Scripting] Plugin [Test - 1.0.0] - depends on unknown module [@minecraft/server-net - 1.0.0-beta].",
    );
  });

  it("does not run a script without the Beta APIs that it needs", async () => {
    writeFileSync(join(world, "level.dat"), new Uint8Array());
    expect((await refused()).join("\n")).toContain(
      "[Scripting] Plugin [Test - 1.0.0] - requesting dependency on beta APIs [@minecraft/server - 2.12.0-beta], but the Beta APIs experiment is not enabled.",
    );
  });

  it("runs a script with stable modules without the Beta APIs, and without files of its own", async () => {
    writeFileSync(join(world, "level.dat"), new Uint8Array());
    rmSync(path("config"), { recursive: true });
    const dependencies = [
      { module_name: "@minecraft/server", version: "2.9.0" },
      { module_name: "@minecraft/server-ui", version: "2.1.0" },
    ];
    install(path("behavior_packs/test"), { ...manifest(), dependencies });
    const script = `import { Player } from "@minecraft/server"; console.warn("runs " + ("getPing" in Player.prototype));`;
    put(path("behavior_packs/test/scripts/main.js"), script);
    const { started, stdout } = await start();
    expect(started).toBe(PACK);
    expect(stdout.join("\n")).toContain("WARN] [Scripting] runs false");
  });

  it.each([
    [{ allowed_uris: ["http://127.0.0.1:1/"] }, "UriNotAllowedError"],
    [{ max_body_bytes: 19 }, "RequestBodyTooLargeError"],
    [{ max_body_bytes: 20, max_concurrent_requests: 1, allowed_uris: ["http://127.0.0.1"] }, "answered"],
  ])("holds the script to %j", async (net, expected) => {
    permit(net);
    expect(await outcome()).toBe(expected);
  });

  it("does not start with an allowlist if player names are not verified", async () => {
    setProperty("online-mode", "false");
    const lines = await refused();
    expect(lines.at(-1)).toBe(UNSAFE_LIST);
    expect(lines).not.toContain("Server started.");
    setProperty("allow-list", "false");
    expect(await outcome()).toBe("answered");
  });

  it("reports players who connect and disconnect, and its own stop", async () => {
    const { simulator, stdout } = await start();
    const { xuid, persistentId } = simulator.world.join("Steve");
    await simulator.tick(5);
    simulator.world.player("Steve").leave();
    await simulator.stop();
    const text = stdout.map(line => line.replace(/^\[[^\]]*\] /, ""));
    expect(persistentId).toMatch(/^[0-9A-F]{16}$/);
    expect(text.filter(line => /^Player|^Quit|stop/i.test(line))).toEqual([
      `Player connected: Steve, xuid: ${xuid}`,
      `Player PartyIdUpdate:  pfid: ${persistentId}, partyid: , isLeader: false`,
      `Player Spawned: Steve xuid: ${xuid}, pfid: ${persistentId}`,
      `Player disconnected: Steve, xuid: ${xuid}, pfid: ${persistentId}`,
      "Server stop requested.",
      "Stopping server...",
      "Quit correctly",
    ]);
  });

  it("lets players on the allowlist join", async () => {
    const { simulator } = await start();
    expect(simulator.world.join("Steve").name).toBe("Steve");
    expect(() => simulator.world.join("Alex")).toThrow("not on the allow list");
    setProperty("allow-list", "false");
    expect((await start()).simulator.world.join("Alex").name).toBe("Alex");
    setProperty("allow-list", "true");
    put(path("allowlist.json"), []);
    const lines = (await start()).stdout.map(line => line.replace(/^\[[^\]]* WARN\] /, ""));
    expect(lines).toEqual(expect.arrayContaining(EMPTY_LIST));
  });
});
