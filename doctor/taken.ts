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
  const found = async (
    { host, port }: { host: string; port: number },
    answer: Answer | undefined,
    id: string,
    key: string,
    then: string,
  ): Promise<Finding[]> => {
    const isHere = isOfMachine(urlOf({ host, port })) || around.ownAddresses().includes(host);
    const holder = isHere ? await around.holderOf(port, host) : undefined;
    if (answer === undefined && (holder === undefined || FOR_CONTAINER.test(holder.program ?? ""))) return [];
    const what = `${key} ${port} in ${configFile} is taken by another program${named(holder)}`;
    const free = await freeAfter(port, host, [api.port, config.bridge.port], around);
    const set = configCommand(side, around, "set", key, String(free ?? "-"));
    return [problem(id, what, `stop that program, or: ${set}, then: ${then}`)];
  };
  const [one, other] = await Promise.all([
    isBridge(health) || isOwn(health) ? [] : found(api, health, "public-listener", "modules.api.port", start),
    isBridge(bridge) || (await isSidecar(bridge, side, around))
      ? []
      : found(config.bridge, bridge, "bridge-listener", "bridge.port", `${setup}; ${start}`),
  ]);
  return [...one, ...other];
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
