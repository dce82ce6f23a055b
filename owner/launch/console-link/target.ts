import { join } from "node:path";
import { urlOf } from "../../../bds/address.ts";
import { setupNotes } from "../../../bds/setup-journal.ts";
import { systemFiles } from "../../../bds/system.ts";
import type { Result } from "../../../shared/result.ts";
import type { Environment } from "../../../sidecar/config/environment.ts";
import { readConfigFile } from "../../../sidecar/config/load.ts";
import { existingToken, tokenFile } from "../../../sidecar/config/token.ts";
import { levelNameIn } from "../find-game.ts";

/** The bridge listener of the sidecar, and the settings that the pack gets. */
export interface BridgeTarget {
  /** without slash at its end */
  url: string;
  token: string;
  /** name of the world that the game opens */
  world: string;
}

interface TargetOptions {
  /** folder of the game server */
  folder: string;
  /** the sidecar's configuration */
  config: string;
  /** name of the game server in it; undefined: the first one */
  as: string | undefined;
  env: Environment;
}

/** Reads address and token as they are now, from the configuration of the sidecar. Nothing is created. The fault is one line. */
export function readTarget({ folder, config: file, as, env }: TargetOptions): Result<BridgeTarget> {
  const read = readConfigFile(file, env);
  if ("faults" in read) return { fault: read.faults[0] ?? file };
  const { config, path } = read;
  const name = as === config.server.name ? undefined : as;
  const entry = config.servers.find(each => each.name === name);
  if (name !== undefined && entry === undefined) {
    const names = [config.server.name, ...config.servers.map(each => each.name)].join(", ");
    return {
      fault: `--as: ${name}: ${path} has no game server of that name: use one of these: ${names}, or run setup with --as ${name}`,
    };
  }
  const notes = setupNotes(folder, systemFiles);
  const own = config.servers.find(each => each.name === notes.as);
  // Two game servers with one name would disconnect each other.
  if (Object.keys(notes).length > 0 && own !== entry)
    return {
      fault: `setup has connected ${folder} as ${own?.name ?? config.server.name}: start it ${own === undefined ? "without --as" : `with --as ${own.name}`}`,
    };
  const token = existingToken(config, entry);
  if (token === undefined)
    return { fault: `${join(config.storage.folder, tokenFile(name))}: contains no valid token yet` };
  const { bridgeUrl } = notes;
  return {
    value: {
      url: typeof bridgeUrl === "string" ? bridgeUrl : urlOf(config.bridge),
      token,
      world: levelNameIn(folder, systemFiles),
    },
  };
}
