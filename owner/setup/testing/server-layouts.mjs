import {
  chmodSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { levelDat, makeServer, openedWith } from "../../../scripts/make-server.mjs";

/** Ids of three packs of other authors, each in another folder. */
const THREE = [
  "11ee6a5f-0001-4b2e-9d8b-9a4f6f2d3c11",
  "22ee6a5f-0002-4b2e-9d8b-9a4f6f2d3c22",
  "33ee6a5f-0003-4b2e-9d8b-9a4f6f2d3c33",
];

/**
 * @typedef {object} Layout
 * @property {string} levelName name of the world
 * @property {(folder: string, world: string) => void | Promise<void>} adjust makes it of what `makeServer` has made
 */

/** Server folders of owners, with their files, line ends, modes and owners. @type {Record<string, Layout>} */
const LAYOUTS = {
  "the zip of Mojang on Linux, after its first start": {
    levelName: "Bedrock level",
    adjust: (folder, world) => afterFirstStart(folder, world, openedWith("1.26.51")),
  },
  "the zip of Mojang on Windows, after its first start": {
    levelName: "Bedrock level",
    adjust: async (folder, world) => {
      await afterFirstStart(folder, world);
      renameSync(join(folder, "bedrock_server"), join(folder, "bedrock_server.exe"));
      rewrite(folder, text => text.replace(/\r?\n/g, "\r\n"));
    },
  },
  "the volume of the image of the community": {
    levelName: "Bedrock level",
    adjust: async (folder, world) => {
      await afterFirstStart(folder, world);
      renameSync(join(folder, "bedrock_server"), join(folder, "bedrock_server-1.26.60.6"));
      put(join(folder, "backup-pre-1.26.60.6/behavior_packs/other/manifest.json"), "{}\n");
      rewrite(folder, text => text.replace(/\r\n/g, "\n"));
      if (process.getuid?.() === 0) for (const path of within(folder)) lchownSync(path, 1000, 1000);
    },
  },
  "the folder of a hosting panel, for one user alone": {
    levelName: "world 1",
    adjust: (folder, world) => {
      put(join(folder, "start.sh"), "#!/bin/sh\n./bedrock_server\n");
      rmSync(join(folder, "config"), { recursive: true });
      rmSync(join(world, "world_resource_packs.json"));
      writeFileSync(join(world, "world_behavior_packs.json"), "[]");
      for (const path of within(folder)) chmodSync(path, statSync(path).isDirectory() ? 0o2750 : 0o600);
      chmodSync(join(folder, "server.properties"), 0o664);
      if (process.getuid?.() === 0) for (const path of within(folder)) lchownSync(path, 988, 989);
    },
  },
  "files with Windows line ends and a byte order mark": {
    levelName: "Bedrock level",
    adjust: (folder, world) => {
      put(join(folder, "config/d09dd5f3-f8bd-4efc-8114-e391c22053b3/permissions.json"), OWN_PERMISSIONS);
      put(join(folder, "config/d09dd5f3-f8bd-4efc-8114-e391c22053b3/variables.json"), '{\n\t"mine": "ü"\n}');
      withThreePacks(folder, world);
      rewrite(folder, text => `\uFEFF${text.replace(/^\uFEFF/, "").replace(/\r?\n/g, "\r\n")}`);
    },
  },
  "a world with a name of many scripts": {
    levelName: "Ülis e\u0301cole – 世界 🌍 'n' $(x) & Кот",
    adjust: withThreePacks,
  },
};

export const LAYOUT_NAMES = Object.keys(LAYOUTS);

const OWN_PERMISSIONS = `{
    // permissions of another script
    "allowed_modules": [
        "@minecraft/server", // always
        "@minecraft/server-gametest"
    ],
    "module_permissions": { "@minecraft/server-net": { "allowed_uris": ["https://example.com/"] } }
}
`;

/**
 * Makes a server's folder of one of the layouts.
 * @param {string} folder made when it is missing
 * @param {string} name one of `LAYOUT_NAMES`
 * @returns {Promise<string>} name of its world
 */
export async function makeLayout(folder, name) {
  const layout = LAYOUTS[name];
  if (layout === undefined) throw new Error(`${name}: expected one of ${LAYOUT_NAMES.join("; ")}`);
  const { levelName, adjust } = layout;
  await makeServer(folder, { levelName });
  const world = join(folder, "worlds", levelName);
  writeFileSync(join(world, "db/000003.log"), Buffer.alloc(70_000, 3));
  await adjust(folder, world);
  return levelName;
}

/**
 * No list of packs, no experiment, and what the server writes beside them.
 * @param {string} folder
 * @param {string} world
 * @param {Parameters<typeof levelDat>[1]} [opened] tag that says which game has opened the world
 */
async function afterFirstStart(folder, world, opened) {
  for (const name of ["behavior_packs/other pack", "behavior_packs/broken", "resource_packs/other"])
    rmSync(join(folder, name), { recursive: true });
  for (const name of ["development_behavior_packs", "development_resource_packs", "system_behavior_packs"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const kind of ["behavior", "resource"]) rmSync(join(world, `world_${kind}_packs.json`));
  put(
    join(folder, "valid_known_packs.json"),
    '[{"file_system":"RawPath","path":"behavior_packs/vanilla_1.26.40"}]\n',
  );
  put(join(folder, "allowlist.json"), "[]\n");
  for (const name of ["level.dat", "level.dat_old"])
    writeFileSync(join(world, name), await levelDat("none", opened));
}

/** @param {string} folder @param {string} world */
function withThreePacks(folder, world) {
  const places = [
    join(folder, "behavior_packs/one"),
    join(folder, "development_behavior_packs/two"),
    join(world, "behavior_packs/three"),
  ];
  for (const [at, place] of places.entries())
    put(
      join(place, "manifest.json"),
      JSON.stringify({
        format_version: 2,
        header: { name: `Pack ${at}`, description: "", uuid: THREE[at], version: [1, 0, at] },
        modules: [{ type: "data", uuid: THREE[at]?.replace(/^./, "a"), version: [1, 0, at] }],
      }),
    );
  const entries = THREE.map((id, at) => `  { "pack_id": "${id}", "version": [1, 0, ${at}] }`);
  put(join(world, "world_behavior_packs.json"), `[ // mine\n${entries.join(",\n")},\n]\n`);
}

/** @param {string} path @param {string} text */
function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Everything in a folder, contents first, then the folder. @param {string} folder @returns {string[]} */
const within = folder =>
  [
    ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map(name => join(folder, name)),
    folder,
  ].reverse();

/** Gives the settings of a server other texts. @param {string} folder @param {(text: string) => string} change */
function rewrite(folder, change) {
  for (const path of within(folder))
    if (/\.(json|properties)$/.test(path)) writeFileSync(path, change(readFileSync(path, "utf8")));
}
