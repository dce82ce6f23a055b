import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { NO_CONFIG } from "../../sidecar/config/load.ts";
import { configFrom } from "../../test/helpers/config.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { toolPath } from "../../test/helpers/tools.ts";

const MARK = `# Configuration of the web bridge, written by version ${PRODUCT_VERSION}.`;
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const DISCORD = "https://discord.com/api/webhooks/123/very-secret";

eachInFolder("config é ");
let file: string;
beforeEach(() => {
  file = join(folder, "config.yml");
  write("");
});

function run(args: string[], { env = {}, input = "" } = {}) {
  const { PATH } = process.env;
  return spawnSync(process.execPath, [toolPath("config"), ...args], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH, WEB_BRIDGE_CONFIG: file, ...env },
    input,
  });
}

/** Output of a successful run. */
function done(args: string[], more = {}): string {
  const { status, stdout, stderr } = run(args, more);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

/** Output of a rejected run; the file is unchanged. */
function refused(args: string[], more = {}): string {
  const before = readFileSync(file);
  const { status, stdout, stderr } = run(args, more);
  expect([status, stdout]).toEqual([1, ""]);
  expect(readFileSync(file)).toEqual(before);
  return stderr;
}

const text = (): string => readFileSync(file, "utf8");
const write = (yaml: string): void => writeFileSync(file, yaml, { mode: 0o640 });
const read = () => configFrom(text());

describe("npm run config", () => {
  it("changes one value, and prints the old value and that a restart is needed", () => {
    const before = "\uFEFFlog:\r\n  level:   info # mine\r\n";
    write(before);
    const output = done(["set", "log.level", "warn"]);
    expect(text()).toBe(`\uFEFF${MARK}\r\nlog:\r\n  level: warn # mine\r\n`);
    expect(readFileSync(`${file}.before-${PRODUCT_VERSION}`, "utf8")).toBe(before);
    expect(output).toContain(`${file}: log.level: info -> warn\n`);
    expect(output).toMatch(/It takes effect after a restart: stop the sidecar, then run .*start$/m);
    expect(done(["set", "log.level", "warn"])).toBe(`${file}: log.level is warn already\n`);
  });

  it("says that the add-on has to learn a new address of the bridge", () => {
    write("");
    expect(done(["set", "bridge.port", "8091"])).toMatch(
      /restart: .*\nThen run setup with --bridge-url default/,
    );
    expect(done(["set", "modules.api.port", "8090"])).not.toContain("setup");
  });

  it("creates no configuration if there is none, and says how to create one", () => {
    rmSync(file);
    const { status, stderr } = run(["set", "modules.api.port", "8090"]);
    expect([status, stderr]).toEqual([1, `${file}: ${NO_CONFIG}\n`]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps the file's mode, follows a link, and leaves only a backup beside it", () => {
    rmSync(file);
    const [real, other] = [join(folder, "real.yml"), join(folder, "other")];
    writeFileSync(real, "# mine\n");
    chmodSync(real, 0o640);
    mkdirSync(other);
    done(["set", "log.level", "warn", "--config", "real.yml"]);
    expect([readFileSync(real, "utf8"), readdirSync(folder)]).toEqual([
      `${MARK}\n# mine\n\nlog.level: warn\n`,
      ["other", "real.yml", `real.yml.before-${PRODUCT_VERSION}`],
    ]);
    if (process.platform !== "win32")
      for (const path of [real, `${real}.before-${PRODUCT_VERSION}`])
        expect(statSync(path).mode & 0o777).toBe(0o640);
    // The next change keeps the first backup.
    done(["set", "log.level", "error", "--config", "real.yml"]);
    expect(readFileSync(`${real}.before-${PRODUCT_VERSION}`, "utf8")).toBe("# mine\n");
  });

  it("adds webhooks, removes them by their address or its visible part, and prints no secret", () => {
    write("webhooks: [] # none yet\n");
    const hook = { url: "https://example.com/hook", secret: SECRET };
    const output = [
      done(["add", "webhooks", JSON.stringify(hook)]),
      done(["add", "webhooks", "-"], { input: `{url: ${DISCORD}, format: discord}\n` }),
      done(["show", "webhooks"]),
    ].join();
    expect(read().webhooks).toMatchObject([hook, { url: DISCORD }]);
    expect(output).toContain(
      'webhooks: [{url: https://example.com, secret: (hidden)}, {url: https://discord.com, format: "discord"}]\n',
    );
    expect(output).not.toMatch(/very-secret|MfKQ/);
    done(["remove", "webhooks", "https://discord.com"]);
    expect(text()).toBe(
      `${MARK}\nwebhooks:\n  - url: "${hook.url}"\n    secret: "${SECRET}"\n  # none yet\n`,
    );
    done(["remove", "webhooks", hook.url]);
    expect(text()).toBe(`${MARK}\nwebhooks: [] # none yet\n`);
  });

  it("resets a key to its default, and changes nothing if it already has it", () => {
    write("modules.api.port: 1 # mine\n");
    done(["remove", "modules.api.port"]);
    expect(text()).toBe(`${MARK}\nmodules.api.port: 8080 # mine\n`);
    done(["add", "modules.api.hosts", "a.example"]);
    expect(done(["add", "modules.api.hosts", "a.example"])).toContain('is ["a.example"] already\n');
    done(["remove", "modules.api.hosts"]);
    expect(read().modules.api.hosts).toEqual([]);
  });

  it.each([
    [["set", "modules.api.port", "abc"], 'modules.api.port: "abc": expected a whole number'],
    [["set", "modules.api.port", "8081"], "bridge.port: 8081: expected a port other than"],
    [
      ["add", "webhooks", `{url: https://example.com, sercet: ${SECRET}}`],
      "webhooks[0]: sercet: unknown key: did you mean secret?",
    ],
    [["add", "webhooks", SECRET], "webhooks[0]: a string: expected an object with url"],
    [["set", "webhooks", "[{"], "webhooks: a string: expected a list"],
    [["set", "modules.api.admin-api-key", "ä geheim"], "modules.api.admin-api-key: (hidden): expected text"],
    [["add", "modules.api.port", "1"], "modules.api.port: is not a list. Use `config set`."],
  ])("rejects %j as the sidecar would at its start, and writes nothing", (args, why) => {
    write("# mine\n");
    const output = refused(args);
    expect(output).toContain(`${file}: `);
    expect(output).toContain(why);
    expect(output).not.toMatch(/geheim|MfKQ/);
  });

  it("says that an environment variable takes precedence, and still checks the file", () => {
    write("");
    const env = { WEB_BRIDGE_MODULES_API_PORT: "9000" };
    expect(done(["set", "modules.api.port", "8090"], { env })).toContain(
      "WEB_BRIDGE_MODULES_API_PORT is set here and overrides the file\n",
    );
    expect(refused(["set", "modules.api.port", "--", "-1"], { env })).toContain("modules.api.port: -1");
    expect(done(["show", "modules.api.port"], { env })).toContain(
      `modules.api.port: 9000\n  from:     the environment: WEB_BRIDGE_MODULES_API_PORT, instead of 8090 in ${file}\n`,
    );
  });

  it("shows a value, its source, its default and the accepted values", () => {
    rmSync(file);
    expect(done(["show", "modules.api.port"])).toBe(
      `modules.api.port: 8080\n  from:     the default: there is no ${file}\n  default:  8080\n` +
        "  expected: a whole number from 0 to 65535\n  Port of the public listener; 0 takes any free one\n",
    );
    write("modules: {api: {port: 1}}\n");
    expect(done(["show", "modules.api.port"])).toContain(`modules.api.port: 1\n  from:     ${file}\n`);
    expect(done(["show", "log.level"])).toContain("log.level: info\n  from:     the default\n");
  });

  it.each([
    ["modules.api.admin-api-key", "key-of-the-admin"],
    ["bridge.token", "token-of-the-bridge"],
    ["storage.url", "redis://me:password@redis.example"],
  ])("reads %s from standard input, and never prints it", (key, secret) => {
    const output = done(["set", key, "-"], { input: `${secret}\r\n` }) + done(["show", key]);
    expect(text()).toContain(`${JSON.stringify(secret)}\n`);
    expect(output).toContain(`${key}: (hidden)\n`);
    expect(output).not.toContain(secret);
  });

  it("says that a secret was replaced, or that it is already set", () => {
    done(["set", "bridge.token", "-"], { input: "token-of-the-bridge\n" });
    expect(done(["set", "bridge.token", "-"], { input: "token-of-another\n" })).toMatch(
      /: bridge\.token has a new value: \(hidden\)\nIt takes effect after a restart/,
    );
    expect(text()).toContain('"token-of-another"\n');
    expect(done(["set", "bridge.token", "-"], { input: "token-of-another\n" })).toBe(
      `${file}: bridge.token is (hidden) already\n`,
    );
  });

  it("needs no restart for keys of administrators", () => {
    const sha256 = "a".repeat(63);
    const output = done([
      "add",
      "modules.api.admin-keys",
      `{name: panel, sha256: ${sha256}1, scopes: ["links:read"]}`,
    ]);
    expect(output).toContain("A running sidecar uses the change within two seconds.\n");
    expect(output).not.toContain(sha256);
    expect(done(["remove", "modules.api.admin-keys", "panel"])).not.toContain("restart");
  });
});

needs("root", process.getuid?.() === 0).it("leaves the file to its user when root changes it", () => {
  const user = 65_534;
  write("");
  for (const path of [folder, file]) chownSync(path, user, user);
  done(["set", "log.level", "warn"]);
  expect(text()).toBe(`${MARK}\nlog.level: warn\n`);
  for (const path of [file, `${file}.before-${PRODUCT_VERSION}`]) {
    const { uid, gid, mode } = statSync(path);
    expect([uid, gid, mode & 0o777]).toEqual([user, user, 0o640]);
  }
  rmSync(file);
  symlinkSync(join(folder, "..", "elsewhere.yml"), file);
  expect(run(["set", "log.level", "warn"])).toMatchObject({ status: 1, stdout: "" });
});
