import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { dirname, join, resolve } from "node:path";
import { loadConfig } from "../sidecar/config/load.ts";
import { isBridgeToken } from "../sidecar/config/net-kinds.ts";
import { type Environment, readConfig } from "../sidecar/config/read.ts";
import type { Config } from "../sidecar/config/settings.ts";
import { bridgeToken } from "../sidecar/config/token.ts";
import { missingFolders } from "./apply.ts";
import { Refusal } from "./change.ts";
import { giveToOwner, systemDisk } from "./disk.ts";

/** What the pack has to know of the sidecar. */
export interface SidecarSide {
  /** absolute path of its configuration */
  configFile: string;
  /** whether that file is missing; it will be made with the first change */
  isMissing: boolean;
  /** address of its bridge listener, as the game server reaches it, without slash at its end */
  url: string;
  /** undefined: it will be made with the first change */
  token: string | undefined;
}

interface Asked {
  configFile: string;
  bridgeUrl: string | undefined;
  env: Environment;
}

/**
 * Reads the sidecar's settings as it does itself.
 * @param make makes configuration and token where they are missing; otherwise nothing is written
 */
export function readSidecar({ configFile, bridgeUrl, env }: Asked, make: boolean): SidecarSide {
  const path = resolve(configFile);
  const isThere = make || existsSync(path);
  const result = isThere ? given([path], () => loadConfig(path, env)) : readConfig("", env, dirname(path));
  if ("faults" in result) throw new Refusal(...result.faults);
  const { config } = result;
  const url = bridgeUrl === undefined ? urlOf(config, path) : checkedUrl(bridgeUrl);
  const token = make ? madeToken(config) : presentToken(config);
  return { configFile: path, isMissing: !isThere, url, token };
}

/** Does something that may make files and folders: those belong to the owner of the folder they are in. */
function given<T>(paths: readonly string[], make: () => T): T {
  const missing = new Set(paths.flatMap(path => [...missingFolders(dirname(path), systemDisk), path]));
  const fresh = [...missing].filter(path => !existsSync(path));
  try {
    return make();
  } finally {
    for (const path of fresh) if (existsSync(path)) giveToOwner(path);
  }
}

const ANY_ADDRESS = ["0.0.0.0", "::", "[::]"];

function urlOf({ bridge: { host, port } }: Config, path: string): string {
  if (port === 0)
    throw new Refusal(
      `${path}: bridge.port: 0: expected a fixed port such as 8081, or the server cannot find the sidecar`,
    );
  const name = ANY_ADDRESS.includes(host) ? "127.0.0.1" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

function checkedUrl(written: string): string {
  const url = written.trim().replace(/\/+$/, "");
  if (!/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/i.test(url) || !URL.canParse(url))
    throw new Refusal(`--bridge-url: ${written}: expected an address such as http://127.0.0.1:8081`);
  return url;
}

function madeToken(config: Config): string {
  const ignore = (): void => {};
  const { folder } = config.storage;
  const result = given([folder, join(folder, "bridge-token")], () =>
    bridgeToken(config, { info: ignore, warn: ignore }),
  );
  if ("fault" in result) throw new Refusal(result.fault);
  return result.token;
}

function presentToken({ bridge, storage }: Config): string | undefined {
  if (bridge.token !== "") return bridge.token;
  const file = join(storage.folder, "bridge-token");
  const token = existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
  if (token !== undefined && !isBridgeToken(token))
    throw new Refusal(`${file}: what is in it cannot be a token: delete it to have one made`);
  return token;
}
