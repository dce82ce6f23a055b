import { quoted } from "../cli/commands.ts";
import { isOfMachine, urlOf } from "./address.ts";
import { type Finding, ok, problem, skipped } from "./finding.ts";
import type { Side, Surroundings } from "./target.ts";
import { checkWebhooks } from "./webhooks.ts";

const TIMEOUT_MS = 4000;
/** How far apart two clocks may be, in milliseconds. */
const CLOCK_MS = 60_000;
/** A path of the bridge that leads nowhere: what answers shows whether the token is taken. */
const NOWHERE = "/bridge/doctor";

interface Answer {
  status: number;
  /** `error` or `status` of a JSON answer */
  says: string;
  date: string | null;
  text: string;
}

/** Asks, a second time where a connection breaks; undefined: nobody answers. */
async function ask(url: string, around: Surroundings, token?: string): Promise<Answer | undefined> {
  return (await askOnce(url, around, token)) ?? askOnce(url, around, token);
}

async function askOnce(url: string, around: Surroundings, token?: string): Promise<Answer | undefined> {
  try {
    const response = await around.fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(token !== undefined && { headers: { Authorization: token } }),
    });
    const text = await response.text();
    return { status: response.status, says: wordOf(text), date: response.headers.get("Date"), text };
  } catch {
    return undefined;
  }
}

function wordOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null) return "";
    const { error, status }: { error?: unknown; status?: unknown } = value;
    return String(error ?? status ?? "");
  } catch {
    return "";
  }
}

const isBridge = (answer: Answer | undefined): boolean =>
  answer?.status === 401 && answer.says === "unauthorized";

const isMisnamed = (answer: Answer): boolean => answer.status === 421 && answer.says === "host_not_allowed";

/** Whether the sidecar runs with these settings. `ready`: a game server has reported lately; undefined: not known. */
export async function checkListeners(
  side: Side,
  around: Surroundings,
): Promise<{ findings: Finding[]; ready: boolean | undefined }> {
  const { config, configFile, token } = side;
  const [publicUrl, bridgeUrl] = [urlOf(config.modules.api), urlOf(config.bridge)];
  const start = `${around.programs.start} --config ${quoted(configFile)}`;
  const again = `stop the sidecar and start it again: ${start}`;
  const [health, bridge] = await Promise.all([
    ask(`${publicUrl}/healthz`, around),
    ask(bridgeUrl + NOWHERE, around),
  ]);
  const unknown = (finding: Finding): { findings: Finding[]; ready: undefined } => ({
    findings: [finding, skipped("sidecar", "the sidecar's answers: it has to run with its settings first")],
    ready: undefined,
  });
  if (health === undefined && bridge === undefined)
    return unknown(
      problem(
        "sidecar-running",
        `the sidecar is not running: nobody answers at ${publicUrl}`,
        config.storage.kind === "redis"
          ? `${start}  (or name one that runs: WEB_BRIDGE_MODULES_API_PORT and WEB_BRIDGE_BRIDGE_PORT)`
          : start,
      ),
    );
  const running = ok("sidecar-running", `the sidecar answers at ${publicUrl}`);
  if (isBridge(health))
    return unknown(problem("public-listener", `${publicUrl} is the sidecar's listener for the pack`, again));
  if (health?.status !== 200 || health.says !== "ok")
    return unknown(problem("public-listener", `${publicUrl} ${answers(health)}`, again));
  if (!isBridge(bridge))
    return unknown(
      problem("bridge-listener", `${bridgeUrl}, the address for the pack, ${answers(bridge)}`, again),
    );
  const findings = [running, ok("bridge-listener", `the sidecar waits for the pack at ${bridgeUrl}`)];
  const accepted = await tokenTaken(bridgeUrl, token, around, again);
  findings.push(accepted, clock(bridge, around));
  const metrics =
    config.webhooks.length > 0 && accepted.state === "ok"
      ? await ask(`${bridgeUrl}/metrics`, around, token)
      : undefined;
  findings.push(...checkWebhooks(side, metrics?.text, again));
  const { status } = (await ask(`${publicUrl}/readyz`, around)) ?? { status: 0 };
  return { findings, ready: status === 200 };
}

const MISNAMED = "does not answer to this name (421)";

function answers(answer: Answer | undefined): string {
  if (answer === undefined) return "does not answer";
  if (isMisnamed(answer)) return `is a sidecar's that ${MISNAMED}: it was started with other settings`;
  return "is another program's, or that of a sidecar with other settings";
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
  const answer = await ask(url + NOWHERE, around, token);
  if (answer?.status === 404 && answer.says === "not_found")
    return ok(id, "the running sidecar takes its token");
  return problem(id, "the running sidecar has another token than its configuration now", again);
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

/** Whether an address on another machine, or behind a proxy, leads to a sidecar. */
export async function checkElsewhere(url: string, around: Surroundings, setup: string): Promise<Finding> {
  const id = "bridge-way";
  const answer = await ask(url + NOWHERE, around);
  const another = `${setup} --bridge-url <address>`;
  if (answer === undefined && isOfMachine(url))
    return problem(id, `nobody answers at ${url}`, `start the proxy that is to listen there, or: ${another}`);
  if (answer === undefined)
    return skipped(id, `whether ${url} leads to the sidecar: it cannot be reached from this machine`);
  if (isBridge(answer)) return ok(id, `${url} leads to a sidecar`);
  if (isMisnamed(answer))
    return problem(
      id,
      `${url} leads to a sidecar that ${MISNAMED}`,
      `have the proxy in front of it send Host: localhost, or, where there is none, give the address of its listener for the pack: ${another}`,
    );
  return problem(id, `${url} does not lead to the sidecar's listener for the pack`, another);
}
