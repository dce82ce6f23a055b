import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { parseSecrets } from "../../sidecar/features/sign-in/rules/secrets.ts";
import { SIGN_IN_SECRETS } from "../../sidecar/features/sign-in/secrets-file.ts";
import { configFrom } from "../../test/helpers/config.ts";
import { newFolder } from "../../test/helpers/folder.ts";
import { toolPath } from "../../test/helpers/tools.ts";

// With another configuration it searches for no sidecar of this machine.
const env = { ...process.env, WEB_BRIDGE_CONFIG: join(newFolder("home "), "config.yml") };
const run = (...args: string[]) =>
  spawnSync(process.execPath, [toolPath("key"), ...args], { env, encoding: "utf8" });
const site = (...more: string[]) =>
  run("--sign-in", "forum", "--name", "Example Forum", "--redirect", "https://forum.example/in", ...more);
const clientsIn = (yaml: string) => configFrom(yaml).signIn.clients;

describe("npm run key -- --sign-in", () => {
  it("shows the secret of a site once, and prints its entry for the configuration", () => {
    const { status, stdout, stderr } = site("--redirect", "http://localhost:3000/in");
    expect([status, stderr]).toEqual([0, ""]);
    const secret = /^ {2}(wbs_[\w-]{43})$/m.exec(stdout)?.[1] ?? "";
    expect(stdout.split(secret)).toHaveLength(2);
    expect(clientsIn(stdout.slice(stdout.indexOf("sign-in:\n"), stdout.indexOf("It takes effect")))).toEqual([
      {
        id: "forum",
        name: "Example Forum",
        redirectUris: ["https://forum.example/in", "http://localhost:3000/in"],
        secretSha256: sha256Of(secret),
      },
    ]);
  });

  it("writes the entry with --write, once for each site", () => {
    const config = join(newFolder("site "), "config.yml");
    writeFileSync(config, "modules: {}\n");
    const written = ["--write", "--config", config];
    expect(site("--public", "--write", "--config", config).status).toBe(0);
    const output = run(
      "--sign-in",
      "b",
      "--name",
      "B",
      "--redirect",
      "https://b.example/",
      ...written,
    ).stdout;
    expect(output).not.toContain("\\u000a");
    expect(output).toMatch(/\nThe secret of b, shown .*:\n\n {2}wbs_\S+\n$/);
    expect(clientsIn(readFileSync(config, "utf8"))).toMatchObject([
      { id: "forum", secretSha256: undefined },
      { id: "b" },
    ]);
    const again = site("--write", "--config", config);
    expect([again.status, again.stdout]).toEqual([1, ""]);
    expect(again.stderr).toContain("sign-in.clients[2].id");
  });

  it.each([
    ["an id", ["--sign-in", "a/b", "--name", "A", "--redirect", "https://a.example/"], "--sign-in"],
    ["a name", ["--sign-in", "a", "--redirect", "https://a.example/"], "--name"],
    ["an address", ["--sign-in", "a", "--name", "A"], "--redirect"],
    ["a good address", ["--sign-in", "a", "--name", "A", "--redirect", "http://a.example/"], "--redirect"],
    ["nothing else", ["panel", "--sign-in", "a"], "not both"],
  ])("needs %s", (_, args, fault) => {
    const { status, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(fault);
  });
});

describe("npm run key -- --rotate-sign-in", () => {
  it("adds new keys to the existing ones, readable only by this user", () => {
    const folder = newFolder("rotate ");
    const config = join(folder, "config.yml");
    writeFileSync(config, `storage: {folder: ${JSON.stringify(folder)}}\n`);
    const file = join(folder, SIGN_IN_SECRETS);
    const keys = () => parseSecrets(readFileSync(file, "utf8"))?.signing.map(({ jwk }) => jwk.kid) ?? [];
    expect(run("--rotate-sign-in", "--config", config).status).toBe(0);
    const [first] = keys();
    expect(run("--rotate-sign-in", "--config", config).status).toBe(0);
    expect(keys()).toEqual([expect.anything(), first]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "{}");
    const damaged = run("--rotate-sign-in", "--config", config);
    expect([damaged.status, readFileSync(file, "utf8")]).toEqual([1, "{}"]);
    expect(damaged.stderr).toContain("damaged");
  });
});
