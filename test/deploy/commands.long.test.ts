import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { tarGz } from "../../scripts/archives.mjs";
import { sidecarFiles } from "../../scripts/package.mjs";
import { blocks, code, linesUnder } from "../docs/pages.ts";
import { IS_ROOT, newFolder } from "../helpers/folder.ts";
import { needs } from "../helpers/needs.ts";
import { Bench } from "../helpers/server-setup.ts";
import { IS_BUILT, ROOT, SIDECAR, VERSION } from "../package/packages.ts";
import { recipe } from "./front.ts";

// Blocks of deploy/docker/README.md: two-containers properties
// Blocks of deploy/README.md: linux sh, windows powershell, from-trying-to-a-service sh
// Blocks of deploy/README.md: from-trying-to-a-service powershell

/** The lines of a section of the page. */
const lines = (heading: string, language: string): string[] =>
  linesUnder("deploy/README.md", heading, language);

const SETUP = join(ROOT, "dist/tools/setup.js");
const IS_LINUX = process.platform === "linux";

needs("Linux, npm run build", IS_LINUX && IS_BUILT).describe("the commands for Linux", () => {
  const bench = new Bench();
  let folder: string;
  beforeAll(async () => {
    await bench.make();
    folder = newFolder("linux-");
    for (const name of ["opt", "units", "state"]) mkdirSync(join(folder, name));
    const files = sidecarFiles(VERSION);
    writeFileSync(join(folder, SIDECAR), await tarGz(files));
  });

  /** Runs a line of the page with the folders of a test instead of those of a system. */
  function run(line: string, more = ""): { status: number | null; out: string } {
    const own = line
      .replace(/^sudo /, "")
      .replaceAll("/opt", join(folder, "opt"))
      .replaceAll("/etc/systemd/system/", join(folder, "units/"))
      .replaceAll("/var/lib/web-bridge", join(folder, "state"))
      .replaceAll("<folder of the game server>", `'${bench.server}'`);
    const { status, stdout, stderr } = spawnSync("sh", ["-c", `${own} ${more}`], {
      cwd: folder,
      env: { ...process.env, NODE: process.execPath },
      encoding: "utf8",
    });
    return { status, out: stdout + stderr };
  }

  it("unpack the archive, install its unit, and run its tools on a server", () => {
    const tools: string[] = [];
    for (const line of lines("linux", "sh")) {
      const [, unit] = /^sudo systemctl (?:daemon-reload|(?:enable --now|restart) (\S+))$/.exec(line) ?? [];
      if (line.startsWith("sudo systemctl")) {
        expect(unit ?? line).toMatch(/^web-bridge$|daemon-reload$/);
        expect(existsSync(join(folder, "units/web-bridge.service"))).toBe(true);
      } else if (line.includes("/web-bridge/web-bridge ")) {
        const tool = /web-bridge (\w+)/.exec(line)?.[1] ?? "";
        tools.push(tool);
        const ended = run(line, tool === "setup" ? "--dry-run" : "");
        expect(ended.out).toContain(tool === "setup" ? "Changes:" : "run: ");
        expect(ended.status).toBe(tool === "setup" ? 0 : 1);
      } else expect([line, run(line)]).toEqual([line, { status: 0, out: "" }]);
    }
    expect(tools).toEqual(["setup", "doctor"]);
  });

  needs("root", IS_ROOT).it(
    "move files from a trial folder to the folder of the unit, once, so that the server is recognised",
    async () => {
      const tried = join(folder, "tried");
      const config = join(tried, "config.yml");
      const setup = (file: string, more: string) =>
        spawnSync(process.execPath, [SETUP, "--server", bench.server, "--config", file, more], {
          encoding: "utf8",
        });
      expect(setup(config, "--yes").status).toBe(0);
      writeFileSync(join(tried, "data", "links.db"), "links");
      const [line = "", ...more] = lines("from-trying-to-a-service", "sh");
      expect(more).toEqual([]);
      const state = join(folder, "new state");
      const own = line.replace(/^sudo /, "").replaceAll("/var/lib/web-bridge", join(folder, "new\\ state"));
      if (IS_ROOT) for (const name of [".", "config.yml", "data"]) chownSync(join(tried, name), 1000, 1000);
      const move = () => spawnSync("sh", ["-c", own], { cwd: tried, encoding: "utf8" });
      expect(move()).toMatchObject({ status: 0, stdout: "" });
      for (const [name, mode] of [
        ["config.yml", 0o600],
        ["data/bridge-token", 0o600],
        ["data/links.db", 0o644],
      ] as const) {
        expect(readFileSync(join(state, name))).toEqual(readFileSync(join(tried, name)));
        const { uid, mode: bits } = statSync(join(state, name));
        expect([uid, bits & 0o777]).toEqual([0, mode]);
      }
      // Systemd gives a folder and its content to the unit's user if it belongs to another.
      expect(statSync(state).uid).toBe(0);
      expect(setup(join(state, "config.yml"), "--dry-run").stdout).toContain("nothing to change");
      writeFileSync(join(tried, "config.yml"), "");
      expect(move().status).toBe(1);
      expect(readFileSync(join(state, "config.yml"), "utf8")).not.toBe("");
    },
  );
});

describe("the commands for Windows", () => {
  it("use files of the archive and parameters of the script", () => {
    const own = lines("windows", "powershell");
    expect(own).toHaveLength(3);
    expect(own[1]).toMatch(/ -File deploy\\windows\\install-service\.ps1$/);
    expect(own[2]).toMatch(/^\.\\web-bridge setup --server /);
    expect(recipe("windows/install-service.ps1")).toContain("[switch]$Remove");
    expect(recipe("windows/install-service.ps1")).toContain("'Web Bridge'");
    // Changes to the folder in which the other commands run.
    const [folder = ""] = own;
    expect(lines("from-trying-to-a-service", "powershell")).toEqual([
      `${folder.replace("cd", "Copy-Item config.yml, data")} -Recurse -ErrorAction Stop`,
    ]);
  });
});

describe("the commands for Docker", () => {
  it("use the variables in the page's .env, and the table of files lists every file that is read", () => {
    const composition = recipe("docker/compose.yml");
    const [first = []] = blocks("deploy/docker/README.md", "properties").map(({ text }) => text.split("\n"));
    const named = first.map(line => line.split("=")[0] ?? "");
    const needed = ["EULA", ...[...composition.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)];
    expect(named).toEqual(expect.arrayContaining(needed));
    const read = new Set([...composition.matchAll(/\$\{(\w+):/g)].map(([, name]) => name));
    const row = /^\| `\.env` \| (.*) \|$/m.exec(recipe("docker/README.md"))?.[1];
    expect(code(row).sort()).toEqual([...read].sort());
  });
});
