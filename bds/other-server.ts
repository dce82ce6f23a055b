import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, openArea } from "./area.ts";
import { isFault } from "./fault.ts";
import { type Files, readText, type ServerFolder, scriptFolder } from "./folder.ts";
import { isObject, parseJson } from "./json-text.ts";
import { readValues } from "./script-config.ts";
import { inStorage } from "./sidecar-area.ts";

/** Beside the sidecar's token: the server that was set up for it last. */
const FILE = "server.json";

/** A sidecar as its files have it. */
interface Sidecar {
  configFile: string;
  /** folder of its data */
  storage: string;
  token: string | undefined;
}

/**
 * The other server that was set up last for a sidecar, if it has the sidecar's token still: one sidecar is for one world.
 * @param root folder of the server that is looked at
 * @param module uuid of the pack's script module
 */
export function otherServer(
  root: string,
  { configFile, storage, token }: Sidecar,
  module: string,
  files: Files,
): { root: string; world: string } | undefined {
  try {
    const kept = parseJson(
      inStorage(configFile, storage, folder => readFileSync(join(folder, FILE), "utf8")),
    );
    if (isFault(kept) || !isObject(kept.value)) return undefined;
    const { server, world } = kept.value;
    if (typeof server !== "string" || typeof world !== "string" || server === root) return undefined;
    return token !== undefined && tokenOf(server, module, files) === token
      ? { root: server, world }
      : undefined;
  } catch {
    // Nothing is noted, or the other server cannot be looked at.
    return undefined;
  }
}

/** Notes the server that a sidecar was set up for. It is of no harm where that cannot be. */
export function noteServer(
  { root, levelName }: Pick<ServerFolder, "root" | "levelName">,
  { configFile, storage }: Sidecar,
): void {
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
function tokenOf(root: string, module: string, files: Files): unknown {
  const area = openArea(root);
  const secrets = readText(join(scriptFolder(area.root, module), "secrets.json"), filesIn(area, files));
  const read = secrets === undefined || isFault(secrets) ? undefined : readValues(secrets.text);
  return read === undefined || isFault(read) ? undefined : read.values["bridge-token"];
}
