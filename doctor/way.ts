import { isForMachineOnly, isOfMachine } from "../bds/address.ts";
import { ask, isBridge, isMisnamed, MISNAMED, NOWHERE } from "./asking.ts";
import { type Finding, ok, problem, skipped } from "./finding.ts";
import { configCommand, type Side, type Surroundings } from "./target.ts";

const ID = "bridge-way";

/**
 * Whether an address on another machine, or behind a proxy, leads to a sidecar. A problem with `bridge-url` in it says
 * that the address cannot be meant.
 */
export async function checkWay(
  url: string,
  side: Side | undefined,
  around: Surroundings,
  setup: string,
): Promise<Finding> {
  const answer = await ask(url + NOWHERE, around);
  const another = `${setup} --bridge-url <address>`;
  if (!("status" in answer)) return unanswered(url, answer.code, side, around, setup);
  if (isBridge(answer)) return ok(ID, `${url} leads to a sidecar`);
  if (isMisnamed(answer))
    return problem(
      ID,
      `${url} leads to a sidecar that ${MISNAMED}`,
      `have the proxy in front of it send Host: localhost, or, where there is none, give the address of its listener for the pack: ${another}`,
    );
  return problem(ID, `${url} does not lead to the sidecar's listener for the pack`, another);
}

/** What nobody answers at may still be right where only the game server can reach it. */
function unanswered(
  url: string,
  code: string | undefined,
  side: Side | undefined,
  around: Surroundings,
  setup: string,
): Finding {
  if (isOfMachine(url))
    return problem(
      ID,
      `nobody answers at ${url}`,
      `start the proxy that is to listen there, or: ${setup} --bridge-url <address>`,
    );
  const isUnknown = code === "ENOTFOUND" || code === "EAI_AGAIN";
  const why = isUnknown ? "this machine knows no such name" : "it cannot be reached from this machine";
  if (side === undefined || url.startsWith("https:") || !isForMachineOnly(side.config))
    return skipped(ID, `whether ${url} leads to the sidecar: ${why}`);
  const { config, configFile } = side;
  const { host } = config.bridge;
  const set = configCommand(side, around, "set", "bridge.host", "<address>");
  return problem(
    "bridge-url",
    `variables.json: bridge-url is ${url}, and nobody answers there: ${why}, and the sidecar listens for this machine only (bridge.host ${host} in ${configFile})`,
    `for a game server on this machine: ${setup} --bridge-url default  (for one elsewhere: ${set}, with an address that it reaches, or start the proxy that is at ${url})`,
  );
}
