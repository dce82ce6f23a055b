import { urlOf } from "../../bds/address.ts";
import { checkJson, list, object, text } from "../../shared/guard.ts";
import { ID_LENGTH } from "../../shared/limits.ts";
import { type BridgeStatus, bridgeStatus, STATUS_PATH } from "../../shared/status.ts";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { digestsOf, type Written } from "../../sidecar/config/written.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byRestart, bySetup, commandsOf } from "./fixes.ts";
import { earlierNames, freeNameFor, isSeveral, PAGE } from "./game-servers.ts";
import {
  answerAt,
  checkClock,
  HOST_NOT_ALLOWED,
  isBridge,
  isHealthy,
  isHostNotAllowed,
  UNKNOWN_BRIDGE_PATH,
} from "./http-request.ts";
import { checkPortConflicts } from "./port-conflicts.ts";
import type { CheckedSidecar, DoctorSystem, Target } from "./target.ts";

/** Game servers that a sidecar may list. */
const MOST_LISTED = 100;
/** How long ago the game may have reported to count as connected, besides its interval, in milliseconds. */
const REPORT_MS = 15_000;
/** For how long a game server that was refused counts, in milliseconds: it tries again within a minute. */
const REFUSED_MS = 10 * 60_000;
/** Names in one line. */
const NAMED = 5;

/** Whether the sidecar listens where its configuration says. */
export async function checkListeners(sidecar: CheckedSidecar, system: DoctorSystem): Promise<Verdict[]> {
  const [publicUrl, bridgeUrl] = [urlOf(sidecar.config.modules.api), urlOf(sidecar.config.bridge)];
  const [health, bridge] = await Promise.all([
    answerAt(`${publicUrl}/healthz`, system),
    answerAt(bridgeUrl + UNKNOWN_BRIDGE_PATH, system),
  ]);
  const taken = await checkPortConflicts(sidecar, { health, bridge }, system);
  if (taken.length > 0) return taken;
  if (health === undefined && bridge === undefined) {
    const what = `the sidecar is not running: nobody answers at ${publicUrl}`;
    const isOne = sidecar.config.storage.kind !== "redis";
    const own = "when it ends at once, its last line says why";
    const other = "or name a sidecar that runs by WEB_BRIDGE_MODULES_API_PORT and WEB_BRIDGE_BRIDGE_PORT";
    return [problem(what, { text: isOne ? own : other, command: commandsOf(sidecar, system).start })];
  }
  const wrong = (what: string): Verdict[] => [problem(what, byRestart(sidecar, system))];
  if (isBridge(health)) return wrong(`${publicUrl} is the sidecar's listener for the pack`);
  const why = (answer: typeof health): string => {
    if (answer === undefined) return "does not answer";
    const misnamed = isHostNotAllowed(answer) ? ` that ${HOST_NOT_ALLOWED}:` : ", and";
    return `leads to a sidecar${misnamed} it was started with other settings`;
  };
  if (!isHealthy(health)) return wrong(`${publicUrl} ${why(health)}`);
  if (!isBridge(bridge)) return wrong(`${bridgeUrl}, the address for the pack, ${why(bridge)}`);
  return [ok(`the sidecar answers at ${publicUrl}`), ok(`the sidecar waits for the pack at ${bridgeUrl}`)];
}

/** Whether the clocks of the sidecar and of this machine agree. */
export async function checkSidecarClock(sidecar: CheckedSidecar, system: DoctorSystem): Promise<Verdict[]> {
  const answer = await answerAt(urlOf(sidecar.config.bridge) + UNKNOWN_BRIDGE_PATH, system);
  return [checkClock("the sidecar", Date.parse(answer?.date ?? ""), system)];
}

/** Whether the sidecar accepts its token. It is sent only to a listener that has been seen to be the sidecar's. */
export async function checkAccepted(sidecar: CheckedSidecar, system: DoctorSystem): Promise<Verdict[]> {
  if (sidecar.token === undefined) return [skipped("whether the sidecar takes its token: it is not known")];
  const answer = await answerAt(urlOf(sidecar.config.bridge) + UNKNOWN_BRIDGE_PATH, system, sidecar.token);
  if (answer?.status === 404 && answer.says === "not_found")
    return [ok("the running sidecar takes its token")];
  if (answer === undefined)
    return [skipped("whether the sidecar takes its token: it did not answer that in time")];
  const other = "where it is another sidecar, such as another user's, give this one ports of its own instead";
  const what = "the running sidecar has another token than its configuration now";
  return [problem(what, byRestart(sidecar, system, other))];
}

const statusOf = async (sidecar: CheckedSidecar, system: DoctorSystem): Promise<BridgeStatus | undefined> => {
  const answer = await answerAt(urlOf(sidecar.config.bridge) + STATUS_PATH, system, sidecar.token);
  const read = answer?.status === 200 ? checkJson(bridgeStatus, answer.text) : undefined;
  return read !== undefined && "value" in read ? read.value : undefined;
};

