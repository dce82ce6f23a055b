import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { defaultConfigFile, writtenBy } from "../../sidecar/config/default-file.ts";
import { readFileValues } from "../../sidecar/config/file-values.ts";
import { bench, freshBench } from "../../test/helpers/server-setup.ts";
import { systemDisk } from "./disk.ts";
import { planLines } from "./output.ts";
import { infoIn, setInfo } from "./server-info.ts";

/** The world was opened by this game last. */
const VERSION = { "server.info.version": "1.26.60" };
const NAMES = { "modules.api.whitelist-names": "gamertag" };
const FOUND = {
  "server.info.title": "Oak & Stone",
  ...VERSION,
  "server.info.max-players": 20,
  "server.info.port": 19140,
  ...NAMES,
};

const MARK = `# Configuration of the web bridge, written by version ${PRODUCT_VERSION}.`;

freshBench();

const info = (): object => infoIn(bench.read(bench.config));

function property(key: string, value: string): void {
  const path = bench.path("server.properties");
  const others = bench.read(path).replace(new RegExp(`(^|\\r?\\n)${key}=[^\\r\\n]*`), "");
  writeFileSync(path, `${others}\r\n${key}=${value}`);
}

function config(text: string): void {
  mkdirSync(dirname(bench.config), { recursive: true });
  writeFileSync(bench.config, text);
}

describe("the sidecar's information about the server", () => {
  beforeEach(() => {
    property("server-name", "§6Oak§r & Stone");
    property("max-players", "20");
    property("server-port", "19140");
  });

  it("is filled in from server.properties, without formatting codes, and undo restores the file byte for byte", async () => {
    const before = "log:\r\n  level:   info # mine\r\nserver:\r\n  info: {title: '' }\r\n";
    config(before);
    await bench.setUp();
    expect(bench.read(bench.config)).toBe(
      `${MARK}\r\nlog:\r\n  level: info # mine\r\nserver:\r\n  info: {title: "Oak & Stone", version: "1.26.60", max-players: 20, port: 19140}\r\nmodules.api.whitelist-names: gamertag\r\n`,
    );
    expect(bench.lines).toContain("server.info.title: (none) -> Oak & Stone");
    expect((await bench.setUp()).end).toBe("nothing");
    await bench.undo();
    expect(bench.read(bench.config)).toBe(before);
  });

  it.each([
    ["an earlier version", defaultConfigFile().replace(PRODUCT_VERSION, "0.0.9")],
    ["nobody says who", "log.level: info\n"],
  ])("is filled into a copy of the file of %s, and the original is kept", async (_by, before) => {
    config(before);
    const backup = `${bench.config}.before-${PRODUCT_VERSION}`;
    await bench.setUp();
    expect(bench.lines).toContain(`the old file is kept as ${basename(backup)}`);
    expect(bench.read(backup)).toBe(before);
    expect(writtenBy(bench.read(bench.config))).toBe(PRODUCT_VERSION);
    await bench.undo();
    expect(bench.read(bench.config)).toBe(before);
    // The first copy is the backup.
    writeFileSync(backup, "mine");
    await bench.setUp();
    expect(bench.read(backup)).toBe("mine");
  });

  it("needs no copy of a file that this version wrote, and keeps the version of a later one", async () => {
    config(defaultConfigFile());
    await bench.setUp();
    expect(existsSync(`${bench.config}.before-${PRODUCT_VERSION}`)).toBe(false);
    await bench.undo();
    config(defaultConfigFile().replace(PRODUCT_VERSION, "99.0.0"));
    await bench.setUp();
    expect(writtenBy(bench.read(bench.config))).toBe("99.0.0");
  });

  it("is listed in the plan, below the configuration to create, with the chosen form", async () => {
    bench.buildResourcePack();
    const listed = async (options = {}): Promise<string[]> => {
      await bench.setUp({ ...options });
      const lines = planLines(bench.plan);
      const at = lines.indexOf(`  ${bench.config}`);
      return lines.slice(at + 1, at + 8).filter(line => line.startsWith("      "));
    };
    const expected = [
      "      new configuration of the sidecar, with the defaults except:",
      "      server.info.title: (none) -> Oak & Stone",
      "      server.info.version: (none) -> 1.26.60",
      "      server.info.max-players: (none) -> 20",
      "      server.info.port: (none) -> 19140",
      "      modules.api.whitelist-names: java -> gamertag (allows names with spaces on the allowlist)",
    ];
    bench.answer = false;
    expect(await listed()).toEqual(expected);
    expect(await listed({ chestForm: true })).toEqual([
      expected[0],
      "      modules.api.link-form: buttons -> chest",
      ...expected.slice(1),
    ]);
    bench.answer = true;
    await bench.setUp();
    expect(bench.lines).toContain(expected.slice(1).join("\n"));
  });

  it("is kept as the owner has written or removed it", async () => {
    config('server.info.title: "Mine"\n');
    await bench.setUp();
    expect(info()).toEqual({ ...FOUND, "server.info.title": "Mine" });
    config('server.info.title: "Mine"\nserver.info.max-players: 0\n');
    bench.buildPack([0, 2, 0]);
    expect((await bench.setUp()).end).toBe("done");
    expect(info()).toEqual({ "server.info.title": "Mine" });
  });

  it("is updated by a later setup if setup itself wrote it", async () => {
    await bench.setUp();
    property("server-name", "Birch");
    property("max-players", "30");
    config(bench.read(bench.config).replace('"Oak & Stone"', '"Mine"'));
    expect((await bench.setUp()).end).toBe("done");
    expect(info()).toEqual({ ...FOUND, "server.info.title": "Mine", "server.info.max-players": 30 });
    property("max-players", "40");
    await bench.setUp();
    expect(info()).toEqual({ ...FOUND, "server.info.title": "Mine", "server.info.max-players": 40 });
  });

  it("has no version if a pack shows that the game has since been updated", async () => {
    mkdirSync(bench.path("behavior_packs/vanilla_1.27.0"));
    await bench.setUp();
    expect(info()).toEqual({ ...FOUND, "server.info.version": undefined });
    renameSync(bench.path("bedrock_server"), bench.path("bedrock_server-1.27.0.3"));
    await bench.setUp();
    expect(info()).toEqual({ ...FOUND, "server.info.version": "1.27.0" });
  });

  it("is left out if this user cannot change the configuration", async () => {
    config("log.level: info\n");
    const { folder } = bench;
    bench.disk = { ...systemDisk, takesFiles: path => !path.startsWith(`${folder}/sidecar`) };
    expect((await bench.setUp()).end).toBe("done");
    expect(bench.read(bench.config)).toBe("log.level: info\n");
  });

  it("is left out if the sidecar would reject it", async () => {
    property("server-name", "x".repeat(65));
    property("max-players", "many");
    property("server-port", "65536");
    await bench.setUp();
    expect(info()).toEqual({ ...VERSION, ...NAMES });
  });
});

