import { urlOf } from "../../bds/address.ts";
import type { RunBy } from "../../cli/run-by.ts";
import { checkJson, list, object, text } from "../../shared/guard.ts";
import { ID_LENGTH } from "../../shared/limits.ts";
import { type BridgeStatus, bridgeStatus, STATUS_PATH } from "../../shared/status.ts";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { digestsOf, type StartupSettings } from "../../sidecar/config/startup-settings.ts";
import { note, ok, problem, skipped, type Verdict } from "./finding.ts";
import { byRestart, bySetup, commandsOf } from "./fixes.ts";
import { earlierNames, freeNameFor, isSeveral, PAGE } from "./game-servers.ts";
import {
  type Answer,
  checkClock,
  HOST_NOT_ALLOWED,
  isBridge,
  isHealthy,
  isHostNotAllowed,
  sendRequest,
  UNKNOWN_BRIDGE_PATH,
} from "./http-request.ts";
import { checkPortConflicts } from "./port-conflicts.ts";
import type { CheckedSidecar, DoctorSystem, Target } from "./target.ts";

/** Most game servers of a sidecar. */
const MAX_SERVERS = 100;
/** Besides three intervals: largest age of a report for a connected game, in milliseconds. */
const REPORT_MS = 15_000;
/** How long a refused game server is reported, in milliseconds: it tries again within a minute. */
const REFUSED_MS = 10 * 60_000;
/** Most names in one line. */
const NAMED = 5;

const requestBridge = (
  { config, system, remote }: CheckedSidecar,
  path: string,
  token?: string,
): Promise<Answer> => sendRequest((remote?.url ?? urlOf(config.bridge)) + path, system, { token });

/** What starts the sidecar, with the folder of the game server that `launch` starts too. */
function withServer(runBy: RunBy | undefined, launched: string | undefined): RunBy | undefined {
  if (launched === undefined) return runBy;
  if (runBy === undefined) return { kind: "launch", server: launched };
  return runBy.kind === "launch" ? { kind: "launch", server: runBy.server ?? launched } : runBy;
}

/** @param launched folder of the game server that `launch` has to start together with the sidecar; undefined: none */
export async function checkListeners(
  sidecar: CheckedSidecar,
  launched?: string,
): Promise<Verdict | Verdict[]> {
  const { config, system, remote } = sidecar;
  if (remote) return ok(`the sidecar runs on another machine, and listens for the add-on at ${remote.url}`);
  const [publicUrl, bridgeUrl] = [urlOf(config.modules.api), urlOf(config.bridge)];
  const [health, bridge] = await Promise.all([
    sendRequest(`${publicUrl}/healthz`, system),
    requestBridge(sidecar, UNKNOWN_BRIDGE_PATH),
  ]);
  const conflicts = await checkPortConflicts(sidecar, health, bridge);
  if (conflicts.length > 0) return conflicts;
  if (health.status === 0 && bridge.status === 0) {
    const what = `the sidecar is not running: nothing answers at ${publicUrl}`;
    const own = "start it; if it exits right away, its last line says why";
    const other =
      "or, to check a sidecar on other ports, set WEB_BRIDGE_MODULES_API_PORT and WEB_BRIDGE_BRIDGE_PORT";
    const text = config.storage.kind === "redis" ? other : own;
    return problem(what, {
      text,
      command: commandsOf({ ...sidecar, runBy: withServer(sidecar.runBy, launched) }).start,
    });
  }
  const wrong = (what: string): Verdict => problem(what, byRestart(sidecar));
  if (isBridge(health)) return wrong(`${publicUrl} is the sidecar's bridge listener`);
  const why = (answer: Answer): string => {
    if (answer.status === 0) return "does not answer";
    const rejected = isHostNotAllowed(answer) ? ` that ${HOST_NOT_ALLOWED}` : "";
    return `reaches a sidecar${rejected}, which was started with other settings`;
  };
  if (!isHealthy(health)) return wrong(`${publicUrl} ${why(health)}`);
  if (!isBridge(bridge)) return wrong(`${bridgeUrl}, the bridge address, ${why(bridge)}`);
  return [
    ok(`the sidecar answers at ${publicUrl}`),
    ok(`the sidecar listens for the add-on at ${bridgeUrl}`),
  ];
}

export async function checkSidecarClock(sidecar: CheckedSidecar): Promise<Verdict> {
  const { date } = await requestBridge(sidecar, UNKNOWN_BRIDGE_PATH);
  return checkClock("the sidecar", date, sidecar.system);
}

/** Whether the sidecar accepts its token, which is only sent to a listener known to be the sidecar's. */
export async function checkAccepted(sidecar: CheckedSidecar): Promise<Verdict> {
  const whether = "whether the sidecar accepts the bridge token";
  if (sidecar.token === undefined) return skipped(`${whether}: the token is not known`);
  const { remote } = sidecar;
  if (remote?.hasToken === false) return skipped(`${whether}: the game server sends another one`);
  const { status, says } = await requestBridge(sidecar, UNKNOWN_BRIDGE_PATH, sidecar.token);
  if (status === 404 && says === "not_found") return ok("the running sidecar accepts the bridge token");
  if (status === 0) return skipped(`${whether}: it did not answer in time`);
  if (remote) {
    const fix = `copy its data/bridge-token into ${sidecar.config.storage.folder}, then run setup`;
    return problem(`the sidecar at ${remote.url} has a different token than ${sidecar.configFile}`, fix);
  }
  const other = "if that is another sidecar, such as another user's, give this one its own ports instead";
  const what = "the running sidecar has a different token than its configuration";
  return problem(what, byRestart(sidecar, other));
}

