import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { parse } from "jsonc-parser";
import { FOREIGN_PACKS, makeServer } from "../../scripts/make-server.mjs";
import { defaultConfigFile } from "../../sidecar/config/default-file.ts";
import { bench, freshBench, serversOwn, type Tree, treeOf } from "../../test/helpers/server-setup.ts";
import { planLines } from "./output.ts";

const RESOURCES = "world_resource_packs.json";

freshBench();
beforeEach(async () => {
  bench.buildResourcePack();
});

const isInstalled = (): boolean => existsSync(bench.path("resource_packs/web_bridge/manifest.json"));
const linkForm = (): string | undefined => /link-form: (\w+)/.exec(bench.read(bench.config))?.[1];
const own = (): Tree => serversOwn(treeOf(bench.server));

describe("the form of link requests", () => {
  it("is a question once, at the first setup", async () => {
    await bench.setUp({ dryRun: true });
    expect(bench.formQuestions).toBe(0);
    await bench.setUp();
    bench.buildPack([0, 2, 0]);
    expect((await bench.setUp()).end).toBe("done");
    expect([bench.formQuestions, isInstalled(), linkForm()]).toEqual([1, false, "buttons"]);
  });

  it("is the chest after that answer, with everything it needs, and an update keeps it", async () => {
    bench.chest = true;
    await bench.setUp();
    expect(linkForm()).toBe("chest");
    const list = bench.read(bench.world(RESOURCES));
    expect(
      list.startsWith(`[{"pack_id":"${FOREIGN_PACKS.resource}","subpack":"high","version":[1,2,3]}, {`),
    ).toBe(true);
    expect(bench.read(bench.path("server.properties"))).toMatch(/\r\ntexturepack-required=true\r\n$/);
    bench.buildResourcePack([0, 2, 0]);
    await bench.setUp();
    expect(bench.read(bench.path("resource_packs/web_bridge/manifest.json"))).toContain("[0,2,0]");
    expect(bench.read(bench.world(RESOURCES))).toContain("[0,2,0]");
    expect(bench.formQuestions).toBe(1);
  });

  it("can return to the plain form, and removes everything of the chest", async () => {
    const untouched = own();
    await bench.setUp();
    const plain = { ...own(), config: bench.read(bench.config) };
    await bench.setUp({ chestForm: true });
    await bench.setUp({ chestForm: false });
    const lines = planLines(bench.plan).join("\n");
    expect(lines).toContain("texturepack-required: true -> (none)");
    expect(lines).toContain("Web Bridge resource pack: 0.1.0 -> removed");
    expect(lines).toContain("Web Bridge resource pack: 0.1.0 -> (none)");
    const now: Tree = { ...own(), config: bench.read(bench.config) };
    // A line without an end got one.
    const { "server.properties": _, ...rest } = now;
    expect(rest).toEqual(Object.fromEntries(Object.entries(plain).filter(([name]) => name in rest)));
    expect((await bench.setUp({ chestForm: false })).end).toBe("nothing");
    expect((await bench.setUp()).end).toBe("nothing");
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(untouched);
    expect(bench.read(bench.config)).toBe(defaultConfigFile());
    expect(bench.formQuestions).toBe(1);
  });

  it("removes the list that setup created only for the resource pack, and undo still works", async () => {
    rmSync(bench.world(RESOURCES));
    rmSync(bench.path("resource_packs"), { recursive: true });
    const before = treeOf(bench.server);
    for (const chestForm of [true, false, true, false]) await bench.setUp({ chestForm });
    expect([existsSync(bench.world(RESOURCES)), isInstalled()]).toEqual([false, false]);
    await bench.setUp({ chestForm: true });
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(before);
    expect(existsSync(bench.path("web-bridge-setup"))).toBe(false);
  });

  it("does not change texturepack-required if the owner has set it", async () => {
    appendFileSync(bench.path("server.properties"), "\r\ntexturepack-required=true\r\n");
    await bench.setUp({ chestForm: true });
    await bench.setUp({ chestForm: false });
    expect(bench.read(bench.path("server.properties"))).toContain("\r\ntexturepack-required=true\r\n");
  });

  it("cannot be the chest if the resource pack was not built", async () => {
    rmSync(bench.packs.resource, { recursive: true });
    await expect(bench.setUp({ chestForm: true })).rejects.toThrow(/there is no resource pack beside/);
    expect((await bench.setUp()).end).toBe("done");
  });
});

