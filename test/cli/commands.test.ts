import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { commandsIn, quoted } from "../../cli/commands.ts";
import { newFolder } from "../helpers/folder.ts";

let root: string;
beforeEach(() => {
  root = newFolder("commands ");
});

const makeRepository = (): void => {
  mkdirSync(join(root, "scripts"));
  writeFileSync(join(root, "scripts", "bootstrap.mjs"), "");
};

describe("the commands that are shown", () => {
  it("go through npm in the repository", () => {
    makeRepository();
    const { setup, doctor, start } = commandsIn(root, "linux", root);
    expect([setup, doctor, start]).toEqual(["npm run setup --", "npm run doctor --", "npm start --"]);
  });

  it("need no npm on Windows, where PowerShell takes its two dashes away", () => {
    makeRepository();
    expect(commandsIn(root, "win32", root).setup).toBe(`node ${join("scripts", "bootstrap.mjs")} setup`);
  });

  it("need no npm in the archive", () => {
    const { setup, doctor, start } = commandsIn(root, "linux", root);
    expect([setup, doctor, start]).toEqual([
      "node dist/tools/setup.js",
      "node dist/tools/doctor.js",
      "./start.sh",
    ]);
  });

  it("start the sidecar on Windows as the page says, in any of its shells", () => {
    expect(commandsIn(root, "win32", root).start).toBe(".\\start.cmd");
  });

  it("have whole paths when the owner is in another folder", () => {
    expect(commandsIn(root, "linux", join(root, "elsewhere")).start).toBe(`"${join(root, "start.sh")}"`);
    makeRepository();
    expect(commandsIn(root, "linux", join(root, "elsewhere")).doctor).toBe(
      `node "${join(root, "scripts", "bootstrap.mjs")}" doctor`,
    );
  });
});

it("puts quotes around a path from which a shell would run something", () => {
  expect(quoted("/srv/a b", "linux")).toBe('"/srv/a b"');
  for (const path of ["/srv/$(touch x)", "/srv/`x`", '/srv/"; x', "/srv/it's $HOME"]) {
    const { stdout } = spawnSync("sh", ["-c", `printf %s ${quoted(path, "linux")}`], { encoding: "utf8" });
    if (process.platform !== "win32") expect(stdout).toBe(path);
  }
  expect(quoted("C:\\my servers\\$1", "win32")).toBe('"C:\\my servers\\$1"');
});