describe("the names that can be put on the whitelist", () => {
  const KEY = "modules.api.whitelist-names";
  const names = (): unknown => readFileValues(bench.read(bench.config)).values.get(KEY);

  it.each(["java", "gamertag"])("stay %s where their owner has written that", async own => {
    config(`modules:\n  api:\n    whitelist-names: ${own}\n`);
    await bench.setUp();
    expect(names()).toBe(own);
    expect(bench.read(bench.config)).toContain(`whitelist-names: ${own}\n`);
  });

  it("are not changed by a later setup once the owner has changed them", async () => {
    await bench.setUp();
    config(bench.read(bench.config).replace("whitelist-names: gamertag", "whitelist-names: java"));
    bench.buildPack([0, 2, 0]);
    expect((await bench.setUp()).end).toBe("done");
    expect(names()).toBe("java");
    const journal = bench.path("web-bridge-setup/journal.json");
    const { filled, ...rest } = JSON.parse(bench.read(journal));
    for (const before of [{ ...rest, filled: { ...filled, [KEY]: undefined } }, rest]) {
      writeFileSync(journal, JSON.stringify(before));
      await bench.setUp();
      expect(names()).toBe("java");
    }
  });
});

describe("a value for a configuration", () => {
  it("is written as text, and left out if the file cannot contain it", () => {
    const alias = "server.info.title: &t ''\nmodules.web.accent: *t\n";
    expect(setInfo("", { "server.info.title": 'a "b"' })).toBe('server.info.title: "a \\"b\\""\n');
    expect(setInfo(alias, { "server.info.title": "a" })).toBe(alias);
  });
});
