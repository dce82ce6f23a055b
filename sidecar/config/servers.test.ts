import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { configFrom, faultsFrom } from "../../test/helpers/config.ts";
import { eachInFolder, folder } from "../../test/helpers/folder.ts";
import { RecordingLog } from "../../test/helpers/log.ts";
import { serverTokens } from "./token.ts";
import { fileWarning } from "./warnings.ts";

eachInFolder("servers ");

const TOKEN = "a-token-of-the-first-0123456789";
const OTHER = "another-token-0123456789-abcdef";

const read = (yaml: string) => {
  const faults = faultsFrom(yaml);
  return faults.length > 0 ? faults : configFrom(yaml);
};

const listed = (...entries: object[]): string => `servers: ${JSON.stringify(entries)}\n`;

describe("servers", () => {
  it("are empty by default, and the first one is called main", () => {
    expect(read("")).toMatchObject({ servers: [], server: { name: "main" } });
  });

  it("require only a name", () => {
    const nothing = { title: "", address: "", version: "", maxPlayers: 0, port: 0 };
    const entry = { name: "lobby", title: "", token: "", process: "auto", info: nothing };
    expect(read("servers:\n  - name: lobby\n")).toMatchObject({ servers: [entry] });
  });

  it("have the same settings as the first one", () => {
    const yaml = `
servers:
  - name: survival-2
    title: Survival
    token: ${OTHER}
    process: run/survival.pid
    info: {title: "", address: play.example.com, version: "1.26.60", max-players: 20, port: 19142}
`;
    expect(read(yaml)).toMatchObject({
      servers: [
        {
          name: "survival-2",
          title: "Survival",
          token: OTHER,
          process: resolve("/etc/bridge/run/survival.pid"),
          info: { title: "", address: "play.example.com", version: "1.26.60", maxPlayers: 20, port: 19_142 },
        },
      ],
    });
  });

  it.each(["Lobby", "lobby 1", "-lobby", "löbby", "", "a".repeat(33), "a_b", "../x", "lobby\n"])(
    "cannot be called %j",
    name => {
      expect(read(listed({ name }))).toEqual([
        `servers[0].name: ${JSON.stringify(name)}: expected 1 to 32 of a-z, 0-9 and -, not - first, such as lobby`,
      ]);
    },
  );

  const many = Array.from({ length: 32 }, (_, i) => ({ name: `s${i}` }));
  it.each<[string, string, string]>([
    [
      "a name that two have",
      listed({ name: "lobby" }, { name: "lobby" }),
      'servers[1].name: "lobby": expected a value other than that of [0]',
    ],
    [
      "a token that two have",
      listed({ name: "a", token: OTHER }, { name: "b", token: OTHER }),
      "servers[1].token: (hidden): expected a value other than that of [0]",
    ],
    [
      "the first one's name",
      listed({ name: "main" }),
      'servers[0].name: "main": expected a name other than server.name, that of the first game server',
    ],
    [
      "the first one's name, that its owner has chosen",
      `server.name: hub\n${listed({ name: "hub" })}`,
      'servers[0].name: "hub": expected a name other than server.name, that of the first game server',
    ],
    [
      "the first one's token",
      `bridge.token: ${TOKEN}\n${listed({ name: "a", token: TOKEN })}`,
      "servers[0].token: (hidden): expected a token other than bridge.token, that of the first game server",
    ],
    ["no name", listed({ title: "Lobby" }), "servers[0].name: missing: expected 1 to 32 of a-z, 0-9"],
    ["a name of the first one that is none", "server.name: Main\n", 'server.name: "Main": expected 1 to 32'],
    ["a token that is none", listed({ name: "a", token: "with blank" }), "servers[0].token: (hidden): "],
    ["a key that is none", listed({ name: "a", port: 1 }), "servers[0]: port: unknown key: "],
    ["an unknown key of info", listed({ name: "a", info: { prot: 1 } }), "servers[0].info: prot: unknown"],
    ["more than 31", listed(...many), "servers: a list: expected a list (in the environment: JSON) of at"],
    [
      "a key for a server that is none",
      `${listed({ name: "lobby" })}modules.api.admin-keys: [{name: panel, sha256: "${"a".repeat(64)}", scopes: [links:read], servers: [loby]}]\n`,
      'modules.api.admin-keys[0].servers: "loby": expected one or more of main, lobby',
    ],
  ])("reject %s with one clear line", (_what, yaml, line) => {
    const faults = read(yaml);
    expect(faults).toEqual([expect.stringContaining(line)]);
    expect(JSON.stringify(faults)).not.toContain(TOKEN);
    expect(JSON.stringify(faults)).not.toContain(OTHER);
  });

  it("can be up to 31", () => {
    expect(read(listed(...many.slice(0, 31)))).toHaveProperty("servers.length", 31);
  });

  it("can be listed for keys, including the first one", () => {
    const key = { name: "panel", sha256: "a".repeat(64), scopes: ["links:read"], servers: ["main", "lobby"] };
    expect(
      read(`${listed({ name: "lobby" })}modules.api.admin-keys: ${JSON.stringify([key])}\n`),
    ).toMatchObject({
      modules: { api: { adminKeys: [{ servers: ["main", "lobby"] }] } },
    });
  });

  it("have tokens, with a warning if others can read them in the file", () => {
    const said = expect.stringContaining("other users can read it (mode 644)");
    expect(fileWarning("/c.yml", listed({ name: "lobby", token: OTHER }), 0o644, "linux")).toEqual(said);
    expect(fileWarning("/c.yml", listed({ name: "lobby" }), 0o644, "linux")).toBeUndefined();
  });
});

