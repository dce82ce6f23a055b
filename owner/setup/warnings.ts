import { isRemote } from "../../bds/address.ts";
import type { BuiltPack } from "../../bds/built-pack.ts";
import {
  ALLOW_LIST_LOST,
  allowListFix,
  allowListVariable,
  isContainerImage,
} from "../../bds/container-image.ts";
import { encodingFault, type ServerFolder } from "../../bds/folder.ts";
import { freeName } from "../../bds/free-server-name.ts";
import { gameVersion, likelyGameVersion } from "../../bds/game-version.ts";
import { scriptModuleOf } from "../../bds/manifest.ts";
import { needsSamePort, networkFaults, networkOf, SAME_PORT_EFFECT } from "../../bds/network.ts";
import { otherServers } from "../../bds/other-servers.ts";
import { registeredServers } from "../../bds/registered-servers.ts";
import { ownAddresses, systemFiles } from "../../bds/system.ts";
import type { Environment } from "../../sidecar/config/environment.ts";
import type { Disk } from "./disk.ts";
import type { SetupSidecar } from "./sidecar.ts";

const PAGE = "docs/after-an-update.md";

interface Warned {
  server: ServerFolder;
  sidecar: SetupSidecar;
  /** about the ports of a new configuration */
  portNote: string | undefined;
  /** whether the folder is a copy, which is not registered */
  isCopy: boolean;
  env: Environment;
}

/** What the owner should know before the changes are made, one line each. */
export function warningsFor(
  { server, sidecar, portNote, isCopy, env }: Warned,
  behavior: BuiltPack,
  disk: Disk,
): string[] {
  const encoding = encodingFault(server);
  const warnings = [
    encoding && `${encoding.what}: ${encoding.fix}`,
    gameWarning(server, behavior, disk),
    ...networkWarnings(server, sidecar, disk),
    portNote,
    ...otherServerWarnings(server, sidecar, behavior),
    isCopy ? undefined : firstServerWarning(sidecar),
    allowListWarning(server, sidecar, env),
  ];
  return warnings.filter(warning => warning !== undefined);
}

/** Not a reason to refuse: the game can be updated afterwards. */
function gameWarning(server: ServerFolder, { manifest }: BuiltPack, disk: Disk): string | undefined {
  const { is, what } = gameVersion(server, manifest, disk);
  if (is === "older") return `${what}: update the game before you start it (${PAGE})`;
  return is === "newer" ? `${what}: if the add-on does not start, see ${PAGE}` : undefined;
}

/** Settings that will keep players out, each with its fix. */
function networkWarnings(server: ServerFolder, sidecar: SetupSidecar, disk: Disk): string[] {
  const version = likelyGameVersion(server, disk);
  if (version === undefined) return [];
  const faults = networkFaults(server, version).flatMap(({ what, fix }) => {
    if (fix === undefined) return [];
    return [`${what}: ${"pair" in fix ? `set ${fix.pair} in ${server.propertiesFile}` : fix.words}`];
  });
  const own = ownAddresses();
  if (isContainerImage(server) || isRemote(sidecar.url, "", own)) return faults;
  const network = networkOf(server, version);
  const shared = Object.entries(sidecar.listeners).find(([, each]) => needsSamePort(network, each, own));
  if (shared === undefined) return faults;
  const [key, { port }] = shared;
  const fix = `change one of them, in ${server.propertiesFile} or ${sidecar.configFile}`;
  return [...faults, `the server and ${key} both use port ${port}, and ${SAME_PORT_EFFECT}: ${fix}`];
}

/** Another server may have the same token. */
function otherServerWarnings(
  { root, levelName }: ServerFolder,
  { as, storage, token, names, configFile }: SetupSidecar,
  { manifest }: BuiltPack,
): string[] {
  const module = scriptModuleOf(manifest)?.uuid ?? "";
  const free = freeName(levelName, names);
  return otherServers({ root, storage, token, as, module, files: systemFiles }).map(
    other =>
      `${configFile} is already the sidecar of another server${as === undefined ? "" : ` as ${as}`}, ${other.root}, with the world ${other.world}: each game server needs its own name: add --as ${free}, or another name, or remove the add-on from that server with --undo`,
  );
}

/** Calls without a server name mean the first game server, which may not be set up yet. */
function firstServerWarning({ as, configFile, firstName, storage }: SetupSidecar): string | undefined {
  if (as === undefined || registeredServers(storage).some(({ name }) => name === undefined)) return undefined;
  return `${configFile}: setup has not been run for ${firstName} yet, the first game server, which /status and /players report: run it for that folder without --as`;
}

/** The game server's container may overwrite the allowlist. */
function allowListWarning(
  server: ServerFolder,
  { isListWritten }: SetupSidecar,
  env: Environment,
): string | undefined {
  const variable = isListWritten && isContainerImage(server) ? allowListVariable(env) : undefined;
  return (
    variable &&
    `${variable} is set for the game server's container: ${ALLOW_LIST_LOST}: ${allowListFix(variable)}`
  );
}
