import { join, resolve } from "node:path";
import { isFault } from "../bds/fault.ts";
import { openServer, scriptFolder, worldPaths } from "../bds/folder.ts";
import { findRunning } from "../bds/running.ts";
import { readValues } from "../bds/script-config.ts";
import { address } from "../behavior_pack/address.ts";
import { isErrno } from "../sidecar/errno.ts";
import { checkHost, isElsewhere } from "./address.ts";
import { type Finding, isProblem, ok, problem, skipped } from "./finding.ts";
import { checkElsewhere, checkListeners } from "./listeners.ts";
import { checkPack, isInstalled } from "./packs.ts";
import {
  type Asked,
  type Patient,
  productIn,
  readText,
  type Side,
  type Surroundings,
  setupCommand,
} from "./patient.ts";
import { checkProperties } from "./properties.ts";
import { checkScript } from "./script.ts";
import { checkDisks, checkSide, readSide } from "./sidecar.ts";
import { checkLevel } from "./world.ts";

/** Looks at everything that has to be right on both sides. Changes nothing. */
export async function examine(asked: Asked, around: Surroundings): Promise<Finding[]> {
  const setup = setupCommand(asked, around);
  const { side, findings: config } = readSide(asked, around, setup);
  const patient = readable(() => open(asked, around, side, setup));
  const onServer =
    "finding" in patient ? [patient.finding, ...leftOut()] : looked(() => checkServer(patient));
  const elsewhere = "finding" in patient ? undefined : urlElsewhere(patient);
  const way = elsewhere === undefined ? [] : [await checkElsewhere(elsewhere, around, setup)];
  if (elsewhere !== undefined && side !== undefined) way.push(...checkHost(elsewhere, side));
  const folders = [resolve(asked.server), ...(side === undefined ? [] : [side.config.storage.folder])];
  const disks = checkDisks(folders, around);
  if (side === undefined) {
    const later = skipped("sidecar", "the sidecar: its configuration has to be right first");
    return [...onServer, ...config, disks, ...way, later];
  }
  const own = [...config, ...checkSide(side, around), disks];
  const fixed = !own.some(finding => isProblem(finding) && /^(public|bridge)-port$/.test(finding.id));
  const { findings: live, ready } = fixed
    ? await checkListeners(side, around)
    : { findings: [skipped("sidecar", "the sidecar's answers: its ports are not known")], ready: undefined };
  const sofar = [...onServer, ...own, ...way, ...live];
  return [...sofar, checkConnected(sofar, patient, ready)];
}

type Unable = { finding: Finding };

/** What is not allowed to be read is a problem of its own. */
function readable<T>(look: () => T): T | Unable {
  try {
    return look();
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM", "EIO", "ELOOP", "EISDIR")) throw error;
    const what = error instanceof Error ? error.message : String(error);
    return {
      finding: problem(
        "readable",
        what,
        "run doctor as the user the server runs as, or let this one read it",
      ),
    };
  }
}

function looked(look: () => Finding[]): Finding[] {
  const findings = readable(look);
  return Array.isArray(findings) ? findings : [findings.finding, ...leftOut()];
}

const leftOut = (): Finding[] => [skipped("server", "everything in the server's folder")];

function open(asked: Asked, around: Surroundings, side: Side | undefined, setup: string): Patient | Unable {
  const server = openServer(resolve(asked.server), around.files);
  if ("faults" in server) {
    const mend = "give the folder that holds bedrock_server and server.properties: --server <folder>";
    return { finding: problem("server-folder", server.faults.join("; "), mend) };
  }
  const behavior = productIn(around.packs.behavior, "behavior", around.files);
  const module = behavior?.manifest.modules.find(({ type }) => type === "script")?.uuid;
  if (behavior === undefined || module === undefined)
    return { finding: problem("product", "the pack has not been built", around.programs.build) };
  const running = findRunning(server, around.signs);
  const resource = productIn(around.packs.resource, "resource", around.files);
  const patient = { around, server, running, side, behavior, resource, module, setup };
  return { ...patient, setup: commandFor(patient) };
}