describe("tokens of servers", () => {
  const tokens = (...servers: { name: string; token?: string }[]) => {
    const log = new RecordingLog();
    const entries = servers.map(({ name, token = "" }) => ({ name, token }));
    return { log, found: serverTokens({ servers: entries, storage: { folder } }, TOKEN, log) };
  };

  it("are created at the first start, each in its own file, and kept", () => {
    const { found } = tokens({ name: "lobby" }, { name: "survival" });
    expect(readdirSync(folder).sort()).toEqual(["bridge-token-lobby", "bridge-token-survival"]);
    expect("tokens" in found && new Set([TOKEN, ...found.tokens.values()]).size).toBe(3);
    expect(tokens({ name: "lobby" }, { name: "survival" }).found).toEqual(found);
  });

  it.each([
    ["in two files", [{ name: "a" }, { name: "b" }], "bridge-token-b"],
    ["in a file and in the configuration", [{ name: "a", token: OTHER }, { name: "b" }], "bridge-token-b"],
    ["in the configuration, and in a file", [{ name: "a" }, { name: "b", token: OTHER }], "servers[1].token"],
  ])("are rejected if the same one is %s, naming the second", (_where, servers, place) => {
    mkdirSync(folder, { recursive: true });
    for (const name of ["a", "b"]) writeFileSync(join(folder, `bridge-token-${name}`), `${OTHER}\n`);
    const { found } = tokens(...servers);
    expect("fault" in found && found.fault).toContain(`${place}: `);
    expect("fault" in found && found.fault).toContain("expected a token that no other game server has");
    expect(JSON.stringify(found)).not.toContain(OTHER);
  });

  it("are rejected if a file has the token of the first one", () => {
    writeFileSync(join(folder, "bridge-token-lobby"), TOKEN);
    expect(tokens({ name: "lobby" }).found).toEqual({
      fault: `${join(folder, "bridge-token-lobby")}: expected a token that no other game server has; delete it to have a new one made`,
    });
  });

  it("chosen by the owner that could be guessed are reported by their server", () => {
    expect(tokens({ name: "lobby", token: "short" }).log.lines).toEqual([
      expect.objectContaining({
        message: expect.stringContaining("the token of lobby in servers could be guessed: leave it out"),
      }),
    ]);
  });
});
