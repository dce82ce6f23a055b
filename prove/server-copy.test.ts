import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { programIn } from "../bds/program.ts";
import { readProperties } from "../bds/properties.ts";
import { newFolder } from "../test/helpers/folder.ts";
import {
  copyServer,
  findServer,
  freePorts,
  isLeftOut,
  prepareCopy,
  refuseBesideServer,
} from "./server-copy.ts";

const OURS = "d09dd5f3-f8bd-4efc-8114-e391c22053b3";
const PROGRAM = process.platform === "win32" ? "bedrock_server.exe" : "bedrock_server";

function serverWith(files: Readonly<Record<string, string>>): string {
  const root = newFolder("server ");
  const all = { [PROGRAM]: "", "server.properties": "level-name=mine\nserver-port=19132\n", ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const manifest = (uuid: string): string =>
  JSON.stringify({ header: { name: "pack", uuid, version: [1, 0, 0] }, modules: [] });

async function copied(root: string): Promise<string> {
  const to = join(newFolder("copy "), "server");
  await copyServer(findServer(root).server, to, new Set([OURS]));
  return to;
}

describe("the copy of a game server", () => {
  it.each([
    "worlds/mine/level.dat",
    "keys/server.key",
    "allowlist.json",
    "config/0123/secrets.json",
    "config/default/variables.json",
    "web-bridge-setup/journal.json",
    "mybot/.env",
    "behavior_packs/web_bridge/manifest.json",
    ".ssh/id_ed25519",
    "bedrock-server-1.26.60.6.zip",
  ])("does not contain the owner's files: %s", path => {
    expect(isLeftOut(path)).toBe(true);
  });

  it.each([
    "bedrock_server",
    "definitions/biomes/plains.json",
    "behavior_packs/vanilla/manifest.json",
    "config/default/permissions.json",
    "resource_packs/vanilla/texts/worlds.lang",
  ])("contains the game's files: %s", path => {
    expect(isLeftOut(path)).toBe(false);
  });

  it("leaves out our pack in any folder, and keeps other packs", async () => {
    const root = serverWith({
      "behavior_packs/moved/manifest.json": manifest(OURS.toUpperCase()),
      "behavior_packs/other/manifest.json": manifest("aaaaaaaa-0000-4000-8000-000000000001"),
    });
    expect(readdirSync(join(await copied(root), "behavior_packs"))).toEqual(["other"]);
  });

  it("follows links to files, and skips pipes, broken links and links that leave the folder or form a circle", async () => {
    const root = serverWith({ "data/real.json": "{}" });
    symlinkSync(join(root, "data/real.json"), join(root, "linked.json"));
    symlinkSync(join(root, "nowhere"), join(root, "broken.json"));
    symlinkSync(newFolder("elsewhere "), join(root, "out"));
    symlinkSync(join(root, "itself"), join(root, "itself"));
    execFileSync("mkfifo", [join(root, "console")]);
    const copy = await copied(root);
    expect(readdirSync(copy).sort()).toEqual([PROGRAM, "data", "linked.json", "server.properties"].sort());
    expect(readFileSync(join(copy, "linked.json"), "utf8")).toBe("{}");
  });

  it("has a new world, its own ports on this machine only, and no players", async () => {
    const copy = await copied(
      serverWith({ "server.properties": "server-udp-ports=1\nserver-udp-ports=2\nview-distance=9\n" }),
    );
    const ports = await freePorts();
    expect(new Set(Object.values(ports)).size).toBe(5);
    prepareCopy(copy, PROGRAM, ports);
    const text = readFileSync(join(copy, "server.properties"), "utf8");
    expect(Object.fromEntries(readProperties(text))).toMatchObject({
      ...{ "level-name": "prove", "server-port": String(ports.game), "server-ip": "127.0.0.1" },
      ...{ "online-mode": "false", "allow-list": "false", "enable-lan-visibility": "false" },
      ...{ "server-udp-ports": String(ports.players), "view-distance": "9" },
    });
    expect(text.match(/server-udp-ports/g)).toHaveLength(1);
    expect(readFileSync(join(copy, "allowlist.json"), "utf8")).toBe("[]\n");
    expect(existsSync(join(copy, "worlds"))).toBe(false);
  });

  it("says why a folder cannot be copied", async () => {
    const to = join(newFolder("copy "), "file");
    writeFileSync(to, "");
    const copying = copyServer(findServer(serverWith({})).server, to, new Set());
    await expect(copying).rejects.toThrow(/could not be copied to .*choose another folder with --work/);
  });
});

describe("the program of a game server", () => {
  it.each([
    [["bedrock_server", "bedrock_server-1.26.60"], "bedrock_server"],
    [["bedrock_server-1.9.0", "bedrock_server-1.26.60"], "bedrock_server-1.26.60"],
    [["bedrock_server.sh", "bedrock_server_how_to.html"], undefined],
  ])("of %j is %s", (names, program) => {
    expect(programIn(names)).toBe(program);
  });

  it("has to exist and be for this system", () => {
    expect(() => findServer(newFolder("empty "))).toThrow("is not the folder of a Bedrock Dedicated Server");
    const other = serverWith({});
    const wrong = process.platform === "win32" ? "bedrock_server" : "bedrock_server.exe";
    const root = newFolder("other ");
    for (const [name, text] of [
      [wrong, ""],
      ["server.properties", readFileSync(join(other, "server.properties"), "utf8")],
    ] as const)
      writeFileSync(join(root, name), text);
    expect(() => findServer(root)).toThrow(
      /contains the game server for (Windows|Linux): download the one for this system/,
    );
  });
});

it("refuses to run beside a running game server, which it names", async () => {
  const socket = createSocket("udp4").bind(0);
  await once(socket, "listening");
  const { port } = socket.address();
  await expect(refuseBesideServer(port)).rejects.toThrow(
    new RegExp(`^UDP port ${port} is in use by .*: stop it and run this again$`),
  );
  socket.close();
  await once(socket, "close");
  await refuseBesideServer(port);
});
