import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { linesUnder, text } from "../docs/pages.ts";
import { eventually } from "../helpers/eventually.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { DEPLOY, findProgram, recipe } from "./front.ts";

const script = recipe("windows/install-service.ps1");
const pwsh = findProgram(["pwsh", "powershell"], "-NoProfile", "-Command", "exit 0");

/** The code without comments and strings; unterminated ones stay. */
const bare = (text: string): string =>
  text.replace(/<#[\s\S]*?#>|'(?:[^']|'')*'|"(?:`[\s\S]|""|[^"`])*"|#[^\n]*/g, match =>
    match.startsWith("#") || match.startsWith("<") ? "" : "''",
  );

// Blocks of docs/launch.md: on-windows bat

it("a file for a double click calls the command of the page, and waits before the window closes", () => {
  const [command = ""] = /\.\\start\.cmd --server "[^"]+"/.exec(text("docs/launch.md")) ?? [];
  expect(linesUnder("docs/launch.md", "on-windows", "bat")).toEqual([`call ${command}`, "pause"]);
});

describe("the script that creates a task for Windows", () => {
  it("is well formed", () => {
    const open: string[] = [];
    for (const sign of bare(script).replace(/[^()[\]{}"]/g, "")) {
      if ("([{".includes(sign)) open.push(sign);
      else expect(`${open.pop()}${sign}`).toMatch(/^(\(\)|\[\]|\{\})$/);
    }
    expect(open).toEqual([]);
    expect(script).toMatch(/^[\n\x20-\x7e]*$/);
  });

  needs("PowerShell", pwsh !== undefined).it("is parsed by PowerShell without an error", () => {
    const file = join(DEPLOY, "windows/install-service.ps1");
    const command = `$e = $null; [void][Management.Automation.Language.Parser]::ParseFile('${file}', [ref]$null, [ref]$e); exit $e.Count`;
    expect(spawnSync(pwsh ?? "", ["-NoProfile", "-Command", command]).status).toBe(0);
  });
});

describe("the command of the task", () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  const run = (...args: string[]): number | null =>
    spawnSync(process.execPath, [path("deploy/windows/run.mjs"), ...args], { cwd: folder }).status;

  beforeEach(() => {
    folder = newFolder("a task ");
    mkdirSync(path("deploy/windows"), { recursive: true });
    copyFileSync(join(DEPLOY, "windows/run.mjs"), path("deploy/windows/run.mjs"));
  });

  it("writes the sidecar's output to the log, and exits with its code", () => {
    writeFileSync(
      path("main.js"),
      "console.log(process.argv.slice(2).join(' ')); console.error('wrong'); process.exit(7);",
    );
    expect(run("--version")).toBe(7);
    expect(run()).toBe(7);
    const config = join(folder, "config.yml");
    const lines = readFileSync(path("web-bridge.log"), "utf8").trim().split("\n");
    expect(lines).toEqual([`--config ${config} --version`, "wrong", `--config ${config}`, "wrong"]);
  });

  it("gives the sidecar the name of the task, and forwards other arguments", () => {
    writeFileSync(
      path("main.js"),
      "console.log(process.env.WEB_BRIDGE_RUN_BY, process.argv.slice(4).join(' '));",
    );
    run("--task", "Web Bridge", "--version");
    run("--version");
    expect(readFileSync(path("web-bridge.log"), "utf8").trim().split("\n")).toEqual([
      "task:Web Bridge --version",
      "undefined --version",
    ]);
    expect(script).toContain('--task `"$Name`"');
  });

  it("renames a large log and keeps one of these", () => {
    writeFileSync(path("main.js"), "console.log('new');");
    writeFileSync(path("web-bridge.log"), "old\n");
    truncateSync(path("web-bridge.log"), 11 * 1024 * 1024);
    writeFileSync(path("web-bridge.log.old"), "oldest\n");
    expect(run()).toBe(0);
    expect(readFileSync(path("web-bridge.log"), "utf8").trim()).toBe("new");
    expect(readFileSync(path("web-bridge.log.old"), "utf8").startsWith("old\n")).toBe(true);
  });

  needs("signals, not Windows", process.platform !== "win32").it(
    "forwards a signal, so that the sidecar stops cleanly",
    async () => {
      writeFileSync(
        path("main.js"),
        "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000); console.log('ready');",
      );
      const child = spawn(process.execPath, [path("deploy/windows/run.mjs")], {
        cwd: folder,
        stdio: "ignore",
      });
      await eventually(() =>
        expect(existsSync(path("web-bridge.log")) && readFileSync(path("web-bridge.log"), "utf8")).toContain(
          "ready",
        ),
      );
      child.kill("SIGTERM");
      expect((await once(child, "exit"))[0]).toBe(0);
    },
  );
});
