import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { PACK_FOLDER } from "../../bds/built-pack.ts";
import { journalFile } from "../../bds/setup-folder.ts";
import { freePort } from "../../cli/free-port.ts";
import { makeServer } from "../../scripts/make-server.mjs";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { until } from "../../test/helpers/eventually.ts";
import { newFolder } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { HAS_SCRIPT } from "../setup/testing/command.ts";
import { atTerminal, gameFolder, launch, linkNode, onLinux, ownSidecar } from "./testing/launched.ts";

/** Makes a folder look as if setup had installed the add-on with this `version` in its manifest. */
function installAddOn(folder: string, version: unknown): void {
  const pack = join(folder, "behavior_packs", PACK_FOLDER);
  for (const path of [pack, journalFile(folder)]) mkdirSync(path, { recursive: true });
  writeFileSync(join(pack, "manifest.json"), JSON.stringify({ header: { version } }));
}

const QUESTION = "Setup has never been run on this game server. Run setup now? [Y/n] ";

needs("script", HAS_SCRIPT).describe("launch at a terminal", () => {
  it("offers setup, and starts the game after a no, with what is typed then", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"], shell: atTerminal });
    await launched.prints(QUESTION);
    expect(launched.pids("game")).toEqual([]);
    launched.type("n\n");
    await launched.prints("ready");
    await launched.prints("Starting without the add-on. To install it, stop the game server, and run ");
    launched.type("hello\n");
    await launched.prints("heard hello");
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
  });

  it.each([
    ["all features", "a", true],
    ["the pack that keeps achievements", "k", false],
  ])("runs setup after a yes, and then starts the game, with %s", async (_, pack, needsExperiment) => {
    const folder = newFolder("game-");
    await makeServer(folder, { levelName: "World" });
    const level = join(folder, "worlds/World/level.dat");
    const before = readFileSync(level);
    linkNode(join(folder, "bedrock_server"));
    const { args, env } = ownSidecar();
    const launched = launch({
      folder,
      args,
      // Setup refuses a port that changes.
      env: { ...env, WEB_BRIDGE_BRIDGE_PORT: `${await freePort()}` },
      game: ["say ready"],
      shell: atTerminal,
    });
    for (const [question, answer] of [
      [QUESTION, "\n"],
      ["All features, or keep achievements?", `${pack}\n`],
      ["Plain form or chest?", "p\n"],
      ["Show everyone the list?", "n\n"],
      ["Make these changes?", "y\n"],
    ] as const) {
      await launched.prints(question);
      launched.type(answer);
    }
    await launched.prints("ready");
    expect(existsSync(journalFile(folder))).toBe(true);
    expect(readFileSync(level).equals(before)).toBe(!needsExperiment);
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
  });

  it.each([
    ["Ctrl+C", "\x03"],
    ["Ctrl+D", "\x04"],
  ])("ends without the game after %s at the question", async (_, key) => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"], shell: atTerminal });
    await launched.prints(QUESTION);
    launched.type(key);
    expect(await launched.ended).toBe(130);
    expect(launched.printed.includes("ready")).toBe(false);
  });

  it("says to start a new game server twice, because setup needs its world", async () => {
    const folder = newFolder("game-");
    linkNode(join(folder, "bedrock_server"));
    const { args, env } = ownSidecar();
    const launched = launch({ folder, args, env, game: ["exit 0"], shell: atTerminal });
    await launched.prints("creates it now. Then stop it, and start it again to install the add-on");
    expect(await launched.ended).toBe(0);
  });

  it("offers setup after an update of the sidecar, with both versions", async () => {
    const folder = gameFolder();
    installAddOn(folder, [0, 0, 9]);
    const { args, env } = ownSidecar();
    const launched = launch({ folder, args, env, game: ["say ready"], shell: atTerminal });
    await launched.prints(`has version 0.0.9, the sidecar ${PRODUCT_VERSION}. Run setup now? [Y/n] `);
    launched.type("n\n");
    await launched.prints("Starting with this add-on. To replace it, stop the game server, and run ");
    await launched.prints("ready");
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
  });

  it("ends without the game when a panel types stop at the question", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"], shell: atTerminal });
    await launched.prints(QUESTION);
    launched.type("stop\n");
    expect(await launched.ended).toBe(0);
    expect(launched.printed.includes("ready")).toBe(false);
  });

  it("ends without the game on a signal at the question", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready"], shell: atTerminal });
    await launched.prints(QUESTION);
    process.kill(await launched.pid("launch"), "SIGTERM");
    expect(await launched.ended).toBe(143);
    expect(launched.pids("game")).toEqual([]);
  });

  it("stops the game in order while the terminal is stopped, as by Ctrl+S", async () => {
    const launched = launch({ game: ["flood"], shell: atTerminal, isRead: false });
    await launched.untilBlocked();
    process.kill(await launched.pid("launch"), "SIGTERM");
    await until(() => launched.report().hasEnded);
  });

  it("stops the game in order when the terminal is closed", async () => {
    const launched = launch({ game: ["slow 300", "say ready"], shell: atTerminal });
    await launched.prints("ready");
    process.kill(launched.child.pid ?? 0, "SIGKILL");
    await until(() => launched.report().hasEnded);
    await until(() => launched.pids("launch").length === 0);
  });

  it("stops the game on Ctrl+C, and then the sidecar, which does not get the key", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["slow 300", "say ready"], shell: atTerminal });
    await launched.prints(QUESTION);
    launched.type("n\n");
    await launched.prints('"listener":"bridge"');
    await launched.prints("ready");
    launched.type("\x03");
    expect(await launched.ended).toBe(0);
    const printed = String(launched.printed);
    expect(printed).toContain("Ctrl+C again kills it");
    expect(printed).not.toContain("SIGINT");
    expect(printed.indexOf("Quit correctly")).toBeLessThan(printed.indexOf('"msg":"Stopped"'));
  });
});

