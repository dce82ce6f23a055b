import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Float32, Int8, Int16, Int32, NBTData, write } from "nbtify";

/** Ids of other packs in the folder. */
export const FOREIGN_PACKS = {
  behavior: "5f51ee6a-6f0a-4b2e-9d8b-9a4f6f2d3c11",
  resource: "7e0f3a52-2f3d-4a0c-8a8e-1d5f0f7b6c22",
};

const OWN_HEADER = "0612fdb1-6896-42b9-b127-8e35632f6398";
const OWN_MODULE = "d09dd5f3-f8bd-4efc-8114-e391c22053b3";

/** Games whose folders can be made. */
const GAMES = ["1.26.51", "1.26.60"];

/**
 * @typedef {object} ServerOptions
 * @property {string} [game] one of `GAMES`: the game that last opened the world and brought server.properties
 * @property {string} [levelName] name of the world and of its folder
 * @property {boolean} [world] false: the server was never started
 * @property {string} [oldPack] subfolder of the server in which version 0.0.9 of the pack is
 * @property {"none" | "off" | "on"} [experiments] the Beta APIs in level.dat
 */

/**
 * Creates a folder like that of a Bedrock Dedicated Server after its first start, without the server itself: with other packs,
 * lists and settings, comments, and line endings of both kinds.
 * @param {string} folder created if it is missing
 * @param {ServerOptions} [options]
 */
export async function makeServer(folder, options = {}) {
  const { levelName = "Ülis schöne Welt 世界", world = true, oldPack, experiments = "off" } = options;
  const { game } = options;
  /**
   * @param {string} path
   * @param {string | Uint8Array} content
   * @param {number} [mode]
   */
  const put = (path, content, mode = 0o644) => {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content, { mode });
  };
  put("bedrock_server", "#!/bin/sh\necho 'this is no real server'\nexit 1\n", 0o755);
  put("bedrock_server_how_to.html", "<html></html>\n");
  put("server.properties", game === undefined ? properties(levelName) : shipped(levelName, game), 0o640);
  put("allowlist.json", '[{"ignoresPlayerLimit":false,"name":"Steve Alex","xuid":"2535400000000000"}]\n');
  put("permissions.json", "[]\n");
  put("config/default/permissions.json", text(DEFAULT_PERMISSIONS));
  put(
    `behavior_packs/vanilla_${game ?? "1.26.40"}/manifest.json`,
    text(manifest("Vanilla", "fe9f8597-5454-481a-8730-8d070a8e2e58")),
  );
  put(
    "resource_packs/vanilla/manifest.json",
    text(manifest("Vanilla", "0575c61f-a5da-4b7f-9961-ffda2908861e")),
  );
  put("behavior_packs/other pack/manifest.json", text(manifest("Other", FOREIGN_PACKS.behavior)));
  put("behavior_packs/broken/manifest.json", "{ not JSON");
  put("resource_packs/other/manifest.json", text(manifest("Other textures", FOREIGN_PACKS.resource)));
  if (oldPack !== undefined) {
    put(join(oldPack, "manifest.json"), text(ownManifest([0, 0, 9])));
    put(join(oldPack, "scripts/main.js"), "// an older version\n");
    put(join(oldPack, "scripts/gone.js"), "// not in the new version\n");
  }
  if (!world) return;
  const place = join("worlds", levelName);
  put(join(place, "level.dat"), await levelDat(experiments, game === undefined ? {} : openedWith(game)));
  put(join(place, "levelname.txt"), levelName);
  put(join(place, "db/LOCK"), "");
  put(join(place, "db/CURRENT"), "MANIFEST-000001\n");
  const own = oldPack === undefined ? "" : `\t{ "pack_id": "${OWN_HEADER}", "version": [0, 0, 9] },\r\n`;
  put(
    join(place, "world_behavior_packs.json"),
    `[\r\n\t// the pack of somebody else\r\n${own}\t{ "pack_id" : "${FOREIGN_PACKS.behavior}", "version" : [ 1, 2, 3 ] }\r\n]`,
  );
  put(
    join(place, "world_resource_packs.json"),
    `[{"pack_id":"${FOREIGN_PACKS.resource}","subpack":"high","version":[1,2,3]}]\n`,
  );
}

const DEFAULT_PERMISSIONS = {
  allowed_modules: ["@minecraft/server-gametest", "@minecraft/server", "@minecraft/server-ui"],
};

/** @param {unknown} value */
const text = value => `${JSON.stringify(value, undefined, 4)}\n`;

/**
 * @param {string} name
 * @param {string} uuid
 */
const manifest = (name, uuid) => ({
  format_version: 2,
  header: { name, description: "", uuid, version: [1, 2, 3], min_engine_version: [1, 26, 0] },
  modules: [{ type: "data", uuid: uuid.replace(/^./, "a"), version: [1, 2, 3] }],
});

