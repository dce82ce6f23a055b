import { isForMachineOnly, isOfMachine } from "../bds/address.ts";
import { ask, isBridge, isMisnamed, MISNAMED, NOWHERE } from "./asking.ts";
import { type Finding, ok, problem, skipped } from "./finding.ts";
import { configCommand, type Side, type Surroundings } from "./target.ts";

const ID = "bridge-way";

interface Asked {
  url: string;
  /** whether setup was told that address; else somebody has written it by hand */
  isNamed: boolean;
}

/** What has come of an address. */
export interface Way extends Pick<Asked, "isNamed"> {
  finding: Finding;
  /** whether a sidecar answers there */
  isSidecars: boolean;
}

/**
 * Whether an address on another machine, or behind a proxy, leads to a sidecar. A problem with `bridge-url` in it says
 * that the address cannot be meant.
 * @param setup command that sets the server up, with the address that setup has
 */
export async function checkWay(
  { url, isNamed }: Asked,
  side: Side | undefined,
  around: Surroundings,
  setup: string,
): Promise<Way> {
  const answer = await ask(url + NOWHERE, around);
  const way = (finding: Finding, isSidecars = false): Way => ({ finding, isSidecars, isNamed });
  // Setup keeps what it was told.
  const own = isNamed ? `${setup} --bridge-url default` : setup;
  if (!("status" in answer)) return way(unanswered({ url, isNamed }, answer.code, side, around, setup));
  if (isBridge(answer)) return way(ok(ID, `${url} leads to a sidecar`), true);
  const isElsewhere =
    "  (where it is on another machine or behind a proxy, name its address there with --bridge-url)";
  if (isMisnamed(answer)) {
    const mend = `have the proxy in front of it send Host: localhost, or, where there is none: ${own}${isElsewhere}`;
    return way(problem(ID, `${url} leads to a sidecar that ${MISNAMED}`, mend), true);
  }
  const what = `${url} does not lead to the sidecar's listener for the pack`;
  return way(problem(ID, what, `${own}${isElsewhere}`));
}

/** What nobody answers at may still be right where only the game server can reach it. */
function unanswered(
  { url, isNamed }: Asked,
  code: string | undefined,
  side: Side | undefined,
  around: Surroundings,
  setup: string,
): Finding {
  if (isOfMachine(url)) {
    const mend = isNamed
      ? `start the proxy that is to listen there, or: ${setup} --bridge-url default`
      : `${setup}  (or start the proxy that is to listen there)`;
    return problem(ID, `nobody answers at ${url}`, mend);
  }
  const isUnknown = code === "ENOTFOUND" || code === "EAI_AGAIN";
  const why = isUnknown ? "this machine knows no such name" : "it cannot be reached from this machine";
  if (side === undefined || url.startsWith("https:") || !isForMachineOnly(side.config)) {
    const byHand = `; setup has not written it and puts its own back, unless you have it keep this one: ${setup} --bridge-url ${url}`;
    return skipped(ID, `whether ${url} leads to the sidecar: ${why}${isNamed ? "" : byHand}`);
  }
  const { config, configFile } = side;
  const { host } = config.bridge;
  const set = configCommand(side, around, "set", "bridge.host", "-");
  return problem(
    "bridge-url",
    `variables.json: bridge-url is ${url}, and nobody answers there: ${why}, and the sidecar listens for this machine only (bridge.host ${host} in ${configFile})`,
    `for a game server on this machine: ${setup} --bridge-url default  (for one elsewhere: ${set}, which reads an address that it reaches, or start the proxy that is at ${url})`,
  );
}
