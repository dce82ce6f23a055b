import {
  hostIn,
  isBridgeLocalOnly,
  isLoopbackUrl,
  isRemoteOrProxy,
  isTlsToPlain,
  isWildcard,
  reaches,
  urlOf,
  urlParts,
} from "../../bds/address.ts";
import { address } from "../../shared/address.ts";
import { ask, HOST_NOT_ALLOWED, isBridge, isHostNotAllowed, UNKNOWN_BRIDGE_PATH } from "./http-request.ts";
import type { CheckedBridgeUrl, CheckedSidecar, DoctorSystem } from "./target.ts";

const DEFAULT = " --bridge-url default";

interface BridgeUrlContext {
  sidecar: CheckedSidecar | undefined;
  system: DoctorSystem;
  /** whether it comes from `--bridge-url`; else it was written by hand */
  isNamed: boolean;
}

/** Checks `bridge-url` of variables.json. Other machines and proxies get a request without the token. */
export async function checkBridgeUrl(value: unknown, given: BridgeUrlContext): Promise<CheckedBridgeUrl> {
  const { sidecar, system } = given;
  const written = checkWrittenUrl(value, given);
  const isAsked =
    written.state === "ok" &&
    written.url !== undefined &&
    isRemoteOrProxy(written.url, sidecar?.config, system.ownAddresses());
  return isAsked ? checkAnswerAt(written.url ?? "", given) : written;
}

/** Checks the address against the configuration. */
function checkWrittenUrl(value: unknown, { sidecar, system }: BridgeUrlContext): CheckedBridgeUrl {
  const wanted =
    sidecar === undefined || sidecar.config.bridge.port === 0 ? undefined : urlOf(sidecar.config.bridge);
  const expected = wanted === undefined ? "" : `, expected ${wanted}`;
  const wrong = (what: string, option = DEFAULT): CheckedBridgeUrl => ({
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
  if (isWildcard(hostIn(url))) return wrong(`is ${url}, which stands for every address of a machine`);
  const right = (what = ""): CheckedBridgeUrl => ({
    state: "ok",
    what: `bridge-url is ${url}${what}`,
    url,
    option: "",
  });
  if (sidecar === undefined || wanted === undefined) return right();
  const { bridge, modules } = sidecar.config;
  const own = system.ownAddresses();
  if (isRemoteOrProxy(url, sidecar.config, own)) return right();
  const { pathname, port } = urlParts(url);
  if (port === bridge.port && isTlsToPlain(url, sidecar.config, own))
    return wrong(`is ${url}, and the sidecar's listener for the pack has no TLS`);
  if (port === modules.api.port) return wrong(`is ${url}, the address of the public listener`);
  if (port !== bridge.port || pathname !== "/" || !reaches(hostIn(url), bridge)) return wrong(`is ${url}`);
  return right(", where the sidecar listens for the pack");
}

/** Checks an address on another machine, or behind a proxy, by its answer. */
async function checkAnswerAt(url: string, given: BridgeUrlContext): Promise<CheckedBridgeUrl> {
  const option = given.isNamed ? "" : ` --bridge-url ${url}`;
  const answer = await ask(url + UNKNOWN_BRIDGE_PATH, given.system);
  if (answer.status === 0) return unanswered(url, answer.code, given);
  if (isBridge(answer)) return { state: "ok", what: `${url} leads to a sidecar`, url, option };
  if (isHostNotAllowed(answer)) {
    const fix = "have the proxy in front of it send Host: localhost, or run setup with --bridge-url default";
    const what = `${url} leads to a sidecar that ${HOST_NOT_ALLOWED}`;
    return { state: "problem", what, url, fix, isKept: true, option };
  }
  const what = `${url} does not lead to the sidecar's listener for the pack`;
  const fix = "where the sidecar is elsewhere or behind a proxy, name its address with --bridge-url instead";
  return { state: "problem", what, url, fix, option: DEFAULT };
}

/** An address without an answer may still be right where only the game server can reach it. */
function unanswered(
  url: string,
  code: string | undefined,
  { sidecar, isNamed }: BridgeUrlContext,
): CheckedBridgeUrl {
  if (isLoopbackUrl(url)) {
    const fix = "or start the proxy that is to listen there";
    return { state: "problem", what: `nobody answers at ${url}`, url, fix, option: DEFAULT };
  }
  const isUnknown = code === "ENOTFOUND" || code === "EAI_AGAIN";
  const why = isUnknown ? "this machine knows no such name" : "it cannot be reached from this machine";
  if (sidecar === undefined || url.startsWith("https:") || !isBridgeLocalOnly(sidecar.config)) {
    const written = `; setup did not write it: to keep it, run setup with --bridge-url ${url}`;
    const what = `it is not known whether ${url} leads to the sidecar: ${why}${isNamed ? "" : written}`;
    return { state: "note", what, url, option: "" };
  }
  const { config, configFile } = sidecar;
  return {
    state: "problem",
    what: `variables.json: bridge-url is ${url}, and nobody answers there: ${why}, and the sidecar listens for this machine only (bridge.host ${config.bridge.host} in ${configFile})`,
    url: urlOf(config.bridge),
    fix: "for a game server elsewhere, set bridge.host to an address that it reaches instead",
    option: DEFAULT,
  };
}