describe("who can see the list of past players", () => {
  const show = (): string | undefined => /^ +show: (\w+)/m.exec(bench.read(bench.config))?.[1];
  const write = (text: string): void => {
    mkdirSync(dirname(bench.config), { recursive: true });
    writeFileSync(bench.config, text);
  };

  it("is a question once, at the first setup, and defaults to people with a key", async () => {
    await bench.setUp({ dryRun: true });
    expect(bench.knownPlayersQuestions).toBe(0);
    await bench.setUp();
    bench.buildPack([0, 2, 0]);
    await bench.setUp();
    expect([bench.knownPlayersQuestions, show()]).toEqual([1, "key"]);
  });

  it("is everyone after a yes, with a line in the plan, and undo restores the file byte for byte", async () => {
    const untouched = treeOf(bench.server);
    bench.everybody = true;
    await bench.setUp();
    expect(planLines(bench.plan)).toContain(
      "      modules.api.known-players.show: key -> everybody: everyone can see past players, with visits and playtime",
    );
    expect(show()).toBe("everybody");
    await bench.setUp({ chestForm: true });
    await bench.setUp({ knownPlayers: "off" });
    expect(bench.lines).toContain(
      "show: everybody -> off: the list of past players is deleted when the sidecar starts",
    );
    expect([show(), linkForm()]).toEqual(["off", "chest"]);
    await bench.undo();
    expect(treeOf(bench.server)).toEqual(untouched);
    expect(bench.read(bench.config)).toBe(defaultConfigFile());
  });

  it("can be undone in an existing configuration that did not have it", async () => {
    const before = "# mine\nlog.level: info # loud\n";
    write(before);
    for (const knownPlayers of ["everybody", "key", "off", "everybody"] as const)
      await bench.setUp({ knownPlayers });
    expect(bench.knownPlayersQuestions).toBe(0);
    expect(bench.read(bench.config)).toContain("modules.api.known-players.show: everybody\n");
    await bench.undo();
    expect(bench.read(bench.config)).toBe(before);
  });

  const SAID = { WEB_BRIDGE_MODULES_API_KNOWN_PLAYERS_SHOW: "key" };
  it.each<[string, Record<string, string>, string | undefined, number]>([
    ["modules.api.known-players.show: off\n", {}, undefined, 0],
    ["modules:\n  api:\n    known-players:\n      show: key\n", {}, undefined, 0],
    [defaultConfigFile(), SAID, undefined, 0],
    [defaultConfigFile(), {}, undefined, 1],
    ["log.level: info\n", {}, "lobby", 0],
  ])(
    "is a question if neither file nor environment has it, and only for the first server",
    async (text, env, as, times) => {
      write(text);
      bench.env = env;
      bench.answer = false;
      await bench.setUp({ as });
      expect(bench.knownPlayersQuestions).toBe(times);
    },
  );
});

