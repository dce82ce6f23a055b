import { join, resolve } from "node:path";
import { isRemote, urlOf } from "../../bds/address.ts";
import { type BuiltFolders, readBuiltPack } from "../../bds/built-pack.ts";
import { isFault } from "../../bds/fault.ts";
import { folderOf, openServer, packsOf, scriptFile } from "../../bds/folder.ts";
import { keepsAchievements, scriptModuleOf } from "../../bds/manifest.ts";
import { packToken } from "../../bds/other-servers.ts";
import { findRunningServer } from "../../bds/running-servers.ts";
import { valuesIn } from "../../bds/script-config.ts";
import { setupNotes } from "../../bds/setup-journal.ts";
import { orElse } from "../../cli/errno.ts";
import { checkBridgeUrl } from "./bridge-url.ts";
import { problem, type Verdict } from "./finding.ts";
import { setupCommand } from "./fixes.ts";
import { sidecarFor } from "./game-servers.ts";
import { isBridge, sendRequest, UNKNOWN_BRIDGE_PATH } from "./http-request.ts";
import type {
  CheckedBridgeUrl,
  CheckedSidecar,
  DoctorOptions,
  DoctorSystem,
  RemoteSidecar,
  Target,
} from "./target.ts";

/** Absolute path of the server's folder, even if the folder cannot be read. */
export const rootOf = ({ server }: DoctorOptions, { files }: DoctorSystem): string =>
  orElse(() => folderOf(server, files), resolve(server));

/** Whether a server is in the folder; true if that is not known. */
export const isServer = ({ server }: DoctorOptions, { files }: DoctorSystem): boolean =>
  orElse(() => !("faults" in openServer(server, files)), true);

/** Opens the server's folder for the checks, or says why that fails. */
export async function openTarget(
  options: DoctorOptions,
  system: DoctorSystem,
  sidecar: CheckedSidecar | undefined,
): Promise<Target | Verdict> {
  const { files, processes, packs, programs } = system;
  const root = rootOf(options, system);
  const server = openServer(root, files);
  if ("faults" in server) {
    const isFile = server.faults.some(fault => fault.startsWith(`${join(root, "server.properties")}: `));
    const folder = "pass the folder with bedrock_server and server.properties as --server";
    return problem(server.faults.join("; "), isFile ? "fix that file" : folder);
  }
  const built = (name: keyof BuiltFolders) => {
    const pack = readBuiltPack(packs, name, files);
    return isFault(pack) ? undefined : pack;
  };
  const withAll = built("behavior");
  const notes = setupNotes(root, files);
  const installed =
    withAll && orElse(() => packsOf(server, "behavior", withAll.manifest.uuid, files)[0], undefined);
  const isStable = installed ? keepsAchievements(installed.manifest) : notes.keepsAchievements === true;
  const behavior = isStable ? built("stable") : withAll;
  const module = behavior && scriptModuleOf(behavior.manifest)?.uuid;
  if (behavior === undefined || module === undefined)
    return problem("the add-on has not been built", { command: programs.build });
  const own = sidecar && sidecarFor(sidecar, root, module);
  const values = isStable
    ? { "bridge-url": notes.bridgeUrl }
    : orElse(() => valuesIn(scriptFile(root, module, "variables.json", files), files), undefined);
  const value = values?.["bridge-url"];
  const isNamed = notes.bridgeUrl === value;
  // With that pack `launch` uses the address of the configuration, unless setup was given another one.
  const address =
    isStable && value === undefined
      ? undefined
      : values && (await checkBridgeUrl(value, { sidecar: own, system, isNamed }));
  const remote =
    own === undefined || !isNamed || options.sidecar !== undefined
      ? undefined
      : await remoteSidecar(own, address, isStable ? own.token : packToken(root, module, files));
  return {
    system,
    server,
    running: findRunningServer(server, processes),
    sidecar: own && { ...own, ...(remote && { remote }) },
    behavior,
    keepsAchievements: isStable,
    resource: built("resource"),
    module,
    setup: setupCommand({ ...options, server: root }, system) + (address?.option ?? ""),
    address,
  };
}

/** The sidecar at another address, where none runs on this machine; undefined: it is not there. */
async function remoteSidecar(
  { config, system, token }: CheckedSidecar,
  address: CheckedBridgeUrl | undefined,
  sent: unknown,
): Promise<RemoteSidecar | undefined> {
  const { state, url } = address ?? {};
  if (state !== "ok" || url === undefined || !isRemote(url, config.bridge.host, system.ownAddresses()))
    return undefined;
  const here = await sendRequest(urlOf(config.bridge) + UNKNOWN_BRIDGE_PATH, system);
  return isBridge(here) ? undefined : { url, hasToken: token !== undefined && token === sent };
}
