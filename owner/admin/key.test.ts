import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { USUAL_SCOPES } from "../../shared/public/words.ts";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { text } from "../../test/docs/pages.ts";
import { configFrom } from "../../test/helpers/config.ts";
import { newFolder } from "../../test/helpers/folder.ts";
import { toolPath } from "../../test/helpers/tools.ts";

const [PROGRAM, CONFIG] = [toolPath("key"), toolPath("config")];

// With another configuration it searches for no sidecar of this machine.
const env = { ...process.env, WEB_BRIDGE_CONFIG: join(newFolder("home "), "config.yml") };
const run = (...args: string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: "utf8" });

const keysIn = (yaml: string) => configFrom(yaml).modules.api.adminKeys;

/** The key that was shown, and the entries that the sidecar reads from what was printed. */
function made(out: string) {
  const entries = keysIn(out.slice(out.indexOf("modules:"), out.indexOf("A running sidecar")));
  return { key: /^ {2}(\S+)$/m.exec(out)?.[1] ?? "", entries };
}

// Blocks of docs/keys.md: make-and-remove-a-key sh

describe("npm run key", () => {
  it("shows a new key once, and prints its entry for the configuration", () => {
    const [first, second] = [run("panel"), run("panel")];
    expect([first.status, first.stderr]).toEqual([0, ""]);
    const { key, entries } = made(first.stdout);
    expect(key).toMatch(/^wbk_[\w-]{43}$/);
    expect(first.stdout.split(key)).toHaveLength(2);
    expect(entries).toEqual([{ name: "panel", sha256: sha256Of(key), scopes: [...USUAL_SCOPES] }]);
    expect(made(second.stdout).key).not.toBe(key);
  });

  it("accepts scopes, and names that YAML would read as another type", () => {
    const { entries } = made(run('yes: #1 "x"', "--scopes", "links:read, whitelist:read").stdout);
    expect(entries).toMatchObject([{ name: 'yes: #1 "x"', scopes: ["whitelist:read", "links:read"] }]);
  });

  it("accepts game servers, and prints and writes them", () => {
    const { status, stdout } = run("panel", "--servers", "lobby, main");
    expect(status).toBe(0);
    expect(stdout).toContain("servers: [ lobby, main ]");
    expect(stdout).toContain('\n        servers: ["lobby","main"]\n');
    const config = join(newFolder("key "), "config.yml");
    writeFileSync(config, "servers: [{name: lobby}]\n");
    const missing = run("a", "--servers", "loby", "--write", "--config", config);
    expect([missing.status, missing.stderr]).toEqual([
      1,
      `${config}: modules.api.admin-keys[0].servers: "loby": expected one or more of main, lobby\n`,
    ]);
    expect(run("a", "--servers", "lobby", "--write", "--config", config).status).toBe(0);
    expect(keysIn(readFileSync(config, "utf8"))).toMatchObject([{ servers: ["lobby"] }]);
  });

  it("prints the command that adds the entry to the list, and --write adds it", () => {
    const config = join(newFolder("key "), "config.yml");
    const start = "modules:\n  api:\n    admin-keys:\n      # ours\n      - {name: a, sha256: ";
    writeFileSync(config, `${start}${sha256Of("a")}, scopes: ["links:read"]}\n`);
    const printed = run("b c", "--scopes", "whitelist:read", "--config", config).stdout;
    const command = /^ {2}npm run config -- (add .*)$/m.exec(printed)?.[1] ?? "";
    expect(spawnSync("sh", ["-c", `"${process.execPath}" "${CONFIG}" ${command}`]).status).toBe(0);
    const { status, stdout } = run("d", "--write", "--config", config);
    expect([status, stdout]).toEqual([0, expect.stringContaining("within two seconds")]);
    const written = readFileSync(config, "utf8");
    expect(written).toContain(start);
    const keys = [printed, stdout].map(out => sha256Of(/^ {2}(wbk_\S+)$/m.exec(out)?.[1] ?? ""));
    expect(keysIn(written)).toEqual([
      { name: "a", sha256: sha256Of("a"), scopes: ["links:read"] },
      { name: "b c", sha256: keys[0], scopes: ["whitelist:read"] },
      { name: "d", sha256: keys[1], scopes: [...USUAL_SCOPES] },
    ]);
    const again = run("d", "--write", "--config", config);
    expect([again.status, again.stdout]).toEqual([1, ""]);
    expect(again.stderr).toBe(
      `${config}: there is already a key named "d": to remove it: npm run config -- remove modules.api.admin-keys d --config "${config}"\n`,
    );
    expect(readFileSync(config, "utf8")).toBe(written);
  });

  it("--write says that a new key waits for the other mistakes of the file", () => {
    const config = join(newFolder("key "), "config.yml");
    writeFileSync(config, "modules.api.port: x\n");
    const { status, stdout, stderr } = run("ari", "--write", "--config", config);
    expect(status).toBe(0);
    expect(keysIn(readFileSync(config, "utf8").replace("port: x", "port: 8080"))).toMatchObject([
      { name: "ari" },
    ]);
    expect(stdout).toContain("The sidecar accepts this file once you correct what is still wrong in it.\n");
    expect(stdout).not.toContain("within two seconds");
    expect(stderr).toContain(`${config}: still wrong: modules.api.port: "x": `);
  });

  it("accepts the commands of the page about keys", () => {
    const page = text("docs/keys.md");
    const [, words = "", name = ""] = /^\.\/web-bridge key ((\S+) .* --write)$/m.exec(page) ?? [];
    const away = /^\.\/web-bridge config (remove \S*admin-keys \S+)$/m.exec(page)?.[1] ?? "";
    const folder = newFolder("key ");
    const call = (program: string, args: string) =>
      spawnSync(process.execPath, [program, ...args.split(" ")], {
        env: { ...process.env, WEB_BRIDGE_CONFIG: join(folder, "config.yml") },
      });
    writeFileSync(join(folder, "config.yml"), defaultConfigFile());
    const written = (): string => readFileSync(join(folder, "config.yml"), "utf8");
    expect(call(PROGRAM, words).status).toBe(0);
    expect(keysIn(written())).toMatchObject([{ name, scopes: ["whitelist:read"] }]);
    expect(call(CONFIG, away).status).toBe(0);
    expect(written()).toBe(defaultConfigFile());
  });

  it.each([
    [[], "expected one name"],
    [["admin"], 'the name: "admin": expected text of 1 to 64 characters'],
    [["a\u001b[2J"], "the name: "],
    [["a", "--scopes", "whitelist"], '--scopes: ["whitelist"]: expected a list of at least one of'],
    [["a", "--servers", "Lobby"], '--servers: ["Lobby"]: expected a list of at least one name'],
    [["a", "--scope", "x"], "Unknown option '--scope'"],
  ])("rejects %j and says what it accepts", (args, why) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(why);
    expect(stderr).toContain("usage: ");
    expect(stderr).not.toContain("\u001b");
  });
});
