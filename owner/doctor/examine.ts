import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { orElse } from "../../cli/errno.ts";
import { SETTINGS } from "../../sidecar/config/settings.ts";
import { folderOf } from "../bds/folder.ts";
import { reachedBy } from "./elsewhere.ts";
import { type Finding, isProblem, note, ok, problem, skipped } from "./finding.ts";
import { checkProved } from "./game.ts";
import { checkJoining, hearsPlayers } from "./joining.ts";
import { checkListeners } from "./listeners.ts";
import { checkSidecarsPort } from "./network.ts";
import { asOwner } from "./owner.ts";
import { looked, readable, type Unreadable } from "./readable.ts";
import { checkRedis } from "./redis.ts";
import { checkRunning } from "./running.ts";
import {
  checkServer,
  isNamed,
  isServer,
  openTarget,
  urlElsewhere,
  withUrlFault,
  withUrlKept,
} from "./server.ts";
import { checkDisks, checkSide, listening, readSide, type SideRead } from "./sidecar.ts";
import { type Asked, type Side, type Surroundings, setupCommand, stopFirst, type Target } from "./target.ts";
import { checkWay, type Way } from "./way.ts";

/** In the place of set-up, which could not do anything there. */
const FOLDER_FIRST = "mend what is said of the server's folder first, and run doctor again";

/** What is said of one game server and of its sidecar. */
export interface Report {
  /** in the order in which it is to be mended */
  findings: Finding[];
  /** those of them that are of the sidecar, whichever of its game servers is looked at */
  ofSidecar: ReadonlySet<Finding>;
  /** the game server, and what has to be known of it beside others; undefined: it cannot be looked at */
  target: Target | undefined;
}

/** Looks at everything that has to be right on both sides. Changes nothing. */
export const examine = async (given: Asked, around: Surroundings): Promise<Finding[]> =>
  (await report(given, around)).findings;

/** The same, with what is said of whom. */
export async function report(given: Asked, around: Surroundings): Promise<Report> {
  const server = readable("server", () => folderOf(given.server, around.files));
  const asked = { ...given, ...(typeof server === "string" && { server }) };
  const setup = isServer(asked, around) ? setupCommand(asked, around) : FOLDER_FIRST;
  const read = readSidecar(asked, around, setup);
  // Where it runs on another machine, that one's addresses count.
  const { side: wanted, findings: said } =
    asked.sidecar === undefined ? await listening(read, around) : reachedBy(read, asked.sidecar, around);
  const config = [...said, ...around.usedInstead(asked.config).map(line => note("other-config", line))];
  const open = (side: Side | undefined) => readable("server", () => openTarget(asked, around, side, setup));
  const first = open(wanted);
  const taken = "finding" in first ? undefined : readable("server", () => checkSidecarsPort(first));
  const clash = taken === undefined || "finding" in taken ? [] : [taken];
  // Nothing is fitted to a port that has to be another.
  const side = clash.length > 0 ? undefined : wanted;
  const opened = clash.length > 0 ? open(side) : first;
  const found = "finding" in opened ? undefined : await checkUrlElsewhere(opened, setup);
  const way = found?.finding;
  const target = "finding" in opened || found === undefined ? opened : judged(opened, found, setup);
  const onServer =
    "finding" in target
      ? [target.finding, skipped("server", "everything in the server's folder")]
      : once([...clash, ...looked("server", () => checkServer(target))]);
  if (way !== undefined && way.id !== "bridge-url") onServer.push(way);
  if (!("finding" in target)) onServer.push(...(await checkJoining(target, onServer)));
  const folders = [resolve(asked.server), ...(side === undefined ? [] : [side.config.storage.folder])];
  const disks = checkDisks(folders, around);
  if (side === undefined) {
    const later = skipped("sidecar", "the sidecar: its configuration has to be right first");
    const own = [...config, disks, later];
    return { findings: [...onServer, ...own], ofSidecar: new Set(own), target: undefined };
  }
  const redis = await checkRedis(side, around);
  const own = [...config, ...looked("sidecar", () => checkSide(side, asked, around)), disks, ...redis];
  const fixed = !own.some(finding => isProblem(finding) && /^((public|bridge)-port|hosts)$/.test(finding.id));
  // The side as this game server has to do with it.
  const mine = ("finding" in target ? undefined : target.side) ?? side;
  const { findings: live, ready } = fixed
    ? await checkListeners(mine, around, setup)
    : {
        findings: [skipped("sidecar", "the sidecar's answers: it is not known how to reach it")],
        ready: undefined,
      };
  const known = onServer.some(finding => isProblem(finding) && finding.id === "other-server");
  const runs = (await checkRunning(mine, around, live, "finding" in target ? undefined : target)).filter(
    ({ id }) => !known || id !== "two-servers",
  );
  const sofar = [...onServer, ...own, ...live, ...runs];
  const ofSidecar = new Set([...own, ...live, ...runs.filter(({ id }) => OF_SIDECAR.test(id))]);
  const proved = "finding" in target ? [] : orElse(() => checkProved(target), []);
  return {
    findings: [...sofar, checkConnected(sofar, target, ready), ...proved],
    ofSidecar,
    target: "finding" in target ? undefined : target,
  };
}

