import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { makeServer } from "../../scripts/make-server.mjs";
import { entryOf } from "../../scripts/program-entry.mjs";
import { NO_CONFIG } from "../../sidecar/config/load.ts";
import { ended } from "../../test/helpers/ended.ts";
import { eventually } from "../../test/helpers/eventually.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { IS_BUILT, ROOT } from "../../test/package/packages.ts";

eachInFolder("home é ");

const archive = (...parts: string[]): string => join(folder, "web bridge", ...parts);
const elsewhere = (...parts: string[]): string => join(folder, "elsewhere", ...parts);
const server = (): string => join(folder, "server");

/** Calls a tool of the archive from another folder. */
function run(tool: string, ...args: string[]): { status: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [archive("dist/tools", `${tool}.js`), ...args],
    { cwd: elsewhere(), encoding: "utf8" },
  );
  return { status, out: stdout + stderr };
}

/** Each tool with what shows which configuration it takes. */
const CALLS: [tool: string, args: () => string[], shows: RegExp][] = [
  ["config", () => ["set", "log.level", "warn"], /web bridge.config\.yml: log\.level: debug -> warn$/m],
  ["key", () => ["panel", "--write"], /web bridge.config\.yml: added "panel" to modules\.api\.admin-keys$/m],
  ["audit", () => [], /no entries in .*web bridge.kept.audit\.jsonl$/m],
  ["players", () => ["--export", "all.json"], /no past players are stored in .*web bridge.kept$/m],
  ["hook", () => ["--test", "[3]"], /web bridge.config\.yml has no such webhook: it has 0$/m],
  ["setup", () => ["--server", server(), "--dry-run"], /^ {2}.*web bridge.config\.yml$/m],
  ["doctor", () => ["--server", server()], /configuration is valid: .*web bridge.config\.yml$/m],
];

needs("npm run build", IS_BUILT).describe("a tool that is called from another folder", () => {
  beforeEach(async () => {
    mkdirSync(archive("dist"), { recursive: true });
    mkdirSync(elsewhere());
    for (const planPart of ["lib", "tools", "behavior_pack", "resource_pack"])
      cpSync(join(ROOT, "dist", planPart), archive("dist", planPart), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), archive("node_modules"));
    writeFileSync(archive("config.yml"), "log.level: debug\nstorage.folder: kept\n");
    writeFileSync(elsewhere("config.yml"), "log.level: error\n");
    await makeServer(server(), { levelName: "Bedrock level" });
  });

  it("uses the configuration of its archive, whatever its name", () => {
    for (const [tool, args, shows] of CALLS)
      expect([tool, run(tool, ...args()).out]).toEqual([tool, expect.stringMatching(shows)]);
    expect(readFileSync(elsewhere("config.yml"), "utf8")).toBe("log.level: error\n");
    expect(existsSync(elsewhere("data"))).toBe(false);
    // Or the one that is named, from the folder where the owner is.
    expect(run("config", "set", "log.level", "info", "--config", "config.yml").status).toBe(0);
    expect(readFileSync(elsewhere("config.yml"), "utf8")).toContain("\nlog.level: info\n");
  });

  it("creates none if there is none", () => {
    const made = [archive("none.yml"), "--write"];
    for (const [tool, ...args] of [
      ["config", "set", "log.level", "warn", "--config", archive("none.yml")],
      ["key", "panel", "--config", ...made],
      ["key", "--sign-in", "forum", "--name", "F", "--redirect", "https://a.example/", "--config", ...made],
      ["key", "--rotate-sign-in", "--config", archive("none.yml")],
      ["audit", "--config", archive("none.yml")],
    ] as const)
      expect(run(tool, ...args)).toEqual({
        status: 1,
        out: expect.stringContaining(NO_CONFIG),
      });
    expect(readdirSync(archive())).not.toContain("none.yml");
  });

  it("is rejected by a sidecar that would create a second one beside that of its working folder", () => {
    cpSync(join(ROOT, "dist/sidecar"), archive("dist/sidecar"), { recursive: true });
    writeFileSync(archive("main.js"), entryOf("./dist/sidecar/main.program.js"));
    rmSync(archive("config.yml"));
    const { status, stdout, stderr } = spawnSync(process.execPath, [archive("main.js")], {
      cwd: elsewhere(),
      encoding: "utf8",
      timeout: 20_000,
    });
    const here = elsewhere("config.yml");
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      `${archive("config.yml")}: does not exist, but ${here} does: name the one to use: --config "${here}"\n`,
    ]);
    expect(existsSync(archive("config.yml"))).toBe(false);
  });

  describe("beside a sidecar of the archive with another configuration", () => {
    const note = () => /the running sidecar \(process \d+\) uses .*: to work with that one, add --config/;

    needs("/proc", process.platform === "linux").it("names that one, and it alone", async () => {
      writeFileSync(archive("main.js"), "setInterval(() => {}, 1e6);\n");
      const child = spawn(process.execPath, [archive("main.js"), "--config", elsewhere("config.yml")]);
      try {
        await eventually(() => expect(run("config", "show", "log.level").out).toMatch(note()));
        for (const [tool, args] of CALLS.filter(([name]) => /audit|setup|doctor/.test(name)))
          expect([tool, run(tool, ...args()).out]).toEqual([tool, expect.stringMatching(note())]);
        const named = run("config", "show", "log.level", "--config", elsewhere("config.yml"));
        expect(named.out).not.toMatch(note());
      } finally {
        await ended(child);
      }
      mkdirSync(join(folder, "third"));
      writeFileSync(join(folder, "third", "config.yml"), "");
      const third = spawn(process.execPath, [archive("main.js")], {
        cwd: join(folder, "third"),
        env: { ...process.env, WEB_BRIDGE_CONFIG: "config.yml" },
      });
      try {
        await eventually(() =>
          expect(run("config", "show", "log.level").out).toMatch(
            /uses .*third.config\.yml: to work with that one/,
          ),
        );
      } finally {
        await ended(third);
      }
      const own = spawn(process.execPath, [archive("main.js")], { cwd: elsewhere() });
      try {
        expect(run("config", "show", "log.level").out).not.toMatch(note());
      } finally {
        await ended(own);
      }
    });
  });
});
