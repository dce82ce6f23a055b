import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { needs } from "../../test/helpers/needs.ts";
import { defaultConfigFile } from "./default-file.ts";
import { loadConfig } from "./load.ts";
import { readConfig } from "./read.ts";
import { SETTINGS_BY_PATH } from "./settings.ts";
import { bridgeToken } from "./token.ts";
import { fileWarning, isWeak, MAKE_SECRET } from "./warnings.ts";

eachInFolder("config ");

describe("defaultConfigFile", () => {
  it("gives the same configuration as no file at all", () => {
    const written = readConfig(defaultConfigFile(), {}, "/x");
    expect(written).toHaveProperty("config");
    expect(written).toEqual(readConfig("", {}, "/x"));
  });

  it("contains every comment and every key", () => {
    const file = defaultConfigFile();
    for (const [at, { comment }] of SETTINGS_BY_PATH) {
      expect(file).toContain(`# ${comment}\n`);
      expect(file).toContain(
        `${at.startsWith("messages.") ? at.slice(9) : at.slice(at.lastIndexOf(".") + 1)}: `,
      );
    }
    expect(file).toMatch(/^ {4}port: 8080$/m);
    expect(file).toMatch(/^ {4}metrics-refresh-interval: 5s$/m);
  });
});

describe("loadConfig", () => {
  it("creates a missing file, with its folder, and uses it", () => {
    const path = join(folder, "new", "config.yml");
    const result = loadConfig(path, { WEB_BRIDGE_BRIDGE_PORT: "0" });
    expect(result).toMatchObject({
      created: true,
      path,
      config: { storage: { folder: join(folder, "new", "data") }, bridge: { port: 0 } },
    });
    expect(readFileSync(path, "utf8")).toBe(defaultConfigFile());
    expect(loadConfig(path, {})).toMatchObject({ created: false });
  });

  it("names the file in every error", () => {
    const path = join(folder, "config.yml");
    writeFileSync(path, "log.level: loud\n");
    expect(loadConfig(path, {})).toMatchObject({
      faults: [expect.stringContaining(`${path}: log.level: "loud"`)],
    });
  });

  it("warns of a Redis address that is not used", () => {
    const path = join(folder, "config.yml");
    const warnings = (text: string): readonly string[] => {
      writeFileSync(path, text, { mode: 0o600 });
      return loadConfig(path, {}).warnings;
    };
    expect(warnings("storage.url: redis://127.0.0.1\n")).toEqual([
      expect.stringMatching(/^storage\.url is set and storage\.kind is embedded, so Redis is not used: /),
    ]);
    expect(warnings("storage: {kind: redis, url: redis://127.0.0.1}\n")).toEqual([]);
    expect(warnings("")).toEqual([]);
  });

  it("rejects a file that is too large, with file and line, and does not read all of it", () => {
    const path = join(folder, "config.yml");
    const faults = (): unknown => loadConfig(path, {});
    writeFileSync(path, "");
    truncateSync(path, 2 ** 40);
    expect(faults()).toMatchObject({ faults: [`${path}: is larger than 1 MiB`] });
    writeFileSync(path, "port: 1\n".repeat(200_000).slice(0, 1024 * 1024));
    expect(faults()).toMatchObject({
      faults: [expect.stringMatching(/config\.yml: line 2858, column 1: it has more than 20000 names/)],
    });
    writeFileSync(path, `# ${"x".repeat(1024 * 1024 - 2)}`);
    expect(faults()).toHaveProperty("config");
  });

  needs("root", process.getuid?.() === 0).it(
    "names who has to own a file that may not be used, and how",
    () => {
      const path = join(folder, "config.yml");
      chmodSync(folder, 0o755);
      const faultsOfNobody = (): unknown => {
        try {
          process.seteuid?.(65_534);
          return loadConfig(path, {});
        } finally {
          process.seteuid?.(0);
        }
      };
      const says = (what: string, place: string): object => ({
        faults: [
          expect.stringMatching(
            `${path}: ${what}: no permission \\(EACCES\\): sudo chown -R (nobody|65534) "${place}"$`,
          ),
        ],
      });
      expect(faultsOfNobody()).toMatchObject(says("cannot be made", folder));
      writeFileSync(path, "", { mode: 0o600 });
      expect(faultsOfNobody()).toMatchObject(says("cannot be read", path));
    },
  );

  it.each([
    ["x", true],
    ["fifteen-letters", true],
    ["a".repeat(40), true],
    ["1234567".repeat(6), true],
    ["sixteen-letters!", false],
    ["", false],
  ])("says whether the admin key %j could be guessed: %j", (key, isWarned) => {
    const path = join(folder, "config.yml");
    writeFileSync(path, `modules.api.admin-api-key: "${key}"\n`, { mode: 0o600 });
    const { warnings, ...loaded } = loadConfig(path, {});
    expect(loaded).toHaveProperty("config");
    expect(warnings).toEqual(
      isWarned ? [expect.stringMatching(/^modules.api.admin-api-key could be guessed: .* node -p /)] : [],
    );
    expect(warnings.join()).not.toContain(`"${key}"`);
  });

  it("says how to make a strong key", () => {
    const [, expression = ""] = /^node -p "(.*)"$/.exec(MAKE_SECRET) ?? [];
    const made = spawnSync(process.execPath, ["-p", expression], { encoding: "utf8" }).stdout.trim();
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(isWeak(made)).toBe(false);
  });

  needs("file modes, not Windows", process.platform !== "win32").it(
    "says when others may read a file with a key or a token in it",
    () => {
      const path = join(folder, "config.yml");
      const load = (text: string, mode: number, env = {}): readonly string[] => {
        writeFileSync(path, text);
        chmodSync(path, mode);
        return loadConfig(path, env).warnings;
      };
      const key = "modules.api.admin-api-key: a-good-key-0123456789\n";
      const said = [
        expect.stringMatching(
          /contains a key or a token, and other users can read it .mode 6[04]4.*chmod 600 "/,
        ),
      ];
      const hook = 'webhooks: [{ url: "https://discord.com/api/webhooks/1/x", format: discord }]\n';
      const redis = "storage: {kind: redis, url: redis://user:password@redis.example:6379}\n";
      for (const text of [key, "bridge.token: a-good-token-0123456789\n", hook, redis])
        expect(load(text, 0o644)).toEqual(said);
      expect(load(key, 0o604)).toEqual(said);
      expect(load(key, 0o600)).toEqual([]);
      const env = { WEB_BRIDGE_MODULES_API_ADMIN_API_KEY: "a-good-key-0123456789" };
      expect(load("log.level: info\n", 0o644, env)).toEqual([]);
      expect(fileWarning(path, key, 0o666, "win32")).toBeUndefined();
    },
  );
});

