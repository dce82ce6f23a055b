import { address } from "../../behavior_pack/address.ts";
import { orElse } from "../../cli/errno.ts";
import { isBeyond } from "../bds/address.ts";
import { openServer, packsOf, scriptFile } from "../bds/folder.ts";
import { filesIn, realFolder } from "../bds/paths.ts";
import { findRunning } from "../bds/running.ts";
import { valuesIn } from "../bds/script-config.ts";
import { setupNotes } from "../bds/setup-notes.ts";
import { checkUrl, isUnfit } from "./address.ts";
import { type Finding, isProblem, note, ok, problem, skipped } from "./finding.ts";
import { checkForms } from "./forms.ts";
import { checkGame } from "./game.ts";
import { checkOwnName, sideOf } from "./own-entry.ts";
import { checkPack } from "./packs.ts";
import { checkProperties } from "./properties.ts";
import { looked, readable, type Unreadable } from "./readable.ts";
import { checkProgram, checkReading } from "./reading.ts";
import { checkScript } from "./script.ts";
import { type Asked, productIn, type Side, type Surroundings, stopFirst, type Target } from "./target.ts";
import { checkLevel, noWorld } from "./world.ts";

/** Whether there is a server in the folder, as far as that may be seen. */
export function isServer({ server }: Asked, around: Surroundings): boolean {
  const found = readable("server", () => {
    const root = realFolder(server);
    return openServer(root, filesIn(root, around.files));
  });
  return !("faults" in found);
}

/** Opens the server's folder, with what has to be known of it before anything else. */
export function openTarget(
  asked: Asked,
  all: Surroundings,
  side: Side | undefined,
  setup: string,
): Target | Unreadable {
  const root = realFolder(asked.server);
  const around = { ...all, files: filesIn(root, all.files) };
  const server = openServer(root, around.files);
  if ("faults" in server) {
    const isFile = server.faults.some(fault => fault.includes("server.properties: "));
    const mend = isFile
      ? "correct that file"
      : "give the folder that holds bedrock_server and server.properties with --server";
    return { finding: problem("server-folder", server.faults.join("; "), mend) };
  }
  const behavior = productIn(around.packs.behavior, "behavior", around.files);
  const module = behavior?.manifest.modules.find(({ type }) => type === "script")?.uuid;
  if (behavior === undefined || module === undefined)
    return { finding: problem("product", "the pack has not been built", around.programs.build) };
  const running = findRunning(server, around.signs);
  const own = side && sideOf(side, server.root, module, around);
  const resource = productIn(around.packs.resource, "resource", around.files);
  const target = {
    around,
    elsewhere: all.files,
    server,
    running,
    side: own,
    behavior,
    resource,
    module,
    setup,
    urlFault: undefined,
  };
  return { ...target, setup: commandFor(target) };
}

/** The target when the address that the pack has cannot be meant: nothing else is to be fitted to it. */
export function withUrlFault(target: Target, urlFault: Finding, setup: string): Target {
  const wrong = { ...target, urlFault, setup };
  return { ...wrong, setup: commandFor(wrong) };
}

/** The same when somebody has written an address by hand that leads to a sidecar: setup would put its own back. */
export const withUrlKept = (target: Target, setup: string): Target => ({
  ...target,
  setup: commandFor({ ...target, setup }, urlElsewhere(target)),
});

/** Whether setup was told the address that the pack has, and keeps it. */
export const isNamed = ({ server, around }: Target, url: string): boolean =>
  setupNotes(server.root, around.files).bridgeUrl === url;

/** The set-up as this server has it, to be made while it is stopped. */
function commandFor(target: Target, kept?: string): string {
  const url = urlIn(target);
  const isWrong =
    target.urlFault !== undefined || (url !== undefined && isProblem(checkUrl(target, url).finding));
  // Setup keeps an address that was named, a wrong one too.
  const wanted = kept ?? (isWrong ? "default" : undefined);
  const option = wanted === undefined ? "" : ` --bridge-url ${wanted}`;
  return `${stopFirst(target)}${target.setup}${option}`;
}

const wantsChest = ({ side }: Pick<Target, "side">): boolean => side?.config.modules.api.linkForm === "chest";

/** Checks everything in the server's folder. */
export function checkServer(target: Target): Finding[] {
  const { server, around, behavior, running } = target;
  const pid = running?.pid === undefined ? "" : ` (process ${running.pid})`;
  const folder = [
    ok("server-folder", `${server.root} is the folder of a server`),
    ...checkOwnName(target),
    ...(running === undefined ? [] : [ok("server-running", `the server is running${pid}`)]),
    ...looked("server", () => checkProgram(target)),
  ];
  const reading = looked("server", () => checkReading(target));
  const isReadable = !reading.some(isProblem);
  // What the server may not read need not be told twice.
  const look = (check: () => Finding[]): Finding[] =>
    looked("server", check).filter(({ id }) => isReadable || id !== "readable");
  const script = look(() => checkScript(target));
  if (around.files.kindOf(server.world.levelDat) !== "file")
    return [
      ...folder,
      noWorld(target),
      ...reading,
      skipped("packs", "packs and settings of the world"),
      ...script,
    ];
  return [
    ...folder,
    ok("world", `its world is ${server.levelName}`),
    ...look(() => [checkGame(target)]),
    ...reading,
    ...look(() => checkPack(target, behavior)),
    ...look(() => checkResourcePack(target)),
    ...script,
    ...look(() => [checkLevel(target)]),
    ...look(() => checkProperties(target, wantsChest(target))),
  ];
}

/** Checks the resource pack where players are asked in the chest form, which is all that it is for. */
function checkResourcePack(target: Target): Finding[] {
  const { resource, around, setup } = target;
  if (wantsChest(target)) {
    if (resource !== undefined) return [...checkPack(target, resource), ...checkForms(target, resource)];
    const what = "the chest form needs the resource pack, and it has not been built";
    return [problem("resource-pack-installed", what, around.programs.build)];
  }
  if (target.side === undefined || resource === undefined) return [];
  if (packsOf(target.server, "resource", resource.manifest.uuid, around.files).length === 0) return [];
  const what = `the resource pack is installed, and modules.api.link-form is buttons: nothing uses it; ${setup} --no-chest-form takes it out`;
  return [note("resource-pack-installed", what)];
}

/** The address that the pack has, when it is none of this machine's. */
export function urlElsewhere(target: Target): string | undefined {
  const { around, side, urlFault } = target;
  const url = urlFault === undefined ? urlIn(target) : undefined;
  if (url === undefined || isUnfit(url)) return undefined;
  return isBeyond(url, side?.config, around.ownAddresses()) ? url : undefined;
}

/** The address that the pack has; undefined when it has none that could be one. */
function urlIn({ server, around, module }: Target): string | undefined {
  const { files } = around;
  const values = orElse(
    () => valuesIn(scriptFile(server.root, module, "variables.json", files), files),
    undefined,
  );
  const url = values && address(values["bridge-url"]);
  return url === undefined || !URL.canParse(url) ? undefined : url;
}
