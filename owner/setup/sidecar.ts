import { dirname, join, resolve } from "node:path";
import { withoutSlashes } from "../../behavior_pack/address.ts";
import { type RunBy, readRunBy } from "../../cli/run-by.ts";
import { isListWritten } from "../../sidecar/config/admin-keys.ts";
import { isBridgeToken } from "../../sidecar/config/net-kinds.ts";
import { type Environment, RUN_BY, readConfig } from "../../sidecar/config/read.ts";
import { RUN_BY_FILE } from "../../sidecar/config/run-by.ts";
import type { Config } from "../../sidecar/config/settings.ts";
import { bridgeToken } from "../../sidecar/config/token.ts";
import { urlOf as addressOf, unfitFor } from "../bds/address.ts";
import { inStorage, TOKEN_FILE } from "../bds/sidecar-area.ts";
import { ownAddresses, systemFiles } from "../bds/system.ts";
import { Refusal } from "./change.ts";
import { systemDisk } from "./disk.ts";
import { isAddress } from "./journal-file.ts";
import type { LinkForm } from "./link-form.ts";
import { type NewConfig, newConfig } from "./ports.ts";
import { makeConfig, readYaml, sidecarDisk } from "./sidecar-files.ts";

/** What the pack has to know of the sidecar. */
export interface SidecarSide {
  /** absolute path of its configuration */
  configFile: string;
  /** what that file, which is missing, will be made with; undefined: it is there */
  made: NewConfig | undefined;
  /** where it listens, by the key of the port */
  listeners: Record<"modules.api.port" | "bridge.port", { host: string; port: number }>;
  /** address of its bridge listener, as the game server reaches it, without slash at its end */
  url: string;
  /** how it asks players */
  linkForm: LinkForm;
  /** whether names can be added to the allowlist over the web */
  isListWritten: boolean;
  /** what runs it; undefined: somebody starts it by hand */
  runBy: RunBy | undefined;
  /** undefined: it will be made with the first change */
  token: string | undefined;
  /** folder of its data */
  storage: string;
}

interface Asked {
  configFile: string;
  /** what it is made with where it is missing; undefined: with defaults */
  made?: NewConfig | undefined;
  /** whether that address was named now, and is to be judged */
  isNamed?: boolean;
  /** undefined: the address in its configuration */
  bridgeUrl: string | undefined;
  env: Environment;
}

/** What `--bridge-url` takes to go back to the address in the sidecar's configuration. */
export const OWN_ADDRESS = "default";

/**
 * The address that `--bridge-url` has named, now or before; undefined: that of the sidecar's configuration. Throws
 * `Refusal` when it is none.
 * @param written what stands behind the switch now
 * @param noted what an earlier run was told
 */
export function namedUrl(written: string | undefined, noted: string | undefined): string | undefined {
  if (written === undefined) return noted;
  const url = withoutSlashes(written);
  if (url === OWN_ADDRESS) return undefined;
  // What may be a password is not shown.
  if (url.includes("@"))
    throw new Refusal(
      `--bridge-url: has a name or a password in it: expected an address without them, such as http://127.0.0.1:8081`,
    );
  if (!isAddress(url))
    throw new Refusal(
      `--bridge-url: ${written}: expected an address such as http://127.0.0.1:8081, or ${OWN_ADDRESS} for the one in the sidecar's configuration`,
    );
  return url;
}

/**
 * Reads the sidecar's settings as it does itself.
 * @param make makes configuration and token where they are missing; otherwise nothing is written
 */
export function readSidecar(
  { configFile, bridgeUrl, isNamed, env, made = newConfig() }: Asked,
  make: boolean,
): SidecarSide {
  const path = resolve(configFile);
  const disk = sidecarDisk(path, systemDisk);
  if (make && readYaml(path, disk) === undefined) makeConfig(path, made.text, disk);
  const yaml = readYaml(path, disk);
  const isMissing = yaml === undefined;
  const result = readConfig(yaml ?? made.text, env, dirname(path));
  if ("faults" in result)
    throw new Refusal(...result.faults.map(fault => (isMissing ? fault : `${path}: ${fault}`)));
  const { config } = result;
  const unfit = isNamed && bridgeUrl !== undefined ? unfitFor(bridgeUrl, config, ownAddresses()) : undefined;
  if (unfit !== undefined)
    throw new Refusal(
      `--bridge-url: ${bridgeUrl}: ${unfit}: expected ${urlOf(config, path)}, or the address of the machine where the sidecar runs`,
    );
  const url = bridgeUrl ?? urlOf(config, path);
  const { linkForm } = config.modules.api;
  const present = presentToken(config, path);
  const runBy = runByOf(config, path, env);
  const token = make ? madeToken(config, path) : present;
  const storage = config.storage.folder;
  const isWritten = isListWritten(config.modules.api);
  const listeners = { "modules.api.port": config.modules.api, "bridge.port": config.bridge };
  const read = {
    configFile: path,
    made: isMissing ? made : undefined,
    url,
    linkForm,
    isListWritten: isWritten,
    runBy,
    token,
    storage,
  };
  return { ...read, listeners };
}

function urlOf({ bridge }: Config, path: string): string {
  if (bridge.port === 0)
    throw new Refusal(
      `${path}: bridge.port: 0: expected a fixed port such as 8081, or the server cannot find the sidecar`,
    );
  return addressOf(bridge);
}

/** What runs the sidecar; undefined: somebody starts it by hand. */
export const runByOf = (config: Pick<Config, "storage">, path: string, env: Environment): RunBy | undefined =>
  readRunBy(env[RUN_BY] ?? storedText(config, path, RUN_BY_FILE));

/** Making it again where it is there looks after its permissions. */
function madeToken(config: Config, path: string): string {
  const ignore = (): void => {};
  const { storage } = config;
  const result = inStorage(path, storage.folder, folder =>
    bridgeToken({ ...config, storage: { ...storage, folder } }, { info: ignore, warn: ignore }),
  );
  if ("fault" in result) throw new Refusal(result.fault);
  return result.token;
}

/** The text of a file in the storage folder; undefined when there is none. */
function storedText({ storage }: Pick<Config, "storage">, path: string, name: string): string | undefined {
  const bytes = inStorage(path, storage.folder, folder => systemFiles.read(join(folder, name)));
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}

function presentToken({ bridge, storage }: Config, path: string): string | undefined {
  if (bridge.token !== "") return bridge.token;
  const token = storedText({ storage }, path, TOKEN_FILE)?.trim();
  if (token !== undefined && !isBridgeToken(token))
    throw new Refusal(
      `${join(storage.folder, TOKEN_FILE)}: what is in it cannot be a token: delete it to have one made`,
    );
  return token;
}
