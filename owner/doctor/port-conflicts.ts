import { isLoopbackUrl, urlOf } from "../../bds/address.ts";
import { problem, type Verdict } from "./finding.ts";
import { bySetting, commandsOf } from "./fixes.ts";
import { type Answer, isBridge, isHealthy, isHostNotAllowed, sendRequest } from "./http-request.ts";
import type { PortOwner } from "./port-owner.ts";
import type { CheckedSidecar } from "./target.ts";

const LAST_PORT = 65_535;
/** Most ports that are tried. */
const TRIED = 10;

/** Programs that hold a port for one in a container. */
export const CONTAINER_PROXY =
  /^(docker-proxy|com\.docker\..*|rootlessport|rootlesskit|slirp4netns|pasta)(\.exe)?$/;

/**
 * Port conflicts: other programs that use the sidecar's ports, so that it cannot start.
 * @param health answer at the public address
 * @param bridge answer at the address for the pack
 */
export async function checkPortConflicts(
  sidecar: CheckedSidecar,
  health: Answer,
  bridge: Answer,
): Promise<Verdict[]> {
  const { config, configFile } = sidecar;
  const isApi = isBridge(health) || isHealthy(health) || isHostNotAllowed(health);
  const isPack =
    isBridge(bridge) || isHostNotAllowed(bridge) || (bridge.status > 0 && (await isPublic(sidecar)));
  const ports = [
    { key: "modules.api.port", at: config.modules.api, answer: health, isSidecars: isApi },
    { key: "bridge.port", at: config.bridge, answer: bridge, isSidecars: isPack },
  ];
  const chosen = ports.map(({ at }) => at.port);
  const findings: Verdict[] = [];
  for (const { key, at, answer, isSidecars } of ports) {
    const owner = await ownerAt(at, sidecar);
    const other = otherSidecar(sidecar, owner);
    const isUnseen = owner === undefined || CONTAINER_PROXY.test(owner.program ?? "");
    if (other === undefined && (isSidecars || (answer.status === 0 && isUnseen))) continue;
    const by =
      other === undefined
        ? `program${programName(owner)}`
        : `sidecar, that of ${other} (process ${owner?.pid})`;
    const what = `${key} ${at.port} in ${configFile} is already used by another ${by}`;
    const free = await freeAfter(at, chosen, sidecar);
    if (free !== undefined) chosen.push(free);
    // Two sidecars on one machine are common, each with its own ports.
    const stop = other === undefined ? "stop that program, or use another port" : "use another port";
    const setup = key === "bridge.port" ? "; then run setup again, so that the add-on uses it" : "";
    findings.push(problem(what, bySetting(sidecar, key, String(free ?? "-"), stop + setup)));
  }
  return findings;
}

/** Whether a sidecar's public listener answers at the address for the pack. */
async function isPublic({ config, system }: CheckedSidecar): Promise<boolean> {
  const answer = await sendRequest(`${urlOf(config.bridge)}/healthz`, system);
  return isHealthy(answer) || isHostNotAllowed(answer);
}

/** Whether the running sidecar was started by hand, so that its service cannot start. */
export async function checkStartedByHand(sidecar: CheckedSidecar): Promise<Verdict | undefined> {
  const pid = (await ownerAt(sidecar.config.modules.api, sidecar))?.pid;
  const running = pid === undefined ? undefined : sidecar.system.sidecarAt(pid);
  const isService = sidecar.runBy?.kind === "systemd" || sidecar.runBy?.kind === "task";
  if (!isService || running === undefined || running.runBy !== undefined) return undefined;
  const what = `a sidecar that was started by hand is running (process ${pid}): the service cannot start until it has stopped`;
  return problem(what, { command: `kill ${pid} && ${commandsOf(sidecar).start}` });
}

interface Listener {
  host: string;
  port: number;
}

async function ownerAt({ host, port }: Listener, { system }: CheckedSidecar): Promise<PortOwner | undefined> {
  const isHere = isLoopbackUrl(urlOf({ host, port })) || system.ownAddresses().includes(host);
  return isHere ? system.portOwner(port, host) : undefined;
}

/** The configuration of another sidecar at a port; undefined: none is seen. */
function otherSidecar(
  { configFile, system }: CheckedSidecar,
  owner: PortOwner | undefined,
): string | undefined {
  const running = owner?.pid === undefined ? undefined : system.sidecarAt(owner.pid);
  return running?.configFile === system.processes.realPath(configFile) ? undefined : running?.configFile;
}

/** The next port without a listener; undefined: none. */
async function freeAfter(
  { port, host }: Listener,
  own: readonly number[],
  { system }: CheckedSidecar,
): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + TRIED, LAST_PORT); next++)
    if (!own.includes(next) && (await system.portOwner(next, host)) === undefined) return next;
  return undefined;
}

export const programName = (owner: PortOwner | undefined): string =>
  owner?.pid === undefined ? "" : `, ${owner.program ?? "one"} (process ${owner.pid})`;
