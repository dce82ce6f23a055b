import { checkJson, list, object, text } from "../../shared/guard.ts";
import { ID_LENGTH } from "../../shared/limits.ts";
import { urlOf } from "../bds/address.ts";
import { type Answer, answerAt, isBridge, isHealthy, isMisnamed, MISNAMED, NOWHERE } from "./asking.ts";
import { type Finding, ok, problem, skipped } from "./finding.ts";
import { isSeveral } from "./own-entry.ts";
import { checkSignIn } from "./sign-in.ts";
import { checkStore } from "./store.ts";
import { checkByHand, checkTaken } from "./taken.ts";
import { commandsOf, type Side, type Surroundings } from "./target.ts";
import { checkWebhooks } from "./webhooks.ts";

/** Game servers that a sidecar may list. */
const MOST_LISTED = 100;
/** How far apart two clocks may be, in milliseconds. */
const CLOCK_MS = 60_000;

/**
 * Whether the sidecar runs with these settings. `ready`: a game server has reported lately; undefined: not known.
 * @param setup command that sets the server up
 */
export async function checkListeners(
  side: Side,
  around: Surroundings,
  setup: string,
): Promise<{ findings: Finding[]; ready: boolean | undefined }> {
  const { config, token } = side;
  const [publicUrl, bridgeUrl] = [urlOf(config.modules.api), urlOf(config.bridge)];
  const { start, restart: again } = commandsOf(side, around);
  const [health, bridge] = await Promise.all([
    answerAt(`${publicUrl}/healthz`, around),
    answerAt(bridgeUrl + NOWHERE, around),
  ]);
  const unknown = (...found: Finding[]): { findings: Finding[]; ready: undefined } => ({
    findings: [...found, skipped("sidecar", "the sidecar's answers: it has to run with its settings first")],
    ready: undefined,
  });
  const taken = await checkTaken(side, { health, bridge }, around, { start, setup });
  if (taken.length > 0) return unknown(...taken);
  if (health === undefined && bridge === undefined) {
    const unfit = checkStore(side, around, start);
    if (unfit.length > 0) return unknown(...unfit);
    return unknown(
      problem(
        "sidecar-running",
        `the sidecar is not running: nobody answers at ${publicUrl}`,
        config.storage.kind === "redis"
          ? `${start}  (or name one that runs: WEB_BRIDGE_MODULES_API_PORT and WEB_BRIDGE_BRIDGE_PORT)`
          : start,
      ),
    );
  }
  const running = ok("sidecar-running", `the sidecar answers at ${publicUrl}`);
  if (isBridge(health))
    return unknown(problem("public-listener", `${publicUrl} is the sidecar's listener for the pack`, again));
  if (!isHealthy(health))
    return unknown(problem("public-listener", `${publicUrl} ${answers(health)}`, again));
  if (!isBridge(bridge))
    return unknown(
      problem("bridge-listener", `${bridgeUrl}, the address for the pack, ${answers(bridge)}`, again),
    );
  const findings = [running, ok("bridge-listener", `the sidecar waits for the pack at ${bridgeUrl}`)];
  const accepted = await tokenTaken(bridgeUrl, token, around, again);
  findings.push(accepted, clock(bridge, around), ...(await checkByHand(side, around, start)));
  const metrics =
    config.webhooks.length > 0 && accepted.state === "ok"
      ? await answerAt(`${bridgeUrl}/metrics`, around, token)
      : undefined;
  findings.push(...checkWebhooks(side, metrics?.text, again, around), ...(await checkSignIn(side, around)));
  return { findings, ready: isReady(await answerAt(`${publicUrl}/readyz`, around), side) };
}

const readiness = object({
  servers: list(object({ name: text(ID_LENGTH), state: text(ID_LENGTH) }), MOST_LISTED),
});

/** Whether the game server that is looked at reports; of one alone the status says so. */
function isReady(answer: Answer | undefined, side: Side): boolean {
  if (answer === undefined || !isSeveral(side)) return answer?.status === 200;
  const read = checkJson(readiness, answer.text);
  return (
    "value" in read && read.value.servers.some(({ name, state }) => name === side.name && state === "online")
  );
}

function answers(answer: Answer | undefined): string {
  if (answer === undefined) return "does not answer";
  if (isMisnamed(answer)) return `is a sidecar's that ${MISNAMED}: it was started with other settings`;
  return "is a sidecar's that was started with other settings";
}

/** The token goes to a listener that has been seen to be the sidecar's only. */
async function tokenTaken(
  url: string,
  token: string | undefined,
  around: Surroundings,
  again: string,
): Promise<Finding> {
  const id = "token-accepted";
  if (token === undefined) return skipped(id, "whether the sidecar takes its token: it is not known");
  const answer = await answerAt(url + NOWHERE, around, token);
  if (answer?.status === 404 && answer.says === "not_found")
    return ok(id, "the running sidecar takes its token");
  if (answer === undefined)
    return skipped(id, "whether the sidecar takes its token: it did not answer that in time");
  const another = "(where it is another sidecar, such as another user's, give this one ports of its own)";
  return problem(
    id,
    "the running sidecar has another token than its configuration now",
    `${again}  ${another}`,
  );
}

function clock(answer: Answer | undefined, around: Surroundings): Finding {
  const id = "clock";
  const then = Date.parse(answer?.date ?? "");
  if (Number.isNaN(then)) return skipped(id, "clocks: the answer of the sidecar has no time");
  const apart = Math.abs(around.now() - then);
  if (apart <= CLOCK_MS) return ok(id, "the clocks of both sides are the same");
  const what = `the clocks of the sidecar and of this machine are ${Math.round(apart / 1000)} s apart`;
  return problem(id, what, "set both to the right time, for example with NTP");
}
