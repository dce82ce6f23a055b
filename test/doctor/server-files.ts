import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { byteTag, compoundTag } from "../../bds/nbt.ts";

/** Files of a server that has been started once, without any pack of ours. */
export interface MadeServer {
  root: string;
  world: string;
}

export const LEVEL = "Bedrock level";

/** server.properties as a server writes it, with comments between the keys. */
const PROPERTIES = [
  "server-name=Dedicated Server",
  "# Used as the server name",
  "gamemode=survival",
  "difficulty=easy",
  "allow-cheats=false",
  "max-players=10",
  "online-mode=true",
  "allow-list=true",
  "server-port=19132",
  "server-portv6=19133",
  `level-name=${LEVEL}`,
  "texturepack-required=false",
  "content-log-file-enabled=false",
  "chat-restriction=None",
  "script-watchdog-enable=true",
  "script-watchdog-hang-threshold=10000",
  "script-watchdog-memory-limit=250",
];

/** Makes the folder of a server in the folder for temporary files. */
export function makeServer(): MadeServer {
  const root = mkdtempSync(join(tmpdir(), "bds é "));
  const world = join(root, "worlds", LEVEL);
  for (const folder of ["behavior_packs", "resource_packs", "config/default"])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(world, "db"), { recursive: true });
  writeFileSync(join(root, "bedrock_server"), "");
  writeFileSync(join(root, "server.properties"), `${PROPERTIES.join("\n")}\n`);
  writeFileSync(join(root, "allowlist.json"), JSON.stringify([{ ignoresPlayerLimit: false, name: "Steve" }]));
  writeFileSync(
    join(root, "config/default/permissions.json"),
    JSON.stringify({ allowed_modules: ["@minecraft/server", "@minecraft/server-ui"] }),
  );
  writeFileSync(join(world, "levelname.txt"), LEVEL);
  writeFileSync(join(world, "level.dat"), levelDat());
  return { root, world };
}

/** A level.dat with an experiment that servers turn on by themselves. */
export function levelDat(): Uint8Array {
  const inside = [
    ...stringTag("LevelName", LEVEL),
    ...compoundTag("experiments", byteTag("data_driven_vanilla_blocks_and_items")),
  ];
  const body = compoundTag("", inside);
  const bytes = new Uint8Array(8 + body.length);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 10, true);
  view.setUint32(4, body.length, true);
  bytes.set(body, 8);
  return bytes;
}

function stringTag(name: string, value: string): number[] {
  const text = (of: string): number[] => [of.length & 0xff, of.length >> 8, ...Buffer.from(of, "latin1")];
  return [8, ...text(name), ...text(value)];
}
