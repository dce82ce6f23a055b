import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { journalFile } from "../../../bds/setup-folder.ts";
import { newFolder } from "../../../test/helpers/folder.ts";
import { readTarget } from "./target.ts";

const [FIRST, LOBBY] = ["first-token-0123456789abcdefgh", "lobby-token-0123456789abcdefgh"];

/** Files in a new folder. */
function files(texts: Record<string, string>): string {
  const folder = newFolder("target-");
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  }
  return folder;
}

const CONFIG = `bridge:
  port: 8091
servers:
  - name: lobby
    token: "${LOBBY}"
  - name: mines
`;

/** What a sidecar's folder with these files gives for the game server with this name. */
function target(texts: Record<string, string>, as?: string, env = {}, game = newFolder("game-")) {
  const folder = files(texts);
  const read = readTarget({
    folder: game,
    config: join(folder, "config.yml"),
    as,
    env: { WEB_BRIDGE_STORAGE_FOLDER: join(folder, "data"), ...env },
  });
  return { folder, read };
}

describe("where launch sends requests of the pack", () => {
  it("is the bridge listener of the configuration, with the token in its folder", () => {
    const { read } = target({ "config.yml": CONFIG, "data/bridge-token": `${FIRST}\n` });
    expect(read).toEqual({
      value: { url: "http://127.0.0.1:8091", token: FIRST, world: "Bedrock level" },
    });
  });

  it("is for the game server that --as names, by its token in the configuration or in a file", () => {
    const texts = { "config.yml": CONFIG, "data/bridge-token-mines": FIRST };
    expect(target(texts, "lobby").read).toMatchObject({ value: { token: LOBBY } });
    expect(target(texts, "mines").read).toMatchObject({ value: { token: FIRST } });
    expect(target(texts, "nether").read).toMatchObject({
      fault: expect.stringMatching(/^--as: nether: .+: main, lobby, mines, or run setup with --as nether$/),
    });
  });

  it("is what the environment says, as for the sidecar", () => {
    const env = { WEB_BRIDGE_BRIDGE_TOKEN: FIRST, WEB_BRIDGE_BRIDGE_PORT: "9000" };
    expect(target({ "config.yml": CONFIG }, undefined, env).read).toMatchObject({
      value: { url: "http://127.0.0.1:9000", token: FIRST },
    });
  });

  it("is the address that setup was given, with the world of server.properties", () => {
    const game = files({ "server.properties": "level-name=Mine\n" });
    mkdirSync(dirname(journalFile(game)), { recursive: true });
    writeFileSync(journalFile(game), JSON.stringify({ bridgeUrl: "https://bridge.example.com" }));
    const { read } = target({ "config.yml": CONFIG, "data/bridge-token": FIRST }, undefined, {}, game);
    expect(read).toEqual({ value: { url: "https://bridge.example.com", token: FIRST, world: "Mine" } });
  });

  it("is not known for another game server than setup has connected in this folder", () => {
    const texts = { "config.yml": CONFIG, "data/bridge-token": FIRST };
    const setUpAs = (journal: object): string => {
      const game = newFolder("game-");
      mkdirSync(dirname(journalFile(game)), { recursive: true });
      writeFileSync(journalFile(game), JSON.stringify(journal));
      return game;
    };
    const lobby = setUpAs({ as: "lobby" });
    expect(target(texts, "lobby", {}, lobby).read).toMatchObject({ value: { token: LOBBY } });
    expect(target(texts, undefined, {}, lobby).read).toEqual({
      fault: `setup has connected ${lobby} as lobby: start it with --as lobby`,
    });
    const first = setUpAs({ version: 1 });
    for (const as of [undefined, "main"])
      expect(target(texts, as, {}, first).read).toMatchObject({ value: { token: FIRST } });
    expect(target(texts, "lobby", {}, first).read).toEqual({
      fault: `setup has connected ${first} as main: start it without --as`,
    });
    const removed = setUpAs({ as: "nether" });
    expect(target(texts, undefined, {}, removed).read).toMatchObject({ value: { token: FIRST } });
  });

  it("is not known without a configuration or a token, and nothing is created", () => {
    expect(target({}).read).toMatchObject({ fault: expect.stringContaining("does not exist") });
    const { folder, read } = target({ "config.yml": CONFIG });
    expect(read).toMatchObject({ fault: expect.stringContaining("bridge-token: contains no valid token") });
    expect(readdirSync(folder)).toEqual(["config.yml"]);
  });
});