/** What is said of the sidecar that runs, and of none of its game servers. */
const OF_SIDECAR = /^running-(settings|version|environment)$/;

/**
 * Without what several checks have said in the same words, such as of a file that none of them may read, and without what
 * was not looked at any more as it was known.
 */
const once = (findings: readonly Finding[]): Finding[] =>
  findings.filter((each, place) => {
    const isSame = ({ id, what }: Finding): boolean =>
      what === each.what || (each.state === "skipped" && id === each.id);
    return findings.findIndex(isSame) === place;
  });

/** What comes of the address of the pack, when it is none of this machine's. */
async function checkUrlElsewhere(target: Target, setup: string): Promise<Way | undefined> {
  const url = urlElsewhere(target);
  if (url === undefined) return undefined;
  const { side, around } = target;
  return checkWay({ url, isNamed: isNamed(target, url) }, side, around, `${stopFirst(target)}${setup}`);
}

/** The target with advice that fits what has come of its address. */
function judged(target: Target, { finding, isSidecars, isNamed }: Way, setup: string): Target {
  if (finding.id === "bridge-url") return withUrlFault(target, finding, setup);
  return isSidecars && !isNamed ? withUrlKept(target, setup) : target;
}

function readSidecar(asked: Asked, around: Surroundings, setup: string): SideRead {
  const config = resolve(asked.config);
  const data = join(dirname(config), String(SETTINGS.storage.folder.default));
  const read = readable("sidecar", () => readSide(asked, around, setup), {
    whole: path => (path === config ? [config, ...(existsSync(data) ? [data] : [])] : [dirname(path)]),
    mend: (path, own) => asOwner(path, own, asked, around),
  });
  return "finding" in read ? { side: undefined, findings: [read.finding] } : read;
}

/** Problems with which a pack connects all the same. */
const BESIDE =
  /^(allow-list|properties-encoding|online-mode|transport|server-(ip|port|udp-ports)|other-game|(game|lan)-port|game-answers|chat-restriction|content-log|texturepack-required|resource-pack-.*|clock|node|webhooks|sign-in-.*|running-.*|started-by-hand|world-name)$/;

/** Whether the pack is connected; what keeps it from that would only be told twice. */
function checkConnected(
  sofar: readonly Finding[],
  target: Target | Unreadable,
  ready: boolean | undefined,
): Finding {
  const id = "pack-connected";
  if (ready === true) return ok(id, "the pack is connected, and has reported lately");
  if (ready === undefined)
    return skipped(id, "whether the pack is connected: the sidecar could not be asked");
  if (sofar.some(finding => isProblem(finding) && !BESIDE.test(finding.id)))
    return skipped(id, "whether the pack is connected: mend what is above first");
  if ("finding" in target || target.running === undefined)
    return skipped(id, "whether the pack is connected: the server does not run, or not on this machine");
  const mend = `restart the server, and look on its console for lines with [Scripting] and [web bridge]`;
  const hears = hearsPlayers(sofar) ? " and hears players" : "";
  return problem(id, `the server runs${hears}, and the pack has not connected`, mend);
}
