import { isIP } from "node:net";
import { address } from "../behavior_pack/address.ts";
import type { Config } from "../sidecar/config/settings.ts";
import { type Finding, ok, problem } from "./finding.ts";
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
  return new URL(url).protocol === "https:" || !isOwn(url, host, ownAddresses);
}

/** The same, or to the proxy that several sidecars have in front of them, on their own machine perhaps. */
export function isBeyond(url: string, config: Config | undefined, ownAddresses: readonly string[]): boolean {
  if (config !== undefined && isTlsToPlain(url, config, ownAddresses)) return false;
  const { bridge, modules, storage } = config ?? {};
  const { port } = parts(url);
  const isProxy = storage?.kind === "redis" && port !== bridge?.port && port !== modules?.api.port;
  return isProxy || isElsewhere(url, bridge?.host ?? "", ownAddresses);
}

/** Whether an address names this machine, or the host that is listened on. */
function isOwn(url: string, host: string, ownAddresses: readonly string[]): boolean {
  const name = nameIn(url);
  return LOOPBACK.test(name) || name === host || ownAddresses.includes(name);
}

/** Whether an address asks for TLS where a listener of the sidecar is: they have none. */
export function isTlsToPlain(
  url: string,
  { bridge, modules }: Config,
  ownAddresses: readonly string[],
): boolean {
  const { protocol, port } = parts(url);
  const listener = [bridge, modules.api].find(each => each.port === port);
  if (protocol !== "https:" || listener === undefined) return false;
  return isOwn(url, listener.host, ownAddresses) && reaches(nameIn(url), listener);
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
  const own = around.ownAddresses();
  if (isBeyond(url, side.config, own)) return { finding: ok(ID, `${ID} is ${url}`), url };
  const { pathname, port } = parts(url);
  if (port === bridge.port && isTlsToPlain(url, side.config, own))
    return wrong(`${ID} is ${url}, and the sidecar's listener for the pack has no TLS`);
  if (port === modules.api.port) return wrong(`${ID} is ${url}, the address of the public listener`);
  if (port !== bridge.port || pathname !== "/" || !reaches(nameIn(url), bridge))
    return wrong(`${ID} is ${url}`);
  return { finding: ok(ID, `${ID} is ${url}, where the sidecar listens for the pack`), url };
}

/** Whether an address is one of this machine for itself. */
export const isOfMachine = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

/** Whether only programs of this machine reach the sidecar's listener for the pack. */
export const isForMachineOnly = ({ config }: Side): boolean => LOOPBACK.test(config.bridge.host);

function parts(url: string): { protocol: string; pathname: string; port: number } {
  const { protocol, pathname, port } = new URL(url);
  return { protocol, pathname, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

const nameIn = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

/** Whether a name of this machine leads to the host that is listened on. */
function reaches(name: string, { host }: { host: string }): boolean {
  return ANY.includes(host) || name === host || (LOOPBACK.test(name) && LOOPBACK.test(host));
}
