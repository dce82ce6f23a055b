import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { TASKS } from "../../scripts/tasks.mjs";
import { ended } from "../helpers/ended.ts";
import { newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/runner.ts";
import { Bench } from "../helpers/server-setup.ts";
import { IS_BUILT, ROOT } from "../package/packages.ts";
import { blocks, exists, text } from "./pages.ts";

// Blocks of README.md: try-it-without-minecraft sh
// Blocks of docs/after-an-update.md: what-to-do sh, what-to-do text, other-versions-of-the-modules sh
// Blocks of docs/install-by-hand.md: 1-start-the-sidecar-once sh, 1-start-the-sidecar-once text
// Blocks of docs/install-by-hand.md: 4-allow-the-pack-to-call-the-sidecar properties
// Blocks of docs/prove.md: try-a-game-before-you-use-it sh
// Blocks of docs/troubleshooting.md: when-something-is-wrong sh

const PAGES = [
  ...["README.md", "docs/after-an-update.md", "docs/install-by-hand.md", "docs/prove.md"],
  "docs/troubleshooting.md",
];
/** Every command of npm in the blocks of these pages. */
const COMMANDS = PAGES.flatMap(page =>
  blocks(page, "sh").flatMap(block => block.text.split("\n").filter(line => line.startsWith("npm "))),
);

/** What a command of npm runs in the end: a program of this repository, and its arguments. */
function resolved(command: string): [program: string, args: string[]] {
  const [, task = "", rest = ""] = /^npm (?:run )?([\w-]+)(?: -- (.*))?$/.exec(command) ?? [];
  const { scripts } = JSON.parse(text("package.json"));
  expect([command, scripts[task]]).toEqual([command, `node scripts/bootstrap.mjs ${task}`]);
  const args = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  return [join(ROOT, TASKS[task]?.program ?? ""), args];
}

const commands = (task: RegExp): string[] => COMMANDS.filter(command => task.test(command));

/** The block of a page that holds a text. */
const shown = (page: string, part: string): string[] =>
  blocks(page, "text")
    .find(block => block.text.includes(part))
    ?.text.split("\n") ?? [];

it("every command of npm leads to a program that is there", () => {
  expect(COMMANDS.length).toBeGreaterThan(5);
  for (const command of COMMANDS)
    expect([command, existsSync(resolved(command)[0]) || !IS_BUILT]).toEqual([command, true]);
});

it("the line of a pack that has connected is the same on every page", () => {
  const connected = "[web bridge] connected to the sidecar at http://127.0.0.1:8081";
  for (const page of ["README.md", "docs/install-by-hand.md"])
    expect(shown(page, "connected to the sidecar")).toEqual([connected]);
  const [before = "", ...after] = shown("docs/after-an-update.md", "connected to the sidecar");
  expect(text("owner/setup/show.ts")).toContain(before);
  expect(after).toEqual([connected]);
});

it("the setting by hand is the one that setup makes", () => {
  const [line] = blocks("docs/install-by-hand.md", "properties");
  const [key = "", value] = line?.text.split("=") ?? [];
  expect(text("owner/setup/plan.ts")).toContain(`"${key}": "${value}"`);
});

needs("npm run build", IS_BUILT).describe("the steps of an owner", () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = new Bench();
    bench.levelName = "Bedrock level";
    await bench.make();
  });

  const run = (command: string, ...more: string[]): { status: number | null; out: string } => {
    const [program, args] = resolved(command);
    const own = args.map(arg => (arg.startsWith("/srv/") ? bench.server : arg));
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...own, ...more], {
      encoding: "utf8",
      cwd: bench.folder,
      env: {
        ...process.env,
        WEB_BRIDGE_CONFIG: join(bench.folder, "config.yml"),
        // Whatever else listens on this machine.
        WEB_BRIDGE_MODULES_API_PORT: "8080",
        WEB_BRIDGE_BRIDGE_PORT: "8081",
      },
    });
    return { status, out: stdout + stderr };
  };

  it("show the changes that setup shows", () => {
    const [setup = ""] = commands(/ setup /);
    const { status, out } = run(setup, "--dry-run");
    expect(status).toBe(0);
    const lines = shown("README.md", "Changes:").filter(line => line !== "");
    expect(lines.length).toBeGreaterThan(8);
    let at = 0;
    for (const line of lines) {
      const found = out.indexOf(`${line}\n`, at);
      expect([line, found < at && out]).toEqual([line, false]);
      at = found;
    }
  });

  it("ask the doctor in words that it understands, before and after setup", () => {
    const asked = commands(/ doctor /);
    expect(asked.length).toBeGreaterThanOrEqual(2);
    for (const doctor of asked) {
      expect(run(doctor).out).toContain("run: ");
      expect(run(doctor).status).toBe(1);
    }
    expect(run(commands(/ setup /)[0] ?? "", "--yes").status).toBe(0);
    expect(run(asked[0] ?? "").out).not.toContain("behavior_packs of");
  });
});

needs("npm run build", IS_BUILT).describe("the first start", () => {
  let folder: string;
  let child: ChildProcess | undefined;
  beforeEach(() => {
    folder = newFolder("first start ");
  });
  afterEach(() => ended(child));

  it.each(["README.md", "docs/install-by-hand.md"])("says what %s shows", async page => {
    const [start = ""] = commands(/^npm start/);
    const [program, args] = resolved(start);
    child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: {
        ...process.env,
        WEB_BRIDGE_LOG_FORMAT: "pretty",
        WEB_BRIDGE_MODULES_API_PORT: "0",
        WEB_BRIDGE_BRIDGE_PORT: "0",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said: string[] = [];
    if (!child.stdout) throw new Error("no output");
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line);
      if (line.includes("open http")) break;
    }
    // The pages leave out the time and the fields, and say so.
    const plain = (line: string): string =>
      line
        .replace(/^\[[\d: -]+\] /, "")
        .replace(/ \{.*\}$/, "")
        .replace(/:\d+(?=$|\/)/, ":port")
        .replace(/, or from .*/, "");
    const lines = shown(page, "public listener").map(plain);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(said.map(plain)).toEqual(expect.arrayContaining(lines));
    expect(existsSync(join(folder, "config.yml"))).toBe(true);
    expect(exists("data")).toBe(false);
  });
});
