import { resolve } from "node:path";
import { checkHost } from "./address.ts";
import { type Finding, isProblem, ok, problem, skipped } from "./finding.ts";
import { checkElsewhere, checkListeners } from "./listeners.ts";
import { looked, readable, type Unreadable } from "./readable.ts";
import { checkRedis } from "./redis.ts";
import { checkServer, openTarget, urlElsewhere } from "./server.ts";
import { checkDisks, checkSide, readSide } from "./sidecar.ts";
import { type Asked, type Side, type Surroundings, setupCommand, type Target } from "./target.ts";

/** Looks at everything that has to be right on both sides. Changes nothing. */
export async function examine(asked: Asked, around: Surroundings): Promise<Finding[]> {
  const setup = setupCommand(asked, around);
  const { side, findings: config } = readSidecar(asked, around, setup);
  const target = readable("server", () => openTarget(asked, around, side, setup));
  const isOpen = !("finding" in target);
  const onServer = isOpen
    ? looked("server", () => checkServer(target))
    : [target.finding, skipped("server", "everything in the server's folder")];
  const elsewhere = isOpen ? urlElsewhere(target) : undefined;
  const way = elsewhere === undefined ? [] : [await checkElsewhere(elsewhere, around, setup)];
  if (elsewhere !== undefined && side !== undefined) way.push(...checkHost(elsewhere, side));
  const folders = [resolve(asked.server), ...(side === undefined ? [] : [side.config.storage.folder])];
  const disks = checkDisks(folders, around);
  if (side === undefined) {
    const later = skipped("sidecar", "the sidecar: its configuration has to be right first");
    return [...onServer, ...config, disks, ...way, later];
  }
  const redis = await checkRedis(side, around);
  const own = [...config, ...looked("sidecar", () => checkSide(side, around)), disks, ...redis];
  const fixed = !own.some(finding => isProblem(finding) && /^(public|bridge)-port$/.test(finding.id));
  const { findings: live, ready } = fixed
    ? await checkListeners(side, around)
    : { findings: [skipped("sidecar", "the sidecar's answers: its ports are not known")], ready: undefined };
  const sofar = [...onServer, ...own, ...way, ...live];
  return [...sofar, checkConnected(sofar, target, ready)];
}

function readSidecar(
  asked: Asked,
  around: Surroundings,
  setup: string,
): { side: Side | undefined; findings: Finding[] } {
  const read = readable("sidecar", () => readSide(asked, around, setup));
  return "finding" in read ? { side: undefined, findings: [read.finding] } : read;
}

/** Whether the pack is connected; what is wrong elsewhere would only be told twice. */
function checkConnected(
  sofar: readonly Finding[],
  target: Target | Unreadable,
  ready: boolean | undefined,
): Finding {
  const id = "pack-connected";
  if (ready === true) return ok(id, "the pack is connected, and has reported lately");
  if (ready === undefined)
    return skipped(id, "whether the pack is connected: the sidecar could not be asked");
  if (sofar.some(isProblem)) return skipped(id, "whether the pack is connected: mend what is above first");
  if ("finding" in target || target.running === undefined)
    return skipped(id, "whether the pack is connected: the server does not run, or not on this machine");
  const mend = `restart the server, and look on its console for lines with [Scripting] and [web bridge]`;
  return problem(id, "the server runs and the pack has not connected", mend);
}
