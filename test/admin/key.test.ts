import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { SCOPES, sha256Of } from "../../sidecar/config/admin-keys.ts";
import { readConfig } from "../../sidecar/config/read.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/tools/key.js", import.meta.url));

const run = (...args: string[]) => spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8" });

/** The key that was shown, and the entries that the sidecar reads from what was printed. */
function made(out: string) {
  const read = readConfig(out.slice(out.indexOf("modules:"), out.indexOf("A sidecar")), {}, "/nowhere");
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  return { key: /^ {2}(\S+)$/m.exec(out)?.[1] ?? "", entries: read.config.modules.api.adminKeys };
}

describe("npm run key", () => {
  it("shows a new key once, and prints the entry that the sidecar knows it by", () => {
    const [first, second] = [run("panel"), run("panel")];
    expect([first.status, first.stderr]).toEqual([0, ""]);
    const { key, entries } = made(first.stdout);
    expect(key).toMatch(/^wbk_[\w-]{43}$/);
    expect(first.stdout.split(key)).toHaveLength(2);
    expect(entries).toEqual([{ name: "panel", sha256: sha256Of(key), scopes: [...SCOPES] }]);
    expect(made(second.stdout).key).not.toBe(key);
  });

  it("takes scopes, and names that YAML would read as something else", () => {
    const { entries } = made(run('yes: #1 "x"', "--scopes", "links:read, whitelist:read").stdout);
    expect(entries).toMatchObject([{ name: 'yes: #1 "x"', scopes: ["whitelist:read", "links:read"] }]);
  });

  it.each([
    [[], "one name is needed"],
    [["a", "b"], "one name is needed"],
    [["admin"], 'the name: "admin": expected text of 1 to 64 characters'],
    [[""], 'the name: "": expected'],
    [["a\u001b[2J"], "the name: "],
    [["a", "--scopes", "whitelist"], '--scopes: ["whitelist"]: expected a list of at least one of'],
    [["a", "--scopes", ""], "--scopes: []: expected"],
    [["a", "--scope", "x"], "Unknown option '--scope'"],
  ])("refuses %j and says what it takes", (args, why) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(why);
    expect(stderr).toContain("usage: ");
    expect(stderr).not.toContain("\u001b");
  });

  it("does what the page about keys shows", () => {
    const page = readFileSync(fileURLToPath(new URL("../../docs/configuration.md", import.meta.url)), "utf8");
    const [, name = "", list = ""] = /^npm run key -- (\S+) --scopes (\S+)$/m.exec(page) ?? [];
    expect(made(run(name, "--scopes", list).stdout).entries).toMatchObject([{ name, scopes: [list] }]);
  });

  it("has a help", () => {
    const { status, stdout } = run("--help");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^usage: /);
  });
});
