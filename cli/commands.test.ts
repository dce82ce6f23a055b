import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { newFolder } from "../test/helpers/folder.ts";
import { commandsIn, quoted } from "./commands.ts";

let root: string;
beforeEach(() => {
  root = newFolder("commands ");
});

const makeRepository = (): void => {
  mkdirSync(join(root, "scripts"));
  writeFileSync(join(root, "scripts", "bootstrap.mjs"), "");
};

describe("the commands for owners", () => {
  const elsewhere = () => join(root, "elsewhere");

  it("go through npm in the repository, except on Windows, where PowerShell removes its two dashes", () => {
    makeRepository();
    const { setup, doctor, start } = commandsIn(root, "linux", root);
    expect([setup, doctor, start]).toEqual(["npm run setup --", "npm run doctor --", "npm start --"]);
    expect(commandsIn(root, "win32", root).setup).toBe(`node ${join("scripts", "bootstrap.mjs")} setup`);
    const program = join(root, "scripts", "bootstrap.mjs");
    expect(commandsIn(root, "linux", elsewhere()).doctor).toBe(`node "${program}" doctor`);
  });

  it("need no npm in the archive, and have absolute paths when the owner is in another folder", () => {
    const { setup, doctor, start, launch } = commandsIn(root, "linux", root);
    expect([setup, doctor]).toEqual(["./web-bridge setup", "./web-bridge doctor"]);
    expect([start, launch]).toEqual(["./start.sh", "./start.sh"]);
    const onWindows = commandsIn(root, "win32", root);
    expect([onWindows.setup, onWindows.start]).toEqual([".\\web-bridge.cmd setup", ".\\start.cmd"]);
    const there = commandsIn(root, "linux", elsewhere());
    expect([there.setup, there.start]).toEqual([
      `"${join(root, "web-bridge")}" setup`,
      `"${join(root, "start.sh")}"`,
    ]);
    const above = commandsIn(root, "linux", dirname(root));
    expect(above.key).toBe(`"${basename(root)}/web-bridge" key`);
  });
});

it("quote a path that a shell could interpret", () => {
  expect(quoted("/srv/a b", "linux")).toBe('"/srv/a b"');
  for (const path of ["/srv/$(touch x)", "/srv/`x`", '/srv/"; x', "/srv/it's $HOME"]) {
    const { stdout } = spawnSync("sh", ["-c", `printf %s ${quoted(path, "linux")}`], { encoding: "utf8" });
    if (process.platform !== "win32") expect(stdout).toBe(path);
  }
  expect(quoted("C:\\my servers\\$1", "win32")).toBe('"C:\\my servers\\$1"');
});
