import {
  isAny,
  isBeyond,
  isForMachineOnly,
  isOfMachine,
  isTlsToPlain,
  nameIn,
  parts,
  reaches,
  urlOf,
} from "../../bds/address.ts";
import { address } from "../../behavior_pack/address.ts";
import { ask, isBridge, isMisnamed, MISNAMED, NOWHERE } from "./http-request.ts";
import type { PackAddress, Side, Surroundings } from "./target.ts";

const DEFAULT = " --bridge-url default";

interface Given {
  side: Side | undefined;
  around: Surroundings;
  /** whether setup was told that address; else it was written by hand */
  isNamed: boolean;
}

/** Judges `bridge-url` of variables.json. What leads to another machine or to a proxy is sent a request without the token. */
export async function judgeAddress(value: unknown, given: Given): Promise<PackAddress> {
  const { side, around } = given;
  const written = judgeWritten(value, side, around);
  const { url } = written;
  if (written.state === "problem" || url === undefined) return written;
  if (!isBeyond(url, side?.config, around.ownAddresses())) return written;
  return judgeAnswer(url, given);
}

/** Judges the address as it is written, by the configuration alone. */
export function judgeWritten(value: unknown, side: Side | undefined, around: Surroundings): PackAddress {
  const wanted = side === undefined || side.config.bridge.port === 0 ? undefined : urlOf(side.config.bridge);
  const expected = wanted === undefined ? "" : `, expected ${wanted}`;
  const wrong = (what: string, option = DEFAULT): PackAddress => ({
    state: "problem",
    what: `variables.json: bridge-url ${what}${expected}`,
    url: wanted,
    option,
  });
  if (value === undefined) return wrong("is missing", "");
  // It may hold a password, so that it is not shown.
  if (typeof value === "string" && value.includes("@")) return wrong("has a name or a password in it");
  const url = address(value);
  if (url === undefined || !URL.canParse(url))
    return wrong(`is ${JSON.stringify(value)}, which is no address`, "");
  if (isAny(nameIn(url))) return wrong(`is ${url}, which stands for every address of a machine`);
  const right = (what = ""): PackAddress => ({
    state: "ok",
    what: `bridge-url is ${url}${what}`,
    url,
    option: "",
  });
  if (side === undefined || wanted === undefined) return right();
  const { bridge, modules } = side.config;
  const own = around.ownAddresses();
  if (isBeyond(url, side.config, own)) return right();
  const { pathname, port } = parts(url);
  if (port === bridge.port && isTlsToPlain(url, side.config, own))
    return wrong(`is ${url}, and the sidecar's listener for the pack has no TLS`);
  if (port === modules.api.port) return wrong(`is ${url}, the address of the public listener`);
  if (port !== bridge.port || pathname !== "/" || !reaches(nameIn(url), bridge)) return wrong(`is ${url}`);
  return right(", where the sidecar listens for the pack");
}

/** Judges an address on another machine, or behind a proxy, by what answers there. */
async function judgeAnswer(url: string, given: Given): Promise<PackAddress> {
  const kept = given.isNamed ? "" : ` --bridge-url ${url}`;
  const answer = await ask(url + NOWHERE, given.around);
  if (!("status" in answer)) return unanswered(url, answer.code, given);
  if (isBridge(answer)) return { state: "ok", what: `${url} leads to a sidecar`, url, option: kept };
  if (isMisnamed(answer)) {
    const fix = "have the proxy in front of it send Host: localhost, or run setup with --bridge-url default";
    return {
      state: "problem",
      what: `${url} leads to a sidecar that ${MISNAMED}`,
      url,
      fix,
      isKept: true,
      option: kept,
    };
  }
  const what = `${url} does not lead to the sidecar's listener for the pack`;
  const fix = "where the sidecar is elsewhere or behind a proxy, name its address with --bridge-url instead";
  return { state: "problem", what, url, fix, option: DEFAULT };
}

/** An address without an answer may still be right where only the game server can reach it. */
function unanswered(url: string, code: string | undefined, { side, isNamed }: Given): PackAddress {
  if (isOfMachine(url)) {
    const fix = "or start the proxy that is to listen there";
    return { state: "problem", what: `nobody answers at ${url}`, url, fix, option: DEFAULT };
  }
  const isUnknown = code === "ENOTFOUND" || code === "EAI_AGAIN";
  const why = isUnknown ? "this machine knows no such name" : "it cannot be reached from this machine";
  if (side === undefined || url.startsWith("https:") || !isForMachineOnly(side.config)) {
    const written = `; setup did not write it: to keep it, run setup with --bridge-url ${url}`;
    const what = `it is not known whether ${url} leads to the sidecar: ${why}${isNamed ? "" : written}`;
    return { state: "note", what, url, option: "" };
  }
  const { config, configFile } = side;
  return {
    state: "problem",
    what: `variables.json: bridge-url is ${url}, and nobody answers there: ${why}, and the sidecar listens for this machine only (bridge.host ${config.bridge.host} in ${configFile})`,
    url: urlOf(config.bridge),
    fix: "for a game server elsewhere, set bridge.host to an address that it reaches instead",
    option: DEFAULT,
  };
}