/** The set-up as this server has it, to be made while it is stopped. */
function commandFor(patient: Patient): string {
  const url = urlElsewhere(patient);
  const options = [
    ...(url === undefined ? [] : [` --bridge-url ${url}`]),
    ...(wantsChest(patient) ? [" --chest-form"] : []),
  ];
  return `${patient.running === undefined ? "" : "stop the server, then: "}${patient.setup}${options.join("")}`;
}

const wantsChest = ({ side }: Pick<Patient, "side">): boolean => side?.config.api.linkForm === "chest";

function checkServer(patient: Patient): Finding[] {
  const { server, around, behavior, running } = patient;
  const pid = running?.pid === undefined ? "" : ` (process ${running.pid})`;
  const folder = [
    ok("server-folder", `${server.root} is the folder of a server`),
    ...(running === undefined ? [] : [ok("server-running", `the server is running${pid}`)]),
  ];
  const script = checkScript(patient);
  if (around.files.kindOf(server.world.levelDat) !== "file")
    return [...folder, noWorld(patient), skipped("packs", "packs and settings of the world"), ...script];
  return [
    ...folder,
    ok("world", `its world is ${server.levelName}`),
    ...checkPack(patient, behavior),
    ...checkResourcePack(patient),
    ...script,
    checkLevel(patient),
    ...checkProperties(patient, wantsChest(patient)),
  ];
}

/** Checks the resource pack, where this server needs it or has it. */
function checkResourcePack(patient: Patient): Finding[] {
  const { resource, around } = patient;
  const isWanted = wantsChest(patient);
  if (resource === undefined) {
    const what = "the chest form needs the resource pack, and it has not been built";
    return isWanted ? [problem("resource-pack-installed", what, around.programs.build)] : [];
  }
  return isWanted || isInstalled(patient, resource) ? checkPack(patient, resource) : [];
}

function noWorld({ server, around: { files } }: Patient): Finding {
  const { world, root, levelName, propertiesFile } = server;
  const what = `${world.folder}: there is no world ${levelName}`;
  const others = files
    .list(join(root, "worlds"))
    .filter(name => files.kindOf(worldPaths(join(root, "worlds", name)).levelDat) === "file");
  if (others.length === 0)
    return problem("world", what, 'start the server once, and stop it with "stop" on its console');
  const [other] = others;
  const mend = `set level-name=${other} in ${propertiesFile}`;
  return problem("world", `${what}, but ${others.join(", ")}`, mend);
}

/** The address that the pack has, when it is none of this machine's. */
function urlElsewhere({ server, around, module, side }: Patient): string | undefined {
  const text = readText(`${scriptFolder(server.root, module)}/variables.json`, around.files);
  const read = text === undefined || isFault(text) ? undefined : readValues(text.text);
  const url = read === undefined || isFault(read) ? undefined : address(read.values["bridge-url"]);
  if (url === undefined || !URL.canParse(url)) return undefined;
  return isElsewhere(url, side?.config.bridge.host ?? "", around.ownAddresses()) ? url : undefined;
}

/** Whether the pack is connected; what is wrong elsewhere would only be told twice. */
function checkConnected(
  sofar: readonly Finding[],
  patient: Patient | Unable,
  ready: boolean | undefined,
): Finding {
  const id = "pack-connected";
  if (ready === true) return ok(id, "the pack is connected, and has reported lately");
  if (ready === undefined)
    return skipped(id, "whether the pack is connected: the sidecar could not be asked");
  if (sofar.some(isProblem)) return skipped(id, "whether the pack is connected: mend what is above first");
  if ("finding" in patient || patient.running === undefined)
    return skipped(id, "whether the pack is connected: the server does not run, or not on this machine");
  const mend = `restart the server, and look on its console for lines with [Scripting] and [web bridge]`;
  return problem(id, "the server runs and the pack has not connected", mend);
}
