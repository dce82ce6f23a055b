import { resolve } from "node:path";
import { isFault } from "../../bds/fault.ts";
import type { Files } from "../../bds/files.ts";
import type { PackKind } from "../../bds/folder.ts";
import { folderOf, openServer, packIn, scriptFile, similarWorld, worldsIn } from "../../bds/folder.ts";
import { gameVersion } from "../../bds/game-version.ts";
import { levelDatAt } from "../../bds/level-dat.ts";
import { lacksOnlyLevelDat, readableLevelCopy } from "../../bds/level-dat-copy.ts";
import { findRunningServer } from "../../bds/running-servers.ts";
import { valuesIn } from "../../bds/script-config.ts";
import { setupNotes } from "../../bds/setup-journal.ts";
import { quoted } from "../../cli/commands.ts";
import { orElse } from "../../cli/errno.ts";
import { checkBridgeUrl } from "./bridge-url.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byHand, byProperty, bySetup, setupCommand } from "./fixes.ts";
import { sidecarFor } from "./game-servers.ts";
import type { BuiltPack, CheckedSidecar, DoctorOptions, DoctorSystem, Target } from "./target.ts";

const PAGE = "docs/after-an-update.md";

/** The server's folder in full; what cannot be looked at is taken as it is written. */
export const rootOf = ({ server }: DoctorOptions, { files }: DoctorSystem): string =>
  orElse(() => folderOf(server, files), resolve(server));

/** Whether a server is in the folder, as far as that may be seen. */
export const isServer = ({ server }: DoctorOptions, { files }: DoctorSystem): boolean =>
  orElse(() => !("faults" in openServer(server, files)), true);

/** Opens the server's folder, with what has to be known of it before any check; or says why it is none. */
export async function openTarget(
  asked: DoctorOptions,
  system: DoctorSystem,
  sidecar: CheckedSidecar | undefined,
): Promise<Target | Verdict> {
  const { files, processes, packs, programs } = system;
  const root = rootOf(asked, system);
  const server = openServer(root, files);
  if ("faults" in server) {
    const isFile = server.faults.some(fault => fault.includes("server.properties: "));
    const folder = "give the folder that holds bedrock_server and server.properties with --server";
    const text = isFile ? "correct that file" : folder;
    return problem(server.faults.join("; "), { text });
  }
  const behavior = builtPackIn(packs.behavior, "behavior", files);
  const module = behavior?.manifest.modules.find(({ type }) => type === "script")?.uuid;
  if (behavior === undefined || module === undefined)
    return problem("the pack has not been built", { command: programs.build });
  const own = sidecar && sidecarFor(sidecar, root, module, system);
  const values = orElse(() => valuesIn(scriptFile(root, module, "variables.json", files), files), undefined);
  const value = values?.["bridge-url"];
  const isNamed = setupNotes(root, files).bridgeUrl === value;
  const address = values && (await checkBridgeUrl(value, { sidecar: own, system, isNamed }));
  return {
    system,
    server,
    running: findRunningServer(server, processes),
    sidecar: own,
    behavior,
    resource: builtPackIn(packs.resource, "resource", files),
    module,
    setup: setupCommand({ ...asked, server: root }, system) + (address?.option ?? ""),
    address,
  };
}

/** A pack of this build; undefined when it was not built, or is broken. */
function builtPackIn(folder: string, kind: PackKind, files: Files): BuiltPack | undefined {
  const manifest = packIn(folder, files);
  return manifest === undefined || isFault(manifest) ? undefined : { kind, manifest, folder };
}

/** Whether the world is there. */
export function checkWorld(target: Target): Verdict[] {
  const { server, system } = target;
  const { world, root, levelName } = server;
  if (system.files.kindOf(world.levelDat) === "file") return [ok(`its world is ${levelName}`)];
  if (lacksOnlyLevelDat(server, system.files)) {
    const what = `${world.levelDat} is missing, and the rest of the world is there`;
    return [problem(what, putBack(target))];
  }
  const worlds = worldsIn(root, system.files);
  const but = worlds.length === 0 ? "" : `, but ${worlds.join(", ")}`;
  const what = `${world.folder}: there is no world ${levelName}${but}`;
  const suggestion = similarWorld(levelName, worlds);
  if (suggestion !== undefined) return [problem(what, byProperty(target, `level-name=${suggestion}`))];
  const start = 'start the server once, which makes it, and stop it with "stop" on its console';
  const [other] = worlds;
  const instead = other === undefined ? "" : `, or set level-name=${other} in ${server.propertiesFile}`;
  return [problem(what, { text: `${start}${instead}`, command: target.setup })];
}

/** Whether the world lets scripts use beta modules. */
export function checkLevel(target: Target): Verdict[] {
  const { server, system } = target;
  const path = server.world.levelDat;
  const level = levelDatAt(path, system.files) ?? { fault: "it is missing" };
  if (isFault(level)) return [problem(`${path}: ${level.fault}`, putBack(target))];
  return level.betaApis
    ? [ok("the Beta APIs experiment is on: achievements are off in this world permanently")]
    : [problem(`the Beta APIs experiment is off in ${path}`, bySetup(target))];
}

/** How a level.dat comes back. A server that is started without it may make another world of what is there. */
function putBack(target: Target): ReturnType<typeof byHand> {
  const { server, system } = target;
  const { levelDat } = server.world;
  const copy = readableLevelCopy(server, system.files);
  if (copy === undefined) return byHand(target, `take ${levelDat} from a backup of the world`);
  const command = `${system.platform === "win32" ? "copy" : "cp"} ${quoted(copy)} ${quoted(levelDat)}`;
  return { ...byHand(target, "put the copy there, and run doctor again"), command };
}

/** Whether the game is one that the pack runs on. */
export function checkGame({ server, system, behavior }: Target): Verdict[] {
  const { is, isDoubtful, what } = gameVersion(server, behavior.manifest, system.files);
  switch (is) {
    case "unknown":
      return [skipped(`version of the game: ${what}`)];
    case "right":
      return [ok(what)];
    case "newer":
      return [note(`${what}: when the pack does not start, see ${PAGE}`)];
    case "older": {
      if (isDoubtful) return [note(`${what}: when it is no newer one, update the game`)];
      const text = `update the game, or, when you just have, start it once and stop it (${PAGE})`;
      return [problem(what, { text })];
    }
  }
}
