import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { makeServer } from "../../scripts/make-server.mjs";
import { configFrom } from "../../test/helpers/config.ts";
import { bench, freshBench, SCRIPT, treeOf } from "../../test/helpers/server-setup.ts";

freshBench();
let lobby: string;
beforeEach(async () => {
  lobby = join(bench.folder, "lobby server");
  await makeServer(lobby, { levelName: "Lobby" });
  const properties = join(lobby, "server.properties");
  writeFileSync(
    properties,
    `${readFileSync(properties, "utf8").replace(/server-name=.*/, "server-name=The Lobby")}\nserver-port=19142\nmax-players=10\n`,
  );
});

const tokenOf = (server: string): string =>
  JSON.parse(readFileSync(join(server, SCRIPT, "secrets.json"), "utf8"))["bridge-token"];
const data = (name: string): string => readFileSync(join(bench.folder, "sidecar/data", name), "utf8").trim();
const text = (): string => readFileSync(bench.config, "utf8");
/** Without the line in front that says which version wrote it. */
const ofOwner = (): string =>
  text().replace(/^# Configuration of the web bridge, written by version .*\n/, "");
const notes = (): unknown => JSON.parse(data("server.json")).servers;

const config = () => configFrom(text(), bench.env);

describe("setup --as", () => {
  it("gives the add-on the token of that entry, and lists it with the information from the folder", async () => {
    await bench.setUp();
    await bench.setUp({ server: lobby, as: "lobby" });
    expect(tokenOf(bench.server)).toBe(data("bridge-token"));
    expect(tokenOf(lobby)).toBe(data("bridge-token-lobby"));
    expect(tokenOf(lobby)).not.toBe(tokenOf(bench.server));
    const { server, servers } = config();
    expect(server.info.title).toBe("Dedicated Server");
    expect(servers).toMatchObject([{ name: "lobby", token: "", info: { title: "The Lobby", port: 19_142 } }]);
    expect(bench.lines).toContain(`      servers: lobby is added, beside the first game server\n`);
    expect(bench.lines).toContain("bridge-token: (none) -> the sidecar's for lobby (hidden)");
    expect(bench.lines).not.toContain("needs a");
    expect(notes()).toEqual([
      { server: lobby, world: "Lobby", name: "lobby" },
      { server: bench.server, world: bench.levelName },
    ]);
    expect((await bench.setUp({ server: lobby, as: "lobby" })).end).toBe("nothing");
    expect((await bench.setUp()).end).toBe("nothing");
  });

  it("is kept in later runs, until another name is given", async () => {
    await bench.setUp();
    await bench.setUp({ server: lobby, as: "lobby" });
    const token = tokenOf(lobby);
    expect((await bench.setUp({ server: lobby })).end).toBe("nothing");
    expect(tokenOf(lobby)).toBe(token);
    await bench.setUp({ server: lobby, as: "hub" });
    expect(tokenOf(lobby)).toBe(data("bridge-token-hub"));
    expect(config().servers).toMatchObject([
      { name: "lobby" },
      { name: "hub", info: { title: "The Lobby" } },
    ]);
    expect(notes()).toMatchObject([{ server: lobby, name: "hub" }, { server: bench.server }]);
    await bench.undo();
    await bench.setUp({ server: lobby, as: "main" });
    expect(tokenOf(lobby)).toBe(data("bridge-token"));
    expect(notes()).toEqual([
      { server: lobby, world: "Lobby" },
      { server: bench.server, world: bench.levelName },
    ]);
  });

  it("keeps the rest of the file: comments, order and what its owner has written in the list", async () => {
    await bench.setUp();
    const before = `# ours\nservers:\n  # further ones\n  # the hub\n  - name: hub # first\n    title: "Hub"\n\n${text().replace("servers: []\n", "")}\n# the end\n`;
    writeFileSync(bench.config, before);
    await bench.setUp({ server: lobby, as: "lobby" });
    const added = /^ {2}- name: lobby\n(?: {4,}.*\n)+/m.exec(text())?.[0] ?? "";
    expect(added).toContain('      title: "The Lobby"\n');
    expect(ofOwner().replace(added, "")).toBe(before);
    const own = text().replace("  - name: lobby\n", "  - name: lobby # mine\n    title: Lobby\n");
    writeFileSync(bench.config, own);
    const properties = join(lobby, "server.properties");
    writeFileSync(properties, readFileSync(properties, "utf8").replace("max-players=10", "max-players=99"));
    await bench.setUp({ server: lobby });
    expect(text()).toBe(own.replace("max-players: 10", "max-players: 99"));
    expect(config().servers[1]).toMatchObject({ title: "Lobby", info: { maxPlayers: 99 } });
  });

  it.each([
    ["servers: [{ name: lobby }]\n", 'servers: [{name: lobby, info: {title: "The Lobby"}}]\n'],
    ["servers:\n- name: lobby\n", 'servers:\n  - name: lobby\n    info:\n      title: "The Lobby"\n'],
    ["servers:\n- name: lobby\n  info: {}\n", 'servers:\n  - name: lobby\n    info: {title: "The Lobby"}\n'],
  ])("fills in missing values of an entry, written as %j", async (written, expected) => {
    await bench.setUp();
    writeFileSync(bench.config, written);
    writeFileSync(join(lobby, "server.properties"), "server-name=The Lobby\nlevel-name=Lobby\n");
    await bench.setUp({ server: lobby, as: "lobby" });
    expect(config().servers).toMatchObject([{ name: "lobby", info: { title: "The Lobby" } }]);
    const rest = /, version: "[^"]*"|\n *version: .*(?=\n)/g;
    expect(ofOwner().split("modules")[0]?.replace(rest, "").replace(/\n+$/, "\n")).toBe(expected);
  });

  it("uses the owner's token, and keeps their information", async () => {
    await bench.setUp();
    const own = "servers: [{name: lobby, token: own-token-0123456789, info: {title: Mine, port: 7}}]\n";
    writeFileSync(bench.config, own);
    await bench.setUp({ server: lobby, as: "lobby" });
    expect(tokenOf(lobby)).toBe("own-token-0123456789");
    expect(existsSync(join(bench.folder, "sidecar/data/bridge-token-lobby"))).toBe(false);
    expect(config().servers).toMatchObject([{ info: { title: "Mine", port: 7 } }]);
  });

  it("creates a missing configuration, and says that the first one is missing", async () => {
    await bench.setUp({ server: lobby, as: "lobby" });
    expect(config().servers).toMatchObject([{ name: "lobby" }]);
    expect(tokenOf(lobby)).toBe(data("bridge-token-lobby"));
    expect(bench.lines).toContain("setup has not been run for main yet, the first game server");
    await bench.setUp();
    await bench.setUp({ server: lobby, dryRun: true });
    expect((await bench.setUp({ server: lobby, dryRun: true })).plan.notes).toEqual([]);
  });

  it.each(["Lobby", "-", "a".repeat(33)])("refuses the name %j in one line", async as => {
    await bench.setUp();
    await expect(bench.setUp({ server: lobby, as })).rejects.toMatchObject({
      lines: [`--as: ${JSON.stringify(as)}: expected 1 to 32 of a-z, 0-9 and -, not - first, such as lobby`],
    });
  });

  it("says what to do if the environment has the list, and if the entry has since been removed", async () => {
    await bench.setUp();
    bench.env = { WEB_BRIDGE_SERVERS: '[{"name":"hub"}]' };
    await expect(bench.setUp({ server: lobby, as: "lobby" })).rejects.toMatchObject({
      lines: ["--as: lobby: WEB_BRIDGE_SERVERS is set and does not list it: add it there"],
    });
    await bench.setUp({ server: lobby, as: "hub" });
    bench.env = {};
    await expect(bench.setUp({ server: lobby })).rejects.toMatchObject({
      lines: [
        expect.stringContaining(
          "this game server was set up as hub, which servers no longer lists: add --as hub",
        ),
      ],
    });
    await bench.setUp({ server: lobby, as: "hub" });
    expect(config().servers).toMatchObject([{ name: "hub" }]);
  });
});

