import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { openServer } from "../../owner/bds/folder.ts";
import { askJoin } from "../../owner/bds/join.ts";
import { readLevelDat } from "../../owner/bds/level-dat.ts";
import { findRunning, serversHere } from "../../owner/bds/running.ts";
import { systemFiles, systemSigns } from "../../owner/bds/system.ts";
import { findServers, isServer } from "../../sidecar/process/find.ts";
import { install, type Made, makeFolder, start } from "./process.ts";

/** Counts what it was asked to in a dynamic property. */
const SCRIPT = `
  import { system, world } from "@minecraft/server";
  import { spawnSimulatedPlayer } from "@minecraft/server-gametest";
  import { dedicatedServer } from "@minecraft/server-admin";
  const shout = what => console.warn("count " + (world.getDynamicProperty("count") ?? 0) + " " + what);
  world.afterEvents.worldLoad.subscribe(() => shout("loaded"));
  system.beforeEvents.shutdown.subscribe(() => shout("ends"));
  system.afterEvents.scriptEventReceive.subscribe(({ id, message }) => {
    if (id === "t:count") world.setDynamicProperty("count", (world.getDynamicProperty("count") ?? 0) + 1);
    if (id === "t:list") dedicatedServer.allowList.add({ name: message });
    if (id === "t:spawn")
      spawnSimulatedPlayer({ dimension: world.getDimension("overworld"), x: 0, y: 0, z: 0 }, message, "Survival");
    shout(id);
  }, { namespaces: ["t"] });
`;

/** One that was started once and stopped, with the pack in it. */
async function ready(): Promise<Made> {
  const made = await makeFolder();
  const first = start(made);
  await first.line(/^Server started\.$/);
  first.type("stop");
  await first.ended;
  install(made, SCRIPT);
  return made;
}

describe("a stand-in for a game server", () => {
  it("makes a world without experiments at its first start, says so, and stops", async () => {
    const made = await makeFolder();
    const server = start(made);
    await server.line(/^Server started\.$/);
    expect(server.lines).toEqual(
      expect.arrayContaining([
        "Starting Server",
        "Version: 1.26.60.6",
        `Accepting clients on [::]:${made.port}`,
      ]),
    );
    const level = readLevelDat(readFileSync(join(made.folder, "worlds/Bedrock level/level.dat")));
    expect(level).toMatchObject({ levelName: "Bedrock level", betaApis: false, openedWith: [1, 26, 60, 6] });
    server.type("list");
    await server.line(/^There are 0\/10 players online:$/);
    server.type("stop");
    expect(await server.ended).toBe(0);
    expect(server.lines.slice(-3)).toEqual([
      "Server stop requested.",
      "Stopping server...",
      "Quit correctly",
    ]);
    expect(readdirSync(made.folder).filter(name => name.startsWith("."))).toEqual([]);
  });

  it("answers at its port whoever asks, and has the port of the local network", async () => {
    const made = await makeFolder();
    const server = start(made);
    await server.line(/^Server started\.$/);
    const told = await askJoin(made.port, AbortSignal.timeout(5_000));
    expect(told).toMatchObject({
      value: { name: "Dedicated Server", version: "1.26.60", players: 0, maxPlayers: 10 },
    });
    const udp = readFileSync("/proc/net/udp6", "utf8") + readFileSync("/proc/net/udp", "utf8");
    expect(udp).toMatch(new RegExp(`:${(7551).toString(16).toUpperCase()} `));
  });

  it("is known by its process and by the lock of its world", async () => {
    const made = await makeFolder();
    const server = start(made);
    await server.line(/^Server started\.$/);
    const folder = openServer(made.folder, systemFiles);
    if ("faults" in folder) throw new Error(folder.faults.join());
    expect(findRunning(folder, systemSigns)).toEqual({ pid: server.pid });
    expect(serversHere(systemSigns).find(({ pid }) => pid === server.pid)?.root).toBe(
      systemSigns.realPath(made.folder),
    );
    expect(await isServer(server.pid)).toBe(true);
    expect(await findServers(made.folder)).toContain(server.pid);
    await server.kill();
    expect(findRunning(folder, systemSigns)).toBeUndefined();
  });

  it("runs the pack of its world in a copy of its folder, too", async () => {
    const made = await ready();
    const copy = { folder: join(made.folder, "copy"), port: made.port };
    const names = readdirSync(made.folder).filter(name => name !== "copy");
    for (const name of names) cpSync(join(made.folder, name), join(copy.folder, name), { recursive: true });
    const server = start(copy);
    await server.line(/count 0 loaded/);
    server.type("scriptevent t:spawn Bot One");
    await server.line(/^Player Spawned: Bot One xuid: , pfid: [0-9A-F]{16}$/);
    server.type("scriptevent t:list Two Words");
    await server.line(/count 0 t:list/);
    expect(readFileSync(join(copy.folder, "allowlist.json"), "utf8")).toContain('"name": "Two Words"');
    server.type("list");
    await server.line(/^Bot One$/);
    const told = await askJoin(copy.port, AbortSignal.timeout(5_000));
    expect(told).toMatchObject({ value: { players: 1 } });
  });

  it("keeps its world over a stop, and what was saved over a kill", async () => {
    const made = await ready();
    const first = start(made);
    await first.line(/count 0 loaded/);
    first.type("scriptevent t:count");
    await first.line(/count 1 t:count/);
    first.type("stop");
    await first.ended;
    expect(first.lines.join("\n")).toMatch(/Server stop requested\.[\s\S]*count 1 ends[\s\S]*Quit correctly/);
    const second = start(made);
    await second.line(/count 1 loaded/);
    second.type("scriptevent t:count");
    await second.line(/count 2 t:count/);
    await second.kill();
    expect(second.lines.join("\n")).not.toContain("ends");
    const third = start(made);
    await third.line(/count 1 loaded/);
    const level = readLevelDat(readFileSync(join(made.folder, "worlds/Bedrock level/level.dat")));
    expect(level).toMatchObject({ betaApis: true });
    third.type("reload");
    await third.line(/files have been reloaded/);
    third.type("scriptevent t:none");
    await third.line(/count 1 t:none/);
    expect(third.lines.filter(line => line.includes("loaded")).length).toBe(2);
  });

  it("does not start where its list could be got round", async () => {
    const made = await makeFolder();
    const path = join(made.folder, "server.properties");
    writeFileSync(path, readFileSync(path, "utf8").replace("allow-list=false", "allow-list=true"));
    const server = start(made);
    expect(await server.ended).toBe(1);
    expect(server.lines.join("\n")).toContain("can be dangerous and is not allowed");
    expect(existsSync(join(made.folder, "worlds/Bedrock level/level.dat"))).toBe(true);
  });
});
