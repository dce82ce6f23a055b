import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, openArea } from "../bds/area.ts";
import { isFault } from "../bds/fault.ts";
import { readText, type ServerFolder, scriptFolder } from "../bds/folder.ts";
import { readValues } from "../bds/script-config.ts";
import { inStorage } from "../bds/sidecar-area.ts";
import { systemFiles } from "../bds/system.ts";
import { checkJson, object, text } from "../shared/guard.ts";
import type { SourcePack } from "./packs.ts";
import type { SidecarSide } from "./sidecar.ts";

/** Beside the sidecar's token: the server that was set up for it last. */
const FILE = "server.json";
const PATH_LENGTH = 4096;
const noted = object({ server: text(PATH_LENGTH, 1), world: text(PATH_LENGTH) });

type Server = Pick<ServerFolder, "root" | "levelName">;

/** Warns where another server has this sidecar's token still: one sidecar is for one world. */
export function otherServer(server: Server, sidecar: SidecarSide, packs: readonly SourcePack[]): string[] {
  const { token, storage, configFile } = sidecar;
  const modules = packs.flatMap(({ manifest }) => manifest.modules);
  const module = modules.find(({ type }) => type === "script")?.uuid;
  if (token === undefined || module === undefined) return [];
  try {
    const kept = inStorage(configFile, storage, folder => readFileSync(join(folder, FILE), "utf8"));
    const last = checkJson(noted, kept);
    if ("fault" in last || last.value.server === server.root) return [];
    const { server: other, world } = last.value;
    if (tokenOf(other, module) !== token) return [];
    return [
      `${configFile} is the sidecar of another server, ${other}, with the world ${world}: each world needs a sidecar of its own: name another configuration with --config, or take the pack out of that server with --undo`,
    ];
  } catch {
    // Nothing is noted, or the other server cannot be looked at.
    return [];
  }
}

/** Notes the server that a sidecar was set up for. It is of no harm where that cannot be. */
export function noteServer({ root, levelName }: Server, { configFile, storage }: SidecarSide): void {
  const note = { server: root, world: levelName };
  try {
    inStorage(configFile, storage, folder =>
      writeFileSync(join(folder, FILE), `${JSON.stringify(note)}\n`, { mode: 0o600 }),
    );
  } catch {
    // The sidecar tells at run time, too, when two servers want it.
  }
}

/** The token that the pack of a server has. */
function tokenOf(root: string, module: string): unknown {
  const area = openArea(root);
  const secrets = readText(join(scriptFolder(area.root, module), "secrets.json"), filesIn(area, systemFiles));
  const read = secrets === undefined || isFault(secrets) ? undefined : readValues(secrets.text);
  return read === undefined || isFault(read) ? undefined : read.values["bridge-token"];
}
