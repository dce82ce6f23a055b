import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { ended } from "../../test/helpers/ended.ts";
import { newFolder } from "../../test/helpers/folder.ts";
import { runTool, toolPath } from "../../test/helpers/tools.ts";
import { gameFolder, launch, onLinux, ownSidecar } from "./testing/launched.ts";

/** The files of a folder with their sizes and times. */
const listing = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map(name => {
    const { size, mtimeMs, mode } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs} ${mode}`;
  });

describe("launch", () => {
  it.each([
    ["no folder", [], "--server is missing"],
    ["a word too much", ["--server", "x", "y"], "y: is not expected here"],
    ["an unknown option", ["--server", "x", "--json"], "--json"],
    [
      "a timeout that is too short",
      ["--server", "x", "--stop-timeout", "0s"],
      "expected a time from 1s to 10m",
    ],
    [
      "a timeout without its unit",
      ["--server", "x", "--stop-timeout", "60"],
      "expected a time from 1s to 10m",
    ],
  ])("refuses %s with exit code 2", async (_, args, words) => {
    const { code, err } = await runTool("launch", args);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it("refuses a folder without a game server with one line and exit code 2", async () => {
    const folder = newFolder("nothing-");
    const missing = process.platform === "win32" ? "bedrock_server.exe" : "bedrock_server";
    expect(await runTool("launch", ["--server", folder])).toEqual({
      ...{ code: 2, out: "" },
      err: `[launch] ${folder}: ${missing} is missing: give the folder that contains it\n`,
    });
  });

  it("prints its usage", async () => {
    const { code, out } = await runTool("launch", ["--help"]);
    expect([code, out]).toEqual([0, expect.stringContaining("--stop-timeout")]);
  });
});

onLinux.describe("launch on Linux", () => {
  it("refuses with exit code 2 when nothing can be printed", async () => {
    const words = [toolPath("launch"), "--server", newFolder("nothing-")];
    const child = spawn("sh", ["-c", 'exec "$@" >/dev/full 2>&1', "sh", process.execPath, ...words]);
    expect(await once(child, "exit")).toEqual([2, null]);
  });

  it("refuses a game server that may not be executed", async () => {
    const folder = newFolder("game-");
    writeFileSync(join(folder, "bedrock_server"), "");
    chmodSync(join(folder, "bedrock_server"), 0o644);
    const { code, err } = await runTool("launch", ["--server", folder]);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(`run chmod +x ${join(folder, "bedrock_server")}`),
    ]);
  });

  it("refuses a second launch for the same folder, with the process of the game", async () => {
    const first = launch({ game: ["say ready"] });
    await first.prints("ready");
    const second = launch({ folder: first.folder });
    expect(await second.ended).toBe(2);
    expect(second.errors).toBe(
      `[launch] ${first.folder}: its game server is already running (process ${first.report().pid}): stop it first, with "stop" on its console if it has one\n`,
    );
    first.type("stop\n");
    expect(await first.ended).toBe(0);
  });

  it("refuses a game server that was started without launch", async () => {
    const folder = gameFolder();
    const game = spawn("./bedrock_server", ["-e", "console.log('up'); process.stdin.resume()"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(game.stdout, "data");
    const { code, err } = await runTool("launch", ["--server", folder]);
    await ended(game);
    expect([code, err]).toEqual([2, expect.stringContaining(`already running (process ${game.pid})`)]);
  });

  it("reports a program that cannot be run with the exit code of the shell", async () => {
    const folder = newFolder("game-");
    writeFileSync(join(folder, "bedrock_server"), "\x7fELF\n", { mode: 0o755 });
    const launched = launch({ folder });
    expect(await launched.ended).toBe(126);
  });

  it("starts the game where script makes no terminal", async () => {
    const tools = newFolder("tools-");
    writeFileSync(join(tools, "script"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const launched = launch({ env: { PATH: tools }, game: ["say ready"] });
    await launched.prints("ready");
    launched.type("stop\n");
    expect([await launched.ended, launched.errors]).toEqual([0, ""]);
  });

  it("writes nothing into the folder of the game server, and keeps its settings from the game", async () => {
    const folder = gameFolder();
    mkdirSync(join(folder, "worlds", "Bedrock level"));
    const before = listing(folder);
    const { args, env } = ownSidecar();
    const launched = launch({ folder, args, env, game: ["say ready"] });
    await launched.prints("ready");
    await launched.says("bridge listener at");
    const gameEnv = launched.report().env;
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
    expect(listing(folder)).toEqual(before);
    expect(Object.keys(gameEnv).filter(name => name.startsWith("WEB_BRIDGE_"))).toEqual([]);
    expect(gameEnv).toMatchObject({ PATH: process.env.PATH, LD_LIBRARY_PATH: "." });
    rmSync(folder, { recursive: true });
  });

  it("starts the game although nobody reads its standard error", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"] });
    launched.child.stderr.destroy();
    await launched.prints("ready");
    launched.child.kill("SIGTERM");
    expect(await launched.ended).toBe(0);
  });
});