/** @param {number[]} version */
const ownManifest = version => ({
  format_version: 2,
  header: { name: "Web Bridge", description: "", uuid: OWN_HEADER.toUpperCase(), version },
  modules: [{ type: "script", language: "javascript", uuid: OWN_MODULE, version, entry: "scripts/main.js" }],
});

/** @param {string} levelName */
const properties = levelName =>
  [
    "server-name=Dedicated Server\r\n",
    "# Used as the server name\r\n",
    "# Allowed values: Any string without semicolon symbol.\r\n",
    "\r\n",
    "gamemode = survival\n",
    "difficulty=easy\n",
    "allow-cheats=false\r\n",
    `level-name=${levelName}\r\n`,
    "level-seed=\r\n",
    "content-log-console-output-enabled=false\r\n",
    "# texturepack-required=true\n",
    "online-mode=true",
  ].join("");

/**
 * As it comes with a game: players connect over NetherNet, since 1.26.60 over one UDP port for all. Which number that port has
 * in that file is not known.
 * @param {string} levelName
 * @param {string} game
 */
const shipped = (levelName, game) =>
  [
    "server-name=Dedicated Server",
    "# Used as the server name",
    "# Allowed values: Any string without semicolon symbol.",
    "",
    "gamemode=survival",
    "difficulty=easy",
    "allow-cheats=false",
    "max-players=10",
    "online-mode=true",
    "allow-list=true",
    "",
    "# How players reach the server",
    "transport=nethernet",
    "server-port=19132",
    "server-portv6=19133",
    ...(game === "1.26.60" ? ["server-udp-ports=19134"] : []),
    "enable-lan-visibility=true",
    "",
    `level-name=${levelName}`,
    "level-seed=",
    "default-player-permission-level=member",
    "texturepack-required=false",
    "content-log-file-enabled=false",
    "chat-restriction=None",
    "",
  ].join("\n");

/** The tag of a level.dat for the game that last opened the world. @param {string} game */
export const openedWith = game => ({
  lastOpenedWithVersion: [...game.split("."), "6", "0"].slice(0, 5).map(part => new Int32(Number(part))),
});

/**
 * A level.dat with tags of every type, including numbers that do not fit into a double.
 * @param {"none" | "off" | "on"} [experiments] whether the compound exists, and the switches of the Beta APIs
 * @param {Record<string, import("nbtify").Tag>} [more] further tags
 * @returns {Promise<Uint8Array>}
 */
export async function levelDat(experiments = "off", more = {}) {
  const on = new Int8(experiments === "on" ? 1 : 0);
  const switches = { gametest: on, experiments_ever_used: on, saved_with_toggled_experiments: on };
  /** @type {import("nbtify").RootTag} */
  const root = {
    abilities: { attackmobs: new Int8(1), flySpeed: new Float32(0.05), permissionsLevel: new Int32(0) },
    BiomeOverride: "",
    CenterMapsToOrigin: new Int8(0),
    currentTick: 9007199254740993n,
    RandomSeed: -9223372036854775808n,
    LastPlayed: 9223372036854775807n,
    ...(experiments === "none"
      ? {}
      : { experiments: { data_driven_vanilla_blocks_and_items: on, ...switches } }),
    GameType: new Int32(0),
    LevelName: "Ülis §aWelt 世界",
    lastOpenedWithVersion: [new Int32(1), new Int32(26), new Int32(60), new Int32(6), new Int32(0)],
    rainLevel: new Float32(0),
    someDouble: 0.1,
    someShort: new Int16(-12345),
    someBytes: Int8Array.from([1, -2, 3]),
    someInts: Int32Array.from([1, -2147483648, 3]),
    someLongs: BigInt64Array.from([1n, -9223372036854775808n]),
    emptyList: [],
    lists: [[new Int32(1)], [new Int32(2), new Int32(3)]],
    compounds: [{ a: new Int8(1) }, { b: "text", c: { d: 5n } }],
    world_policies: {},
    StorageVersion: new Int32(10),
    ...more,
  };
  return write(new NBTData(root, { rootName: "", endian: "little", compression: null, bedrockLevel: true }));
}

const USAGE = `usage: npm run make-server -- <folder> [--game <version>]

Creates a sample folder of a Bedrock Dedicated Server after its first start, to try setup and doctor on. It contains no game.
The folder must be new or empty.

  --game <version>  with server.properties as in that game, ${GAMES.join(" or ")}, instead of an edited one`;

/** Creates a server in a new folder, as the command line says. */
async function main() {
  const { values, positionals } = parseArgs({
    options: { game: { type: "string" } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1 || !GAMES.includes(values.game ?? "1.26.60"))
    throw new Error(USAGE);
  // It may be a real server.
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder}: is not empty: expected a new folder`);
  await makeServer(folder, values);
  console.log(`created a server folder: ${folder}`);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  await main().catch(error => {
    console.error(error.code?.startsWith("ERR_PARSE_ARGS") ? USAGE : error.message);
    process.exitCode = 1;
  });
