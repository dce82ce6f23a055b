import { isOfMachine, urlOf } from "../bds/address.ts";
import { type Answer, answerAt, isBridge, isHealthy, isMisnamed } from "./asking.ts";
import { type Finding, problem } from "./finding.ts";
import type { Holder } from "./holder.ts";
import { configCommand, type Side, type Surroundings } from "./target.ts";

const LAST_PORT = 65_535;
/** How many ports are looked at for a free one. */
const TRIED = 10;

/** What answered at the two addresses of the configuration. */
interface Answers {
  health: Answer | undefined;
  bridge: Answer | undefined;
}

/** Programs that hold a port for one in a container. */
export const FOR_CONTAINER =
  /^(docker-proxy|com\.docker\..*|rootlessport|rootlesskit|slirp4netns|pasta)(\.exe)?$/;

/** Whether other programs have the sidecar's ports: starting it would not help then. */
export async function checkTaken(
  side: Side,
  { health, bridge }: Answers,
  around: Surroundings,
  { start, setup }: { start: string; setup: string },
): Promise<Finding[]> {
  const { config, configFile } = side;
  const { api } = config.modules;
  const chosen = [api.port, config.bridge.port];
  const found = async (
    listener: { host: string; port: number },
    answer: Answer | undefined,
    isSidecars: boolean,
    [id, key, then]: [id: string, key: string, then: string],
  ): Promise<Finding[]> => {
    const { host, port } = listener;
    const holder = await holderAt(listener, around);
    const other = otherSidecar(side, holder, around);
    if (other === undefined && isSidecars) return [];
    if (answer === undefined && (holder === undefined || FOR_CONTAINER.test(holder.program ?? ""))) return [];
    const by =
      other === undefined ? `program${named(holder)}` : `sidecar, that of ${other} (process ${holder?.pid})`;
    const what = `${key} ${port} in ${configFile} is taken by another ${by}`;
    const free = await freeAfter(port, host, chosen, around);
    if (free !== undefined) chosen.push(free);
    const set = configCommand(side, around, "set", key, String(free ?? "-"));
    // Two sidecars on one machine are usual, each with ports of its own.
    const stop = other === undefined ? "stop that program, or: " : "";
    return [problem(id, what, `${stop}${set}, then: ${then}`)];
  };
  return [
    ...(await found(api, health, isBridge(health) || isOwn(health), [
      "public-listener",
      "modules.api.port",
      start,
    ])),
    ...(await found(config.bridge, bridge, isBridge(bridge) || (await isSidecar(bridge, side, around)), [
      "bridge-listener",
      "bridge.port",
      `${setup}; ${start}`,
    ])),
  ];
}

/** Whether the sidecar that runs was started by hand beside a service, which cannot start then. */
export async function checkByHand(side: Side, around: Surroundings, start: string): Promise<Finding[]> {
  const holder = await holderAt(side.config.modules.api, around);
  const running = holder?.pid === undefined ? undefined : around.sidecarAt(holder.pid);
  const isService = side.runBy?.kind === "systemd" || side.runBy?.kind === "task";
  if (!isService || running === undefined || running.runBy !== undefined) return [];
  const what = `the sidecar that runs was started by hand (process ${holder?.pid}): the service cannot start beside it`;
  return [problem("started-by-hand", what, `kill ${holder?.pid} && ${start}`)];
}

async function holderAt(
  { host, port }: { host: string; port: number },
  around: Surroundings,
): Promise<Holder | undefined> {
  const isHere = isOfMachine(urlOf({ host, port })) || around.ownAddresses().includes(host);
  return isHere ? around.holderOf(port, host) : undefined;
}

/** The configuration of a sidecar that is another one than that which is looked at; undefined: none is seen to be. */
function otherSidecar(
  { configFile }: Side,
  holder: Holder | undefined,
  around: Surroundings,
): string | undefined {
  const running = holder?.pid === undefined ? undefined : around.sidecarAt(holder.pid);
  return running === undefined || running.configFile === around.signs.realPath(configFile)
    ? undefined
    : running.configFile;
}

/** A port close above that nobody is seen to have; undefined where that cannot be told. */
async function freeAfter(
  port: number,
  host: string,
  own: readonly number[],
  around: Surroundings,
): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + TRIED, LAST_PORT); next++)
    if (!own.includes(next) && (await around.holderOf(next, host)) === undefined) return next;
  return undefined;
}

const isOwn = (answer: Answer | undefined): boolean =>
  isHealthy(answer) || (answer !== undefined && isMisnamed(answer));

/** Whether it is the public listener of a sidecar that answers where that for the pack is expected. */
async function isSidecar(answer: Answer | undefined, side: Side, around: Surroundings): Promise<boolean> {
  if (answer === undefined) return false;
  return isMisnamed(answer) || isOwn(await answerAt(`${urlOf(side.config.bridge)}/healthz`, around));
}

/** Which program it is, to follow the word for it. */
export function named(holder: Holder | undefined): string {
  if (holder?.pid === undefined) return "";
  return `, ${holder.program ?? "one"} (process ${holder.pid})`;
}