describe("the address of the sidecar", () => {
  const url = (): unknown => parse(bench.read(bench.script("variables.json")))["bridge-url"];
  const net = () =>
    parse(bench.read(bench.script("permissions.json"))).module_permissions["@minecraft/server-net"];
  const port = (value: number): void => writeFileSync(bench.config, `bridge.port: ${value}\n`);

  it("stays the given one, with its force_tls, until another is given", async () => {
    const before = own();
    await bench.setUp({ bridgeUrl: "https://sidecar.example/b/" });
    port(9000);
    bench.buildPack([0, 2, 0]);
    expect((await bench.setUp()).end).toBe("done");
    expect([url(), net().force_tls]).toEqual(["https://sidecar.example/b", true]);
    await bench.setUp({ bridgeUrl: "http://10.0.0.1:8081" });
    expect([url(), net().force_tls]).toEqual(["http://10.0.0.1:8081", false]);
    await bench.setUp({ bridgeUrl: "default" });
    expect(url()).toBe("http://127.0.0.1:9000");
    port(9001);
    await bench.setUp();
    expect([url(), (await bench.setUp()).end]).toEqual(["http://127.0.0.1:9001", "nothing"]);
    await bench.undo();
    expect(own()).toEqual(before);
  });

  it.each([
    ["https://127.0.0.1:8081", "the sidecar's listeners have no TLS: expected http://127.0.0.1:8081, or"],
    ["http://127.0.0.1:8080", "is the address of the public listener: expected http://127.0.0.1:8081, or"],
    [
      "http://0.0.0.0:8081",
      "is a wildcard address, which nothing can connect to: expected http://127.0.0.1:8081, or",
    ],
    ["http://127.0.0.1:8081/path", "bridge listener has no paths: expected"],
    [
      "http://user:secret@sidecar.example",
      "--bridge-url: contains a user name or a password: expected an address",
    ],
    [
      "user:secret@sidecar.example:x",
      "--bridge-url: contains a user name or a password: expected an address",
    ],
    ["sidecar", "--bridge-url: sidecar: expected an address such as http://127.0.0.1:8081, or default for"],
  ])("cannot be %s, and nothing is changed", async (bridgeUrl, why) => {
    const before = treeOf(bench.folder);
    const refused = await bench.setUp({ bridgeUrl }).catch(String);
    expect(String(refused)).toContain(why);
    expect(refused).not.toContain("secret");
    expect(treeOf(bench.folder)).toEqual(before);
  });

  it("is printed without parts that may be a password", async () => {
    await bench.setUp();
    for (const name of ["variables.json", "permissions.json"]) {
      const path = bench.script(name);
      writeFileSync(path, bench.read(path).replaceAll("127.0.0.1", "me:hunter2@127.0.0.1"));
    }
    const { plan } = await bench.setUp({ dryRun: true });
    expect(planLines(plan).join("\n")).toContain(
      "bridge-url: http://(hidden)@127.0.0.1:8081 -> http://127.0.0.1:8081",
    );
    expect(planLines(plan).join("\n")).not.toContain("hunter2");
  });

  it("is stored even if it is already the configured one", async () => {
    await bench.setUp();
    expect((await bench.setUp({ bridgeUrl: "http://127.0.0.1:8081" })).end).toBe("done");
    expect(bench.lines).toContain("address of the sidecar: http://127.0.0.1:8081");
    expect((await bench.setUp({ bridgeUrl: "http://127.0.0.1:8081" })).end).toBe("nothing");
    port(9000);
    expect([(await bench.setUp()).end, url()]).toEqual(["nothing", "http://127.0.0.1:8081"]);
  });

  it("keeps an owner's force_tls that is correct", async () => {
    await bench.setUp({ bridgeUrl: "https://sidecar.example" });
    const path = bench.script("permissions.json");
    writeFileSync(path, bench.read(path).replace('"force_tls": true', '"force_tls": false'));
    bench.buildPack([0, 2, 0]);
    await bench.setUp();
    expect(net().force_tls).toBe(false);
    await bench.setUp({ bridgeUrl: "default" });
    writeFileSync(path, bench.read(path).replace('"force_tls": false', '"force_tls": true'));
    await bench.setUp();
    expect(net().force_tls).toBe(false);
    await bench.setUp({ bridgeUrl: "https://sidecar.example" });
    expect(net().force_tls).toBe(true);
  });
});

describe("the allowlist of a container image", () => {
  it("causes a warning if a variable overwrites it and the website may add names", async () => {
    renameSync(bench.path("bedrock_server"), bench.path("bedrock_server-1.26.60.6"));
    bench.env = { ALLOW_LIST_USERS: "Steve Alex" };
    await bench.setUp();
    expect(bench.plan.notes).toEqual([]);
    writeFileSync(bench.config, 'modules.api.admin-api-key: "a-key-of-some-length-0123456789"\n');
    expect((await bench.setUp()).plan.notes).toEqual([
      expect.stringMatching(
        /^ALLOW_LIST_USERS is set for .+ are lost: remove ALLOW_LIST_USERS from compose.yml/,
      ),
    ]);
    bench.env = {};
    expect((await bench.setUp()).plan.notes).toEqual([]);
  });
});

describe("a sidecar with several game servers", () => {
  const SHARED = "this is for all game servers of the sidecar";

  it("has a note with each choice that it is for all of them", async () => {
    await bench.setUp({ chestForm: true });
    expect(bench.lines).not.toContain(SHARED);
    const lobby = join(bench.folder, "lobby");
    await makeServer(lobby, { levelName: "Lobby" });
    await bench.setUp({ server: lobby, as: "lobby", chestForm: false, knownPlayers: "off" });
    expect(bench.lines).toContain(
      `link-form: chest -> buttons\n      ${SHARED}: run setup for each of the others too\n`,
    );
    expect(bench.lines).toMatch(new RegExp(`known-players.show: key -> off: .*\n +${SHARED}\n`));
    await bench.setUp({ chestForm: true });
    expect(bench.lines).toContain(SHARED);
  });
});