describe("bridgeToken", () => {
  const lines: string[] = [];
  const log = {
    info: (_: object, message: string) => lines.push(`info ${message}`),
    warn: (_: object, message: string) => lines.push(`warn ${message}`),
  };
  const get = (token = "") =>
    bridgeToken({ bridge: { host: "h", port: 0, token }, storage: { folder: join(folder, "data") } }, log);
  const file = () => join(folder, "data", "bridge-token");
  beforeEach(() => {
    lines.splice(0);
  });

  it("uses the configured token and creates no file", () => {
    expect(get("configured-token-1")).toEqual({ token: "configured-token-1" });
    expect(existsSync(file())).toBe(false);
  });

  it("creates one at the first start, and keeps it", () => {
    const first = get();
    expect(first).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) });
    expect(get()).toEqual(first);
    expect(lines).toEqual(["info Created the bridge token"]);
    expect(readdirSync(join(folder, "data"))).toEqual(["bridge-token"]);
  });

  needs("file modes, not Windows", process.platform !== "win32").it(
    "keeps the file for its user alone",
    () => {
      get();
      expect(statSync(file()).mode & 0o777).toBe(0o600);
      chmodSync(file(), 0o644);
      expect(get()).toHaveProperty("token");
      expect(statSync(file()).mode & 0o777).toBe(0o600);
      expect(lines.at(-1)).toMatch(/^warn Other users could read the bridge token/);
    },
  );

  it("trims the token of an operator", () => {
    get();
    writeFileSync(file(), "\ufeff  my-own-token-0123456789 \r\n");
    expect(get()).toEqual({ token: "my-own-token-0123456789" });
  });

  it.each(["", "  \n", "with space 0123456789", "ünprintable"])(
    "refuses a file with %j and leaves it alone",
    content => {
      get();
      writeFileSync(file(), content);
      const result = get();
      expect(result).toEqual({ fault: expect.stringContaining(file()) });
      expect(readFileSync(file(), "utf8")).toBe(content);
    },
  );

  it("warns of a configured token that could be guessed", () => {
    const warned: string[] = [];
    const log = { info: () => undefined, warn: (_fields: object, message: string) => warned.push(message) };
    expect(bridgeToken({ bridge: { host: "", port: 0, token: "short" }, storage: { folder } }, log)).toEqual({
      token: "short",
    });
    expect(warned).toEqual([expect.stringContaining("could be guessed")]);
  });
});
