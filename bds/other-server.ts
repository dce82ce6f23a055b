import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn, openArea } from "./area.ts";
import { isFault } from "./fault.ts";
import { type Files, readText, type ServerFolder, scriptFolder } from "./folder.ts";
import { isObject, parseJson } from "./json-text.ts";
import { readValues } from "./script-config.ts";
import { inStorage } from "./sidecar-area.ts";

/** Beside the sidecar's token: the servers that were set up for it, the last one first. */
const FILE = "server.json";
const MAX_SERVERS = 16;

/** A sidecar as its files have it. */
interface Sidecar {
  configFile: string;
  /** folder of its data */
  storage: string;
  token: string | undefined;
}

interface Noted {
  server: string;
  world: string;
}

/**
 * The other servers that were set up for a sidecar and have its token still: one sidecar is for one world.
 * @param root folder of the server that is looked at
 * @param module uuid of the pack's script module
 */
export function otherServers(
  root: string,
  sidecar: Sidecar,
  module: string,
  files: Files,
): { root: string; world: string }[] {
  const { token } = sidecar;
  if (token === undefined) return [];
  return noted(sidecar)
    .filter(({ server }) => server !== root && tokenOf(server, module, files) === token)
    .map(({ server, world }) => ({ root: server, world }));
}

/** Notes the server that a sidecar was set up for. It is of no harm where that cannot be. */
export function noteServer(
  { root, levelName }: Pick<ServerFolder, "root" | "levelName">,
  sidecar: Sidecar,
): void {
  const before = noted(sidecar);
  const own = { server: root, world: levelName };
  if (before[0]?.server === root && before[0].world === levelName) return;
  const servers = [own, ...before.filter(({ server }) => server !== root)].slice(0, MAX_SERVERS);
  try {
    inStorage(sidecar.configFile, sidecar.storage, folder =>
      writeFileSync(join(folder, FILE), `${JSON.stringify({ servers })}\n`, { mode: 0o600 }),
    );
  } catch {
    // The sidecar tells at run time, too, when two servers want it.
  }
}

/** The servers that are noted for a sidecar; an earlier version has noted one. */
function noted({ configFile, storage }: Sidecar): Noted[] {
  try {
    const kept = parseJson(
      inStorage(configFile, storage, folder => readFileSync(join(folder, FILE), "utf8")),
    );
    if (isFault(kept) || !isObject(kept.value)) return [];
    const { servers = [kept.value] } = kept.value;
    if (!Array.isArray(servers)) return [];
    return servers.slice(0, MAX_SERVERS).flatMap((each: unknown) => {
      if (!isObject(each)) return [];
      const { server, world } = each;
      return typeof server === "string" && typeof world === "string" ? [{ server, world }] : [];
    });
  } catch {
    // Nothing is noted.
    return [];
  }
}

/** The token that the pack of a server has; undefined: it has none, or cannot be looked at. */
function tokenOf(root: string, module: string, files: Files): unknown {
  try {
    const area = openArea(root);
    const secrets = readText(join(scriptFolder(area.root, module), "secrets.json"), filesIn(area, files));
    const read = secrets === undefined || isFault(secrets) ? undefined : readValues(secrets.text);
    return read === undefined || isFault(read) ? undefined : read.values["bridge-token"];
  } catch {
    return undefined;
  }
}
