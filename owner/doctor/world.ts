import { resolve } from "node:path";
import { isFault } from "../../bds/fault.ts";
import type { Files } from "../../bds/files.ts";
import type { PackKind } from "../../bds/folder.ts";
import { folderOf, meantWorld, openServer, packIn, scriptFile, worldsIn } from "../../bds/folder.ts";
import { gameVersion } from "../../bds/game-version.ts";
import { levelDatAt } from "../../bds/level-dat.ts";
import { isHeadless, levelCopy } from "../../bds/level-dat-copy.ts";
import { findRunning } from "../../bds/running-servers.ts";
import { valuesIn } from "../../bds/script-config.ts";
import { setupNotes } from "../../bds/setup-journal.ts";
import { quoted } from "../../cli/commands.ts";
import { orElse } from "../../cli/errno.ts";
import { judgeAddress } from "./bridge-url.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byHand, byProperty, bySetup, setupCommand } from "./fixes.ts";
import { sideOf } from "./game-servers.ts";
import type { Asked, Product, Side, Surroundings, Target } from "./target.ts";

const PAGE = "docs/after-an-update.md";

/** The server's folder in full; what cannot be looked at is taken as it is written. */
export const rootOf = ({ server }: Asked, { files }: Surroundings): string =>
  orElse(() => folderOf(server, files), resolve(server));

/** Whether a server is in the folder, as far as that may be seen. */
export const isServer = ({ server }: Asked, { files }: Surroundings): boolean =>
  orElse(() => !("faults" in openServer(server, files)), true);

/** Opens the server's folder, with what has to be known of it before any check; or says why it is none. */
export async function openTarget(
  asked: Asked,
  around: Surroundings,
  side: Side | undefined,
): Promise<Target | Verdict> {
  const { files, signs, packs, programs } = around;
  const root = rootOf(asked, around);
  const server = openServer(root, files);
  if ("faults" in server) {
    const isFile = server.faults.some(fault => fault.includes("server.properties: "));
    const folder = "give the folder that holds bedrock_server and server.properties with --server";
    const text = isFile ? "correct that file" : folder;
    return problem(server.faults.join("; "), { text });
  }
  const behavior = productIn(packs.behavior, "behavior", files);
  const module = behavior?.manifest.modules.find(({ type }) => type === "script")?.uuid;
  if (behavior === undefined || module === undefined)
    return problem("the pack has not been built", { command: programs.build });
  const own = side && sideOf(side, root, module, around);
  const values = orElse(() => valuesIn(scriptFile(root, module, "variables.json", files), files), undefined);
  const value = values?.["bridge-url"];
  const isNamed = setupNotes(root, files).bridgeUrl === value;
  const address = values && (await judgeAddress(value, { side: own, around, isNamed }));
  return {
    around,
    server,
    running: findRunning(server, signs),
    side: own,
    behavior,
    resource: productIn(packs.resource, "resource", files),
    module,
    setup: setupCommand({ ...asked, server: root }, around) + (address?.option ?? ""),
    address,
  };
}

/** A pack of this build; undefined when it was not built, or is broken. */
function productIn(folder: string, kind: PackKind, files: Files): Product | undefined {
  const manifest = packIn(folder, files);
  return manifest === undefined || isFault(manifest) ? undefined : { kind, manifest, folder };
}

/** Whether the world is there. */
export function checkWorld(target: Target): Verdict[] {
  const { server, around } = target;
  const { world, root, levelName } = server;
  if (around.files.kindOf(world.levelDat) === "file") return [ok(`its world is ${levelName}`)];
  if (isHeadless(server, around.files)) {
    const what = `${world.levelDat} is missing, and the rest of the world is there`;
    return [problem(what, putBack(target))];
  }
  const worlds = worldsIn(root, around.files);
  const but = worlds.length === 0 ? "" : `, but ${worlds.join(", ")}`;
  const what = `${world.folder}: there is no world ${levelName}${but}`;
  const meant = meantWorld(levelName, worlds);
  if (meant !== undefined) return [problem(what, byProperty(target, `level-name=${meant}`))];
  const start = 'start the server once, which makes it, and stop it with "stop" on its console';
  const [other] = worlds;
  const instead = other === undefined ? "" : `, or set level-name=${other} in ${server.propertiesFile}`;
  return [problem(what, { text: `${start}${instead}`, command: target.setup })];
}

/** Whether the world lets scripts use beta modules. */
export function checkLevel(target: Target): Verdict[] {
  const { server, around } = target;
  const path = server.world.levelDat;
  const level = levelDatAt(path, around.files) ?? { fault: "it is missing" };
  if (isFault(level)) return [problem(`${path}: ${level.fault}`, putBack(target))];
  return level.betaApis
    ? [ok("the Beta APIs experiment is on: achievements are off in this world permanently")]
    : [problem(`the Beta APIs experiment is off in ${path}`, bySetup(target))];
}

/** How a level.dat comes back. A server that is started without it may make another world of what is there. */
function putBack(target: Target): ReturnType<typeof byHand> {
  const { server, around } = target;
  const { levelDat } = server.world;
  const copy = levelCopy(server, around.files);
  if (copy === undefined) return byHand(target, `take ${levelDat} from a backup of the world`);
  const command = `${around.platform === "win32" ? "copy" : "cp"} ${quoted(copy)} ${quoted(levelDat)}`;
  return { ...byHand(target, "put the copy there, and run doctor again"), command };
}

/** Whether the game is one that the pack runs on. */
export function checkGame({ server, around, behavior }: Target): Verdict[] {
  const { is, isDoubtful, what } = gameVersion(server, behavior.manifest, around.files);
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