/** Whether the sidecar runs with what its files say now, as the version that is installed. */
export async function checkSettings(sidecar: CheckedSidecar, system: DoctorSystem): Promise<Verdict[]> {
  const status = await statusOf(sidecar, system);
  if (status?.settings === undefined) return [skipped("what the sidecar runs with: it does not tell")];
  const { settings, version, startedAt } = status;
  const { written, configFile, token = "" } = sidecar;
  const since = agoFrom(system, startedAt);
  const findings: Verdict[] = [];
  if (version !== PRODUCT_VERSION) {
    const what = `the sidecar runs with version ${version} (started ${since} ago), and ${PRODUCT_VERSION} is installed here`;
    findings.push(problem(what, byRestart(sidecar, system)));
  }
  // File with file: the environment of this process is perhaps another one than that of the sidecar.
  const now = digestsOf(written, token);
  const changed = differing(settings.file, now.file);
  if (changed.length === 0) findings.push(ok(`the sidecar runs with what is in ${configFile}`));
  else {
    const isSame = settings.config === configFile;
    const what = `the sidecar runs with older settings than ${configFile} has now: ${shortList(changed)} (started${isSame ? "" : ` with ${settings.config}`} ${since} ago)`;
    const other = `where ${settings.config} is another file, name that one with --config instead`;
    findings.push(problem(what, byRestart(sidecar, system, isSame ? undefined : other)));
  }
  return findings;
}

const differing = (one: Written["file"], other: Written["file"]): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(at => one[at] !== other[at]).sort();

const shortList = (names: readonly string[]): string =>
  names.length <= NAMED
    ? names.join(", ")
    : `${names.slice(0, NAMED).join(", ")} and ${names.length - NAMED} more`;

/** Whether the game server that reports to the sidecar is this one, and the only one that wants to. */
export async function checkConnectedWorld(target: Target, own: CheckedSidecar): Promise<Verdict[]> {
  const { system } = target;
  const status = await statusOf(own, system);
  if (status === undefined) return [];
  const findings: Verdict[] = [];
  const { game } = status;
  if (game === undefined) return findings;
  const name = game.world?.name;
  if (name) {
    const reported = game.reportedAt ?? Number.NEGATIVE_INFINITY;
    const since = agoFrom(system, game.connectedAt);
    const isReporting =
      system.now() - reported < REPORT_MS + 3 * own.config.modules.api.metricsRefreshInterval;
    findings.push(connected(name, since, isReporting, target));
  }
  const { refusedAt = Number.NEGATIVE_INFINITY } = game;
  if (system.now() - refusedAt <= REFUSED_MS) {
    const what = `two game servers want this sidecar, and one of them was refused ${agoFrom(system, refusedAt)} ago`;
    const text = `stop the one that should not have it, which may be a copy of the other; run setup for it with --undo, or with --as and a name of its own, see ${PAGE}`;
    findings.push(problem(what, { text }));
  }
  return findings;
}

function connected(name: string, since: string, isReporting: boolean, target: Target): Verdict {
  if (!isReporting) return note(`the world ${name} was connected last, and reports no more`);
  const what = `the sidecar is connected with the world ${name} (for ${since})`;
  const own = target.server.levelName;
  if (own === name) return ok(what);
  if (earlierNames(target).includes(name))
    return note(`${what}, an earlier name of this one: run setup, and start the server again`);
  const text = `give each game server a name of its own, see ${PAGE}`;
  const fix = bySetup(target, text, ` --as ${freeNameFor(target.sidecar, target.server.levelName)}`);
  return problem(`${what}, and the world of this server is ${own}`, fix);
}

const readiness = object({
  servers: list(object({ name: text(ID_LENGTH), state: text(ID_LENGTH) }), MOST_LISTED),
});

/** Whether the pack is connected, when the server runs and nothing keeps it from that. */
export async function checkConnected(target: Target, sidecar: CheckedSidecar): Promise<Verdict[]> {
  const answer = await answerAt(`${urlOf(sidecar.config.modules.api)}/readyz`, target.system);
  if (isReady(answer?.text ?? "", answer?.status, sidecar))
    return [ok("the pack is connected, and has reported lately")];
  if (target.running === undefined)
    return [skipped("whether the pack is connected: the server does not run, or not on this machine")];
  const text = "restart the server, and look on its console for lines with [Scripting] and [web bridge]";
  return [problem("the server runs, and the pack has not connected", { text })];
}

/** Of one game server alone the status says it. */
function isReady(body: string, status: number | undefined, sidecar: CheckedSidecar): boolean {
  if (!isSeveral(sidecar)) return status === 200;
  const read = checkJson(readiness, body);
  if (!("value" in read)) return false;
  return read.value.servers.some(({ name, state }) => name === sidecar.name && state === "online");
}

const MINUTE_MS = 60_000;

/** How long ago something was, in words. */
function agoFrom({ now }: DoctorSystem, then: number): string {
  const minutes = Math.max(0, Math.floor((now() - then) / MINUTE_MS));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} days`;
}