onLinux.describe("launch without a terminal", () => {
  it.each([
    [
      "says how to run setup if it was never run",
      (folder: string) => join(folder, "worlds"),
      "[launch] Setup has never been run on this game server. Stop it, and run ",
    ],
    [
      "says when to run setup if there is no world yet",
      (folder: string) => join(folder, "behavior_packs"),
      "[launch] This game server has no world yet, and creates it now. Then stop it, and run ",
    ],
    ["does not mention setup after setup was run", journalFile, undefined],
  ])("%s, and starts the game", async (_, path, words) => {
    const folder = newFolder("game-");
    linkNode(join(folder, "bedrock_server"));
    mkdirSync(path(folder), { recursive: true });
    const { args, env } = ownSidecar();
    const launched = launch({ folder, args, env, game: ["exit 0"] });
    expect(await launched.ended).toBe(0);
    if (words === undefined) expect(launched.errors).not.toMatch(/setup/i);
    else expect(launched.errors).toContain(words);
  });

  it.each([
    ["says how to update the add-on if it has another version than the sidecar", [9, 0, 0], true],
    [
      "does not mention setup if the add-on has the sidecar's version",
      PRODUCT_VERSION.split(".").map(Number),
      false,
    ],
    ["does not mention setup if the add-on's version is unknown", "\x1b[31m", false],
  ])("%s, and starts the game", async (_, version, isSaid) => {
    const folder = gameFolder();
    installAddOn(folder, version);
    const { args, env } = ownSidecar();
    const launched = launch({ folder, args, env, game: ["exit 0"] });
    expect(await launched.ended).toBe(0);
    const words = `[launch] The add-on in this game server has version 9.0.0, the sidecar ${PRODUCT_VERSION}. Stop it, and run `;
    if (isSaid) expect(launched.errors).toContain(words);
    else expect(launched.errors).not.toMatch(/setup/i);
  });

  it("does not mention setup if the add-on was installed by hand", async () => {
    const folder = gameFolder();
    installAddOn(folder, PRODUCT_VERSION.split(".").map(Number));
    rmSync(journalFile(folder), { recursive: true });
    const { args, env } = ownSidecar();
    const launched = launch({ folder, args, env, game: ["exit 0"] });
    expect(await launched.ended).toBe(0);
    expect(launched.errors).not.toMatch(/setup/i);
  });
});