async function statusOf(sidecar: CheckedSidecar): Promise<BridgeStatus | undefined> {
  const { status, text } = await requestBridge(sidecar, STATUS_PATH, sidecar.token);
  const read = status === 200 ? checkJson(bridgeStatus, text) : { fault: "" };
  return "value" in read ? read.value : undefined;
}

/** Whether the sidecar runs with its present files and the installed version. */
export async function checkSettings(sidecar: CheckedSidecar): Promise<Verdict | Verdict[]> {
  const status = await statusOf(sidecar);
  if (status?.settings === undefined)
    return skipped("the settings of the running sidecar: it does not report them");
  const { settings, version, startedAt } = status;
  const { written, configFile, token = "", system, remote } = sidecar;
  const since = agoFrom(system, startedAt);
  const findings: Verdict[] = [];
  if (version !== PRODUCT_VERSION) {
    const what = `the sidecar runs with version ${version} (started ${since} ago), and ${PRODUCT_VERSION} is installed here`;
    const fix = remote ? "install the newer version on both machines, and run setup" : byRestart(sidecar);
    findings.push(problem(what, fix));
  }
  // It has a configuration of its own.
  if (remote) return findings.length > 0 ? findings : ok(`the sidecar runs with version ${version} too`);
  // The environment of the sidecar may differ from that of this process, so only files are compared.
  const changed = differing(settings.file, digestsOf(written, token).file);
  if (changed.length === 0) return [...findings, ok(`the running sidecar has the settings of ${configFile}`)];
  const isSame = settings.config === configFile;
  const what = `the running sidecar has older settings than ${configFile}: ${shortList(changed)} (started${isSame ? "" : ` with ${settings.config}`} ${since} ago)`;
  const other = `if ${settings.config} is the right file, pass it as --config instead`;
  return [...findings, problem(what, byRestart(sidecar, isSame ? undefined : other))];
}

const differing = (one: StartupSettings["file"], other: StartupSettings["file"]): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(at => one[at] !== other[at]).sort();

const shortList = (names: readonly string[]): string =>
  names.length <= NAMED
    ? names.join(", ")
    : `${names.slice(0, NAMED).join(", ")} and ${names.length - NAMED} more`;

/** Whether the connected game server is this one, and no other one tries to connect. */
export async function checkConnectedWorld(target: Target, own: CheckedSidecar): Promise<Verdict[]> {
  const { system } = target;
  const game = (await statusOf(own))?.game;
  if (game === undefined) return [];
  const findings: Verdict[] = [];
  const name = game.world?.name;
  if (name) {
    const isReporting = isRecent(game.reportedAt ?? Number.NEGATIVE_INFINITY, own);
    findings.push(
      isReporting
        ? checkWorldOf(target, name, agoFrom(system, game.connectedAt))
        : note(`the world ${name} was connected last, but no longer reports`),
    );
  }
  const { refusedAt = Number.NEGATIVE_INFINITY } = game;
  if (system.now() - refusedAt <= REFUSED_MS) {
    const what = `two game servers connect to this sidecar with one token: one of them was rejected ${agoFrom(system, refusedAt)} ago`;
    const text = `stop the one that should not be connected (it may be a copy of the other), and run setup for it with --undo, or with --as and its own name, see ${PAGE}`;
    findings.push(problem(what, text));
  }
  return findings;
}

function checkWorldOf(target: Target, name: string, since: string): Verdict {
  const what = `the sidecar is connected with the world ${name} (for ${since})`;
  const own = target.server.levelName;
  if (own === name) return ok(what);
  if (earlierNames(target).includes(name))
    return note(`${what}, an earlier name of this one: run setup, and start the server again`);
  const text = `give each game server its own name, see ${PAGE}`;
  const fix = bySetup(target, text, ` --as ${freeNameFor(target.sidecar, own)}`);
  return problem(`${what}, and the world of this server is ${own}`, fix);
}

const readiness = object({
  servers: list(object({ name: text(ID_LENGTH), state: text(ID_LENGTH) }), MAX_SERVERS),
});

export async function checkConnected(target: Target, sidecar: CheckedSidecar): Promise<Verdict> {
  const isConnected = sidecar.remote ? await isReporting(sidecar) : await isReady(sidecar);
  if (isConnected) return ok("the add-on is connected and reporting");
  if (target.running === undefined)
    return skipped(
      "whether the add-on is connected: the game server is not running, or runs on another machine",
    );
  const source = target.keepsAchievements ? "[launch], [Scripting]" : "[Scripting]";
  const text = `restart the server, and check its console for lines with ${source} and [web bridge]`;
  return problem("the server is running, but the add-on has not connected", text);
}

/** Whether a sidecar whose public listener cannot be reached gets reports. */
async function isReporting(sidecar: CheckedSidecar): Promise<boolean> {
  const { reportedAt = Number.NEGATIVE_INFINITY } = (await statusOf(sidecar))?.game ?? {};
  return isRecent(reportedAt, sidecar);
}

/** Whether the game server has reported since then as often as it should. */
const isRecent = (reportedAt: number, { config, system }: CheckedSidecar): boolean =>
  system.now() - reportedAt < REPORT_MS + 3 * config.modules.api.metricsRefreshInterval;

/** With only one game server, the status says it. */
async function isReady(sidecar: CheckedSidecar): Promise<boolean> {
  const { status, text } = await sendRequest(`${urlOf(sidecar.config.modules.api)}/readyz`, sidecar.system);
  if (!isSeveral(sidecar)) return status === 200;
  const read = checkJson(readiness, text);
  if (!("value" in read)) return false;
  return read.value.servers.some(({ name, state }) => name === sidecar.name && state === "online");
}

/** A duration until now, in words. */
function agoFrom({ now }: DoctorSystem, then: number): string {
  const minutes = Math.max(0, Math.floor((now() - then) / 60_000));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} days`;
}
