import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { urlOf as addressOf, bridgeUrlFault, isRemote } from "../../bds/address.ts";
import { firstServer } from "../../bds/registered-servers.ts";
import { ownAddresses, systemFiles } from "../../bds/system.ts";
import { giveToFolderOwner } from "../../bds/users.ts";
import { orElse } from "../../cli/errno.ts";
import { type RunBy, readRunBy } from "../../cli/run-by.ts";
import { RUN_BY } from "../../cli/variables.ts";
import { withoutSlashes } from "../../shared/address.ts";
import { isListWritten } from "../../sidecar/config/admin-keys.ts";
import { type Environment, variableFor } from "../../sidecar/config/environment.ts";
import { unexpected } from "../../sidecar/config/kind.ts";
import { isBridgeToken } from "../../sidecar/config/net-kinds.ts";
import { readConfig } from "../../sidecar/config/read.ts";
import { RUN_BY_FILE } from "../../sidecar/config/run-by.ts";
import { serverName } from "../../sidecar/config/servers.ts";
import { type Config, SETTINGS } from "../../sidecar/config/settings.ts";
import { bridgeToken, tokenFile } from "../../sidecar/config/token.ts";
import { missingFolders } from "./apply-changes.ts";
import { Refusal } from "./change.ts";
import { isOwners, KNOWN_SHOW, type LinkForm } from "./choices.ts";
import { systemDisk } from "./disk.ts";
import { type NewConfig, newConfig } from "./free-ports.ts";
import { isAddress } from "./journal.ts";
import { SERVERS } from "./server-entries.ts";
import { makeConfig, readYaml } from "./sidecar-files.ts";

/** The sidecar as setup needs it. */
export interface SetupSidecar {
  /** absolute path of its configuration */
  configFile: string;
  /** the text for its configuration if that is missing; undefined: it exists */
  made: NewConfig | undefined;
  /** by the key of the port */
  listeners: Record<"modules.api.port" | "bridge.port", { host: string; port: number }>;
  /** address of its bridge listener for the game server, without slash at its end */
  url: string;
  /** whether that is on another machine, or behind a proxy */
  isRemote: boolean;
  linkForm: LinkForm;
  /** whether its owner has chosen who can read the list of known players */
  isKnownShowChosen: boolean;
  /** whether the allowlist can be changed through the API */
  isListWritten: boolean;
  /** what runs it; undefined: it is started by hand */
  runBy: RunBy | undefined;
  /** its name for the game server that is set up */
  name: string;
  /** its name for the first game server */
  firstName: string;
  /** its name in `servers`; undefined: it is the first one */
  as: string | undefined;
  /** whether it has several game servers, this one included */
  isShared: boolean;
  /** whether a variable of the environment overrides `servers` */
  isListOverridden: boolean;
  /** of that game server; undefined: it is made with the first change */
  token: string | undefined;
  /** names of the game servers that have a token */
  names: ReadonlySet<string>;
  /** folder of its data */
  storage: string;
}

interface SidecarOptions {
  configFile: string;
  /** the text if it is missing; undefined: the defaults */
  made?: NewConfig | undefined;
  /** whether the address is from the command line, and has to be checked */
  isNamed?: boolean;
  /** undefined: the address in its configuration */
  bridgeUrl: string | undefined;
  /** name from `--as`, now or before; undefined: the first game server */
  as?: string | undefined;
  /** whether the name is from the command line, so that it may be added to `servers` */
  isAsNamed?: boolean;
  env: Environment;
}

/** The value of `--bridge-url` for the address in the sidecar's configuration. */
export const OWN_ADDRESS = "default";

/**
 * The address from `--bridge-url`, now or before; undefined: that of the sidecar's configuration. Throws `Refusal` for what is
 * none.
 */
export function namedUrl(written: string | undefined): string | undefined {
  const url = written && withoutSlashes(written);
  if (url === undefined || url === OWN_ADDRESS) return undefined;
  // Not shown, since it may contain a password.
  if (url.includes("@"))
    throw new Refusal(
      `--bridge-url: contains a user name or a password: expected an address without them, such as http://127.0.0.1:8081`,
    );
  if (!isAddress(url))
    throw new Refusal(
      `--bridge-url: ${written}: expected an address such as http://127.0.0.1:8081, or ${OWN_ADDRESS} for the one in the sidecar's configuration`,
    );
  return url;
}

/** The name from `--as`. Throws `Refusal` if it is not valid. */
export function namedAs(written: string | undefined): string | undefined {
  if (written === undefined || "value" in serverName.read(written, "")) return written;
  throw new Refusal(`--as: ${unexpected(serverName, written)}`);
}

/**
 * Reads the sidecar's settings as the sidecar does.
 * @param make makes a missing configuration and token; otherwise nothing is written
 */