describe("undo of setup --as", () => {
  it("removes the entry, and restores both folders and the configuration", async () => {
    const fresh = treeOf(lobby);
    await bench.setUp();
    const before = text();
    await bench.setUp({ server: lobby, as: "lobby" });
    await bench.undo({ server: lobby });
    expect(text()).toBe(before);
    expect(treeOf(lobby)).toEqual(fresh);
    await bench.undo();
    expect(config()).toMatchObject({ servers: [], server: { info: { title: "" } } });
  });

  it("leaves a configuration without servers as it was, so that the first setup can be undone too", async () => {
    const start = "bridge: { port: 8081 } # ours\nmodules.api.whitelist-names: gamertag\n";
    await bench.setUp();
    await bench.undo();
    writeFileSync(bench.config, start);
    await bench.setUp();
    const first = text();
    await bench.setUp({ server: lobby, as: "lobby" });
    await bench.undo({ server: lobby });
    expect(bench.lines).toContain("as it was before setup");
    expect(text()).toBe(first);
    await bench.undo();
    expect(text()).toBe(start);
  });

  it("keeps an entry if the file has since been edited, and says what to remove by hand", async () => {
    await bench.setUp();
    await bench.setUp({ server: lobby, as: "lobby" });
    writeFileSync(bench.config, `${text()}# a comment of mine\n`);
    const before = text();
    await bench.undo({ server: lobby });
    expect(text()).toBe(before);
    expect(bench.lines).toMatch(
      /was changed since then: left as it is; undo by hand what setup has changed:\n\s+servers: lobby is added/,
    );
  });

  it("of a copy of its folder keeps the entry for the other one", async () => {
    await bench.setUp();
    await bench.setUp({ server: lobby, as: "lobby" });
    const before = text();
    const copy = join(bench.folder, "copy");
    cpSync(lobby, copy, { recursive: true });
    await bench.undo({ server: copy });
    expect(text()).toBe(before);
    expect(bench.lines).toContain(`is left as it is: the server ${lobby} uses this sidecar too`);
    // Undo of the first one leaves it, too: its configuration has the entry of the other.
    await bench.undo();
    expect(text()).toBe(before);
  });
});
