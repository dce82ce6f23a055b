import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { needs } from "../test/helpers/needs.ts";
import { commandOf, gameEnvironment, startGame } from "./game-process.ts";
import { hasTerminal } from "./terminal.ts";

/** A program that answers each line, ends with 0 after `stop` and crashes after `crash`; `isDeaf`: it does neither. */
function fakeGame(isDeaf = false): string {
  const folder = newFolder("game ");
  const program = join(folder, "bedrock_server");
  writeFileSync(
    program,
    `#!${process.execPath}
const { spawn } = require("node:child_process");
if (${isDeaf}) spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
console.log("home " + process.env.HOME);
console.log("Server started.");
require("node:readline").createInterface({ input: process.stdin }).on("line", line => {
  console.log("heard " + line);
  if (${isDeaf}) return;
  if (line === "stop") process.exit(0);
  if (line === "crash") process.exit(7);
});
`,
  );
  chmodSync(program, 0o755);
  return folder;
}

const start = (folder: string, terminal = false) =>
  startGame({ folder, program: "bedrock_server", terminal });
const started = /^Server started\.$/;

// The game of these tests is a script with an interpreter.
needs("a shell, not Windows", process.platform !== "win32").describe("the process of a game server", () => {
  it.each([false, true])("takes input, and stops on command (terminal: %s)", async wanted => {
    const folder = fakeGame();
    const game = start(folder, wanted && hasTerminal());
    expect(await game.console.line(started, 30_000, 0)).toBe("Server started.");
    game.console.type("list");
    expect(await game.console.line(/^heard list/, 30_000)).toBe("heard list");
    expect([await game.stop(), game.end]).toMatchObject([true, { code: 0, isRequested: true }]);
    // Typed text is not part of its output, and its home is its own folder.
    expect(game.console.lines()).not.toContain("list");
    expect(game.console.lines()).toContain(`home ${folder}`);
    expect(existsSync(join(folder, "temp"))).toBe(true);
  });

  it("that crashes is reported as ended without a command", async () => {
    const game = start(fakeGame());
    await game.console.line(started, 30_000, 0);
    game.console.type("crash");
    expect(await game.ended).toMatchObject({ code: 7, isRequested: false });
    expect(await game.stop()).toBe(true);
  });

  it("is killed with its child processes", async () => {
    const game = start(fakeGame(true), hasTerminal());
    await game.console.line(started, 30_000, 0);
    await game.kill();
    expect(game.end).toMatchObject({ isRequested: true });
  });
});

it("a game server that cannot be started is reported as ended, with the reason on its console", async () => {
  const game = startGame({ folder: newFolder("none "), program: "bedrock_server", terminal: false });
  expect(await game.ended).toMatchObject({ code: null, isRequested: false });
  expect(game.console.lines().join()).toContain("ENOENT");
});

describe("how a game server is run", () => {
  it("uses a pseudo-terminal on Linux if available, and runs the program directly elsewhere", () => {
    const quoted = commandOf("it's", "/x", true);
    expect(quoted).toEqual({
      file: "script",
      args: ["-qefc", "stty -echo; exec './it'\\''s'", "/dev/null"],
    });
    expect(commandOf("bedrock_server", "/x", false)).toEqual({ file: "./bedrock_server", args: [] });
    expect(commandOf("bedrock_server.exe", "x", true)).toEqual({
      file: join("x", "bedrock_server.exe"),
      args: [],
    });
  });

  it("gets only PATH from its owner's environment", () => {
    const env = {
      PATH: "/bin",
      SystemRoot: "C:\\Windows",
      WEB_BRIDGE_BRIDGE_TOKEN: "secret",
      HOME: "/home/me",
    };
    expect(gameEnvironment("/x", env, "linux")).toEqual({
      ...{ PATH: "/bin", HOME: "/x", TMPDIR: join("/x", "temp"), LD_LIBRARY_PATH: ".", SHELL: "/bin/sh" },
      TERM: "dumb",
    });
    expect(Object.keys(gameEnvironment("x", env, "win32")).sort()).toEqual(
      ["APPDATA", "LOCALAPPDATA", "PATH", "SystemRoot", "TEMP", "TMP", "USERPROFILE"].sort(),
    );
  });
});
