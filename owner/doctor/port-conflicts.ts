import { isLoopbackUrl, urlOf } from "../../bds/address.ts";
import { problem, type Verdict } from "./finding.ts";
import { bySetting, commandsOf } from "./fixes.ts";
import { type Answer, answerAt, isBridge, isHealthy, isHostNotAllowed } from "./http-request.ts";
import type { PortOwner } from "./port-owner.ts";
import type { CheckedSidecar, DoctorSystem } from "./target.ts";

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
export async function checkPortConflicts(
  sidecar: CheckedSidecar,
  { health, bridge }: Answers,
  system: DoctorSystem,
): Promise<Verdict[]> {
  const { api } = sidecar.config.modules;
  const isApi = isBridge(health) || isHealthy(health) || isHostNotAllowed(health);
  const isPack =
    isBridge(bridge) ||
    isHostNotAllowed(bridge) ||
    (bridge !== undefined && (await isPublic(sidecar, system)));
  const ports = [
    { key: "modules.api.port", at: api, answer: health, isSidecars: isApi },
    { key: "bridge.port", at: sidecar.config.bridge, answer: bridge, isSidecars: isPack },
  ];
  const chosen = ports.map(({ at }) => at.port);
  const findings: Verdict[] = [];
  for (const { key, at, answer, isSidecars } of ports) {
    const owner = await ownerAt(at, system);
    const other = otherSidecar(sidecar, owner, system);
    const isUnseen = owner === undefined || FOR_CONTAINER.test(owner.program ?? "");
    if (other === undefined && (isSidecars || (answer === undefined && isUnseen))) continue;
    const by =
      other === undefined
        ? `program${programName(owner)}`
        : `sidecar, that of ${other} (process ${owner?.pid})`;
    const what = `${key} ${at.port} in ${sidecar.configFile} is taken by another ${by}`;
    const free = await freeAfter(at, chosen, system);
    if (free !== undefined) chosen.push(free);
    // Two sidecars on one machine are usual, each with ports of its own.
    const stop = other === undefined ? "stop that program, or run this" : "take another port with this";
    const setup = key === "bridge.port" ? "; then run setup, which tells the pack" : "";
    findings.push(problem(what, bySetting(sidecar, system, key, String(free ?? "-"), stop + setup)));
  }
  return findings;
}

/** Whether the public listener of a sidecar answers where that for the pack is expected. */
const isPublic = async (sidecar: CheckedSidecar, system: DoctorSystem): Promise<boolean> => {
  const answer = await answerAt(`${urlOf(sidecar.config.bridge)}/healthz`, system);
  return isHealthy(answer) || isHostNotAllowed(answer);
};

/** Whether the sidecar that runs was started by hand beside a service, which cannot start then. */
export async function checkStartedByHand(sidecar: CheckedSidecar, system: DoctorSystem): Promise<Verdict[]> {
  const owner = await ownerAt(sidecar.config.modules.api, system);
  const running = owner?.pid === undefined ? undefined : system.sidecarAt(owner.pid);
  const isService = sidecar.runBy?.kind === "systemd" || sidecar.runBy?.kind === "task";
  if (!isService || running === undefined || running.runBy !== undefined) return [];
  const what = `the sidecar that runs was started by hand (process ${owner?.pid}): the service cannot start beside it`;
  const command = `kill ${owner?.pid} && ${commandsOf(sidecar, system).start}`;
  return [problem(what, { command })];
}

async function ownerAt(
  { host, port }: { host: string; port: number },
  system: DoctorSystem,
): Promise<PortOwner | undefined> {
  const isHere = isLoopbackUrl(urlOf({ host, port })) || system.ownAddresses().includes(host);
  return isHere ? system.portOwner(port, host) : undefined;
}

/** The configuration of another sidecar than the one that is looked at; undefined: none is seen. */
function otherSidecar(
  { configFile }: CheckedSidecar,
  owner: PortOwner | undefined,
  system: DoctorSystem,
): string | undefined {
  const running = owner?.pid === undefined ? undefined : system.sidecarAt(owner.pid);
  return running?.configFile === system.processes.realPath(configFile) ? undefined : running?.configFile;
}

/** A port close above that nobody is seen to have; undefined where there is none. */
async function freeAfter(
  { port, host }: { port: number; host: string },
  own: readonly number[],
  system: DoctorSystem,
): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + TRIED, LAST_PORT); next++)
    if (!own.includes(next) && (await system.portOwner(next, host)) === undefined) return next;
  return undefined;
}

/** Which program it is, to follow the word for it. */
export function programName(owner: PortOwner | undefined): string {
  if (owner?.pid === undefined) return "";
  return `, ${owner.program ?? "one"} (process ${owner.pid})`;
}
