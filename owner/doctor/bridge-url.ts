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
import {
  HOST_NOT_ALLOWED,
  isBridge,
  isHostNotAllowed,
  sendRequest,
  UNKNOWN_BRIDGE_PATH,
} from "./http-request.ts";
import type { CheckedBridgeUrl, CheckedSidecar, DoctorSystem } from "./target.ts";

const DEFAULT = " --bridge-url default";

interface BridgeUrlContext {
  sidecar: CheckedSidecar | undefined;
  system: DoctorSystem;
  /** whether it comes from `--bridge-url`; else it was written by hand */
  isNamed: boolean;
}

/** Checks `bridge-url` of variables.json. Other machines and proxies get a request without the token. */
export async function checkBridgeUrl(value: unknown, context: BridgeUrlContext): Promise<CheckedBridgeUrl> {
  const { sidecar, system } = context;
  const written = checkWrittenUrl(value, context);
  const isQueried =
    written.state === "ok" &&
    written.url !== undefined &&
    isRemoteOrProxy(written.url, sidecar?.config, system.ownAddresses());
  return isQueried ? checkAnswerAt(written.url ?? "", context) : written;
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
  // Not shown, since it may contain a password.
  if (typeof value === "string" && value.includes("@")) return wrong("contains a user name or a password");
  const url = address(value);
  if (url === undefined || !URL.canParse(url))
    return wrong(`is ${JSON.stringify(value)}, which is not a valid address`, "");
  if (isWildcard(hostIn(url))) return wrong(`is ${url}, a wildcard address, which nothing can connect to`);
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
    return wrong(`is ${url}, but the sidecar's bridge listener has no TLS`);
  if (port === modules.api.port) return wrong(`is ${url}, the address of the public listener`);
  if (port !== bridge.port || pathname !== "/" || !reaches(hostIn(url), bridge)) return wrong(`is ${url}`);
  return right(", the sidecar's bridge listener");
}

/** Checks an address on another machine, or behind a proxy, by its answer. */
async function checkAnswerAt(url: string, context: BridgeUrlContext): Promise<CheckedBridgeUrl> {
  const option = context.isNamed ? "" : ` --bridge-url ${url}`;
  const answer = await sendRequest(url + UNKNOWN_BRIDGE_PATH, context.system);
  if (answer.status === 0) return unanswered(url, answer.code, context);
  if (isBridge(answer)) return { state: "ok", what: `${url} reaches a sidecar`, url, option };
  if (isHostNotAllowed(answer)) {
    const fix = "make the proxy in front of it send Host: localhost, or run setup with --bridge-url default";
    const what = `${url} reaches a sidecar that ${HOST_NOT_ALLOWED}`;
    return { state: "problem", what, url, fix, isUnchanged: true, option };
  }
  const what = `${url} does not reach the sidecar's bridge listener`;
  const fix =
    "if the sidecar runs on another machine or behind a proxy, pass its address with --bridge-url instead";
  return { state: "problem", what, url, fix, option: DEFAULT };
}

/** An address that does not answer may still be right if only the game server can reach it. */
function unanswered(
  url: string,
  code: string | undefined,
  { sidecar, isNamed }: BridgeUrlContext,
): CheckedBridgeUrl {
  if (isLoopbackUrl(url)) {
    const fix = "or start the proxy that should listen there";
    return { state: "problem", what: `nothing answers at ${url}`, url, fix, option: DEFAULT };
  }
  const isUnknown = code === "ENOTFOUND" || code === "EAI_AGAIN";
  const why = isUnknown ? "this machine cannot resolve that name" : "it cannot be reached from this machine";
  if (sidecar === undefined || url.startsWith("https:") || !isBridgeLocalOnly(sidecar.config)) {
    const written = `; setup did not write it: to keep it, run setup with --bridge-url ${url}`;
    const what = `not known whether ${url} reaches the sidecar: ${why}${isNamed ? "" : written}`;
    return { state: "note", what, url, option: "" };
  }
  const { config, configFile } = sidecar;
  return {
    state: "problem",
    what: `variables.json: bridge-url is ${url}, but nothing answers there: ${why}, and the sidecar accepts connections from this machine only (bridge.host ${config.bridge.host} in ${configFile})`,
    url: urlOf(config.bridge),
    fix: "if the game server runs on another machine, set bridge.host to an address that it can reach instead",
    option: DEFAULT,
  };
}
