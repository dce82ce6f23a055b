import { isIP } from "node:net";
import { address } from "../behavior_pack/address.ts";
import type { Config } from "../sidecar/config/settings.ts";
import { type Finding, note, ok, problem } from "./finding.ts";
import type { Side, Target } from "./target.ts";

const ID = "bridge-url";
const ANY = ["0.0.0.0", "::"];
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i;

/** Address of a listener as programs on this machine reach it. */
export function urlOf({ host, port }: { host: string; port: number }): string {
  const name = ANY.includes(host) ? "127.0.0.1" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

/** Whether an address leads to another machine, or to a proxy, which the configuration cannot tell of. */
export function isElsewhere(url: string, host: string, ownAddresses: readonly string[]): boolean {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:") return true;
  const name = hostname.replace(/^\[|\]$/g, "");
  return !LOOPBACK.test(name) && name !== host && !ownAddresses.includes(name);
}

/** The same, or to the proxy that several sidecars have in front of them, on their own machine perhaps. */
export function isBeyond(url: string, config: Config | undefined, ownAddresses: readonly string[]): boolean {
  const { bridge, modules, storage } = config ?? {};
  const { port } = parts(url);
  const isProxy = storage?.kind === "redis" && port !== bridge?.port && port !== modules?.api.port;
  return isProxy || isElsewhere(url, bridge?.host ?? "", ownAddresses);
}

/** Judges `bridge-url`. `url`: the address that the other settings have to fit; undefined when it is not known. */
export function checkUrl(
  { side, around, setup }: Pick<Target, "side" | "around" | "setup">,
  value: unknown,
): { finding: Finding; url: string | undefined } {
  const wanted = side === undefined || side.config.bridge.port === 0 ? undefined : urlOf(side.config.bridge);
  const wrong = (what: string): { finding: Finding; url: string | undefined } => ({
    finding: problem(
      ID,
      `variables.json: ${what}${wanted === undefined ? "" : `, expected ${wanted}`}`,
      setup,
    ),
    url: wanted,
  });
  if (value === undefined) return wrong(`${ID} is missing`);
  const url = address(value);
  if (url === undefined || !URL.canParse(url)) return wrong(`${ID}: ${JSON.stringify(value)} is no address`);
  if (side === undefined || wanted === undefined)
    return { finding: ok(ID, `${ID} is ${url}; what the sidecar's is, is not known`), url };
  const { bridge, modules } = side.config;
  if (isBeyond(url, side.config, around.ownAddresses())) return { finding: ok(ID, `${ID} is ${url}`), url };
  const { hostname, pathname, port } = parts(url);
  if (port === modules.api.port) return wrong(`${ID} is ${url}, the address of the public listener`);
  if (port !== bridge.port || pathname !== "/" || !reaches(hostname, bridge)) return wrong(`${ID} is ${url}`);
  return { finding: ok(ID, `${ID} is ${url}, where the sidecar listens for the pack`), url };
}

/** Whether an address is one of this machine for itself. */
export const isOfMachine = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

/** Whether the sidecar lets in what comes over an address on another machine; a proxy may stand in between. */
export function checkHost(url: string, { config, configFile }: Side): Finding[] {
  const { host } = config.bridge;
  if (!LOOPBACK.test(host) || url.startsWith("https:") || isOfMachine(url)) return [];
  const what = `bridge.host is ${host} in ${configFile}: only programs of this machine reach it, and ${ID} is ${url}`;
  return [note("bridge-host", what)];
}

function parts(url: string): { hostname: string; pathname: string; port: number } {
  const { hostname, pathname, port } = new URL(url);
  return { hostname, pathname, port: port === "" ? 80 : Number(port) };
}

/** Whether a name of this machine leads to the host that is listened on. */
function reaches(hostname: string, { host }: Config["bridge"]): boolean {
  const name = hostname.replace(/^\[|\]$/g, "");
  return ANY.includes(host) || name === host || (LOOPBACK.test(name) && LOOPBACK.test(host));
}
