import { isOfMachine, urlOf } from "../../bds/address.ts";
import { problem, type Verdict } from "./finding.ts";
import { bySetting, commandsOf } from "./fixes.ts";
import { type Answer, answerAt, isBridge, isHealthy, isMisnamed } from "./http-request.ts";
import type { Holder } from "./port-owner.ts";
import type { Side, Surroundings } from "./target.ts";

const LAST_PORT = 65_535;
/** How many ports are tried for a free one. */
const TRIED = 10;

/** Programs that hold a port for one in a container. */
export const FOR_CONTAINER =
  /^(docker-proxy|com\.docker\..*|rootlessport|rootlesskit|slirp4netns|pasta)(\.exe)?$/;

/** What answered at the two addresses of the configuration. */
export interface Answers {
  health: Answer | undefined;
  bridge: Answer | undefined;
}

/** Names other programs that have the sidecar's ports: starting it would not help then. */
export async function checkTaken(
  side: Side,
  { health, bridge }: Answers,
  around: Surroundings,
): Promise<Verdict[]> {
  const { api } = side.config.modules;
  const isApi = isBridge(health) || isHealthy(health) || isMisnamed(health);
  const isPack =
    isBridge(bridge) || isMisnamed(bridge) || (bridge !== undefined && (await isPublic(side, around)));
  const ports = [
    { key: "modules.api.port", at: api, answer: health, isSidecars: isApi },
    { key: "bridge.port", at: side.config.bridge, answer: bridge, isSidecars: isPack },
  ];
  const chosen = ports.map(({ at }) => at.port);
  const findings: Verdict[] = [];
  for (const { key, at, answer, isSidecars } of ports) {
    const holder = await holderAt(at, around);
    const other = otherSidecar(side, holder, around);
    const isUnseen = holder === undefined || FOR_CONTAINER.test(holder.program ?? "");
    if (other === undefined && (isSidecars || (answer === undefined && isUnseen))) continue;
    const by =
      other === undefined ? `program${named(holder)}` : `sidecar, that of ${other} (process ${holder?.pid})`;
    const what = `${key} ${at.port} in ${side.configFile} is taken by another ${by}`;
    const free = await freeAfter(at, chosen, around);
    if (free !== undefined) chosen.push(free);
    // Two sidecars on one machine are usual, each with ports of its own.
    const stop = other === undefined ? "stop that program, or run this" : "take another port with this";
    const setup = key === "bridge.port" ? "; then run setup, which tells the pack" : "";
    findings.push(problem(what, bySetting(side, around, key, String(free ?? "-"), stop + setup)));
  }
  return findings;
}

/** Whether the public listener of a sidecar answers where that for the pack is expected. */
const isPublic = async (side: Side, around: Surroundings): Promise<boolean> => {
  const answer = await answerAt(`${urlOf(side.config.bridge)}/healthz`, around);
  return isHealthy(answer) || isMisnamed(answer);
};

/** Whether the sidecar that runs was started by hand beside a service, which cannot start then. */
export async function checkByHand(side: Side, around: Surroundings): Promise<Verdict[]> {
  const holder = await holderAt(side.config.modules.api, around);
  const running = holder?.pid === undefined ? undefined : around.sidecarAt(holder.pid);
  const isService = side.runBy?.kind === "systemd" || side.runBy?.kind === "task";
  if (!isService || running === undefined || running.runBy !== undefined) return [];
  const what = `the sidecar that runs was started by hand (process ${holder?.pid}): the service cannot start beside it`;
  const command = `kill ${holder?.pid} && ${commandsOf(side, around).start}`;
  return [problem(what, { command })];
}

async function holderAt(
  { host, port }: { host: string; port: number },
  around: Surroundings,
): Promise<Holder | undefined> {
  const isHere = isOfMachine(urlOf({ host, port })) || around.ownAddresses().includes(host);
  return isHere ? around.holderOf(port, host) : undefined;
}

/** The configuration of another sidecar than the one that is looked at; undefined: none is seen. */
function otherSidecar(
  { configFile }: Side,
  holder: Holder | undefined,
  around: Surroundings,
): string | undefined {
  const running = holder?.pid === undefined ? undefined : around.sidecarAt(holder.pid);
  return running?.configFile === around.signs.realPath(configFile) ? undefined : running?.configFile;
}

/** A port close above that nobody is seen to have; undefined where there is none. */
async function freeAfter(
  { port, host }: { port: number; host: string },
  own: readonly number[],
  around: Surroundings,
): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + TRIED, LAST_PORT); next++)
    if (!own.includes(next) && (await around.holderOf(next, host)) === undefined) return next;
  return undefined;
}

/** Which program it is, to follow the word for it. */
export function named(holder: Holder | undefined): string {
  if (holder?.pid === undefined) return "";
  return `, ${holder.program ?? "one"} (process ${holder.pid})`;
}