export function readSidecar(
  { configFile, bridgeUrl, isNamed, as: wanted, isAsNamed, env, made = newConfig() }: SidecarOptions,
  make: boolean,
): SetupSidecar {
  const path = resolve(configFile);
  if (make && readYaml(path) === undefined) makeConfig(path, made.text);
  const yaml = readYaml(path);
  const isMissing = yaml === undefined;
  const result = readConfig(yaml ?? made.text, env, dirname(path));
  if ("faults" in result)
    throw new Refusal(...result.faults.map(fault => (isMissing ? fault : `${path}: ${fault}`)));
  const { config } = result;
  const { bridge, modules, server, servers, storage } = config;
  const fault =
    isNamed && bridgeUrl !== undefined ? bridgeUrlFault(bridgeUrl, config, ownAddresses()) : undefined;
  if (fault !== undefined)
    throw new Refusal(
      `--bridge-url: ${bridgeUrl}: ${fault}: expected ${urlOf(config, path)}, or the address of the machine where the sidecar runs`,
    );
  const as = wanted === server.name ? undefined : wanted;
  const entry = servers.find(({ name }) => name === as);
  if (as !== undefined && entry === undefined) refuseUnlisted(as, isAsNamed === true, path, env);
  const url = bridgeUrl ?? urlOf(config, path);
  const own = as === undefined ? undefined : { name: as, token: entry?.token ?? "" };
  const present = presentToken(own, config);
  const { linkForm, knownPlayers } = modules.api;
  const runBy = runByOf(config, env);
  const token = make ? madeToken(own, config) : present;
  const withToken = [undefined, ...servers].filter(
    each => orElse(() => presentToken(each, config), undefined) !== undefined,
  );
  return {
    configFile: path,
    made: isMissing ? made : undefined,
    url,
    isRemote: isRemote(url, bridge.host, ownAddresses()),
    linkForm,
    runBy,
    as,
    token,
    listeners: { "modules.api.port": modules.api, "bridge.port": bridge },
    isKnownShowChosen:
      variableFor(env, KNOWN_SHOW) !== undefined ||
      knownPlayers.show !== SETTINGS.modules.api.knownPlayers.show.default ||
      isOwners(yaml ?? "", KNOWN_SHOW),
    isListWritten: isListWritten(modules.api),
    name: as ?? server.name,
    firstName: server.name,
    isShared: as !== undefined || servers.length > 0,
    isListOverridden: variableFor(env, SERVERS) !== undefined,
    names: new Set(withToken.map(each => each?.name ?? server.name)),
    storage: storage.folder,
  };
}

/** A game server that the configuration does not list is added with `--as`, unless a variable overrides the file. */
function refuseUnlisted(as: string, isNamed: boolean, path: string, env: Environment): void {
  const variable = variableFor(env, SERVERS);
  if (variable !== undefined)
    throw new Refusal(`--as: ${as}: ${variable} is set and does not list it: add it there`);
  if (!isNamed)
    throw new Refusal(
      `${path}: this game server was set up as ${as}, which servers no longer lists: add --as ${as} to list it again, or --as with its new name`,
    );
}

function urlOf({ bridge }: Config, path: string): string {
  if (bridge.port === 0)
    throw new Refusal(
      `${path}: bridge.port: 0: expected a fixed port such as 8081, or the server cannot find the sidecar`,
    );
  return addressOf(bridge);
}

/** What runs the sidecar; undefined: it is started by hand. */
export const runByOf = ({ storage }: Pick<Config, "storage">, env: Environment): RunBy | undefined =>
  readRunBy(env[RUN_BY] ?? textIn(join(storage.folder, RUN_BY_FILE)), firstServer(storage.folder));

/** One of `servers`; undefined: the first game server. */
type Entry = { name: string; token: string } | undefined;

/** The token, created if it is missing. Root gives new files to the owners of their folders. */
function madeToken(entry: Entry, config: Config): string {
  const ignore = (): void => {};
  const log = { info: ignore, warn: ignore };
  const { folder } = config.storage;
  const file = join(folder, tokenFile(entry?.name));
  const made = [...missingFolders(folder, systemDisk), ...(existsSync(file) ? [] : [file])];
  const result = bridgeToken(config, log, entry);
  if ("fault" in result) throw new Refusal(result.fault);
  for (const path of made) if (existsSync(path)) giveToFolderOwner(path);
  return result.token;
}

const textIn = (path: string): string | undefined => {
  const bytes = systemFiles.read(path);
  return bytes && Buffer.from(bytes).toString("utf8");
};

/** The token; undefined: it is missing. Throws `Refusal` for a damaged one. */
function presentToken(entry: Entry, { bridge, storage }: Config): string | undefined {
  const { token: configured } = entry ?? bridge;
  if (configured !== "") return configured;
  const file = join(storage.folder, tokenFile(entry?.name));
  const token = textIn(file)?.trim();
  if (token !== undefined && !isBridgeToken(token))
    throw new Refusal(`${file}: does not contain a valid token: delete it to have a new one made`);
  return token;
}
