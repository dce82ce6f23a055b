import { checkJson } from "../../shared/guard.ts";
import { type BridgeStatus, bridgeStatus, STATUS_PATH } from "../../shared/status.ts";
import { PRODUCT_VERSION } from "../../shared/version.ts";
import { variableOf } from "../../sidecar/config/settings.ts";
import { digestsOf, type Written } from "../../sidecar/config/written.ts";
import { urlOf } from "../bds/address.ts";
import { type Finding, note, ok, problem, skipped } from "./finding.ts";
import { commandsOf, type Side, type Surroundings, type Target } from "./target.ts";
import { checkConnectedWorld, checkRivals } from "./world-name.ts";

const TIMEOUT_MS = 4_000;
/** How long ago the game may have reported to count as connected, besides its interval, in milliseconds. */
const REPORT_MS = 15_000;
/** Names in one line. */
const NAMED = 5;

/**
 * Whether the sidecar runs with what its files say now, and with which world.
 * @param live what its listeners have shown; the token goes to one that takes it only
 */
export async function checkRunning(
  side: Side,
  around: Surroundings,
  live: readonly Finding[],
  target: Target | undefined,
): Promise<Finding[]> {
  const { token, config } = side;
  if (token === undefined || !live.some(({ id, state }) => id === "token-accepted" && state === "ok"))
    return [];
  const status = await read(urlOf(config.bridge), token, around);
  const id = "running-settings";
  if (status === undefined) return [skipped(id, "what the sidecar runs with: it does not tell")];
  const ago = (then: number): string => inWords(around.now() - then);
  const { game, settings, version } = status;
  const reported = game?.reportedAt ?? Number.NEGATIVE_INFINITY;
  const isReporting = around.now() - reported < REPORT_MS + 3 * config.modules.api.metricsRefreshInterval;
  const again = commandsOf(side, around).restart;
  const findings: Finding[] = [];
  if (version !== PRODUCT_VERSION) {
    const what = `the sidecar runs with version ${version} (started ${ago(status.startedAt)} ago), and ${PRODUCT_VERSION} is installed here`;
    findings.push(problem("running-version", what, again));
  }
  if (status.server !== undefined && status.server !== side.name) {
    const what = `the sidecar that runs takes this token for ${status.server}, and ${side.configFile} has it for ${side.name}`;
    findings.push(problem("running-server", what, again));
  }
  if (settings === undefined) findings.push(skipped(id, "what the sidecar runs with: it does not tell"));
  else findings.push(...compare(settings, side, token, again, ago(status.startedAt)));
  findings.push(...checkConnectedWorld(game, isReporting, target, ago));
  if (game !== undefined) findings.push(...checkRivals(game, around, ago));
  return findings;
}

async function read(url: string, token: string, around: Surroundings): Promise<BridgeStatus | undefined> {
  try {
    const response = await around.fetch(url + STATUS_PATH, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { Authorization: token },
    });
    const told = checkJson(bridgeStatus, await response.text());
    return response.status === 200 && "value" in told ? told.value : undefined;
  } catch {
    return undefined;
  }
}

/** File with file: the environment of this process is perhaps another one than that of the sidecar. */
function compare(
  running: NonNullable<BridgeStatus["settings"]>,
  { written, configFile }: Side,
  token: string,
  again: string,
  since: string,
): Finding[] {
  const id = "running-settings";
  const now = digestsOf(written, token);
  const changed = differing(running.file, now.file);
  const findings: Finding[] = [];
  if (changed.length === 0) findings.push(ok(id, `the sidecar runs with what is in ${configFile}`));
  else {
    const [place, or] =
      running.config === configFile
        ? ["", ""]
        : [
            ` with ${running.config}`,
            `; where ${running.config} is another file, name that one with --config`,
          ];
    const what = `the sidecar runs with older settings than ${configFile} has now: ${named(changed)} (started${place} ${since} ago)`;
    findings.push(problem(id, what, again + or));
  }
  const others = differing(running.environment, now.environment).map(variableOf);
  if (others.length > 0)
    findings.push(
      note("running-environment", `the sidecar has another environment than this doctor: ${named(others)}`),
    );
  return findings;
}

const differing = (one: Written["file"], other: Written["file"]): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(at => one[at] !== other[at]).sort();

const named = (names: readonly string[]): string =>
  names.length <= NAMED
    ? names.join(", ")
    : `${names.slice(0, NAMED).join(", ")} and ${names.length - NAMED} more`;

const MINUTE_MS = 60_000;

function inWords(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} days`;
}
