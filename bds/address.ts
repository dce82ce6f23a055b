import { isIP } from "node:net";

interface Listener {
  host: string;
  port: number;
}

/** The addresses in the sidecar's configuration. */
interface SidecarListeners {
  bridge: Listener;
  modules: { api: Listener };
  storage: { kind: string };
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i;

export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);

export const isLoopbackUrl = (url: string): boolean => LOOPBACK.test(hostIn(url));

/** Whether a host is the wildcard address, which stands for all addresses of a machine. */
export const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::";

/** Whether two programs cannot listen at one port of these two hosts. */
export const overlaps = (one: string, other: string): boolean =>
  isWildcard(one) || isWildcard(other) || one === other;

/** URL of a listener for programs on this machine. */
export function urlOf({ host, port }: Listener): string {
  const name = isWildcard(host) ? "127.0.0.1" : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}

/** The host of a URL, without brackets. */
export const hostIn = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

export function urlParts(url: string): { protocol: string; pathname: string; port: number } {
  const { protocol, pathname, port } = new URL(url);
  return { protocol, pathname, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

/** Whether a URL leads to another machine or to a proxy. */
export const isRemote = (url: string, host: string, ownAddresses: readonly string[]): boolean =>
  urlParts(url).protocol === "https:" || !isOwn(url, host, ownAddresses);

/** Whether a URL leads to another machine, or to a proxy in front of several sidecars, which may be on this machine. */
export function isRemoteOrProxy(
  url: string,
  config: SidecarListeners | undefined,
  ownAddresses: readonly string[],
): boolean {
  if (config !== undefined && isTlsToPlain(url, config, ownAddresses)) return false;
  const { bridge, modules, storage } = config ?? {};
  const { port } = urlParts(url);
  const isProxy = storage?.kind === "redis" && port !== bridge?.port && port !== modules?.api.port;
  return isProxy || isRemote(url, bridge?.host ?? "", ownAddresses);
}

/** Why a URL cannot belong to a sidecar on this machine; undefined: it can. */
export function bridgeUrlFault(
  url: string,
  config: SidecarListeners,
  ownAddresses: readonly string[],
): string | undefined {
  const { bridge, modules } = config;
  const { pathname, port } = urlParts(url);
  const host = hostIn(url);
  if (isWildcard(host)) return "is a wildcard address, which nothing can connect to";
  if (isTlsToPlain(url, config, ownAddresses)) return "the sidecar's listeners have no TLS";
  if (!isOwn(url, bridge.host, ownAddresses)) return undefined;
  if (port === modules.api.port && reaches(host, modules.api)) return "is the address of the public listener";
  const isBridge = port === bridge.port && reaches(host, bridge);
  return isBridge && pathname !== "/" ? "the sidecar's bridge listener has no paths" : undefined;
}

/** Whether a URL names this machine, or the host that the sidecar listens at. */
function isOwn(url: string, host: string, ownAddresses: readonly string[]): boolean {
  const name = hostIn(url);
  return LOOPBACK.test(name) || name === host || ownAddresses.includes(name);
}

/** Whether a URL requests TLS from a listener of the sidecar, which has none. */
export function isTlsToPlain(
  url: string,
  { bridge, modules }: SidecarListeners,
  ownAddresses: readonly string[],
): boolean {
  const { protocol, port } = urlParts(url);
  const listener = [bridge, modules.api].find(each => each.port === port);
  if (protocol !== "https:" || listener === undefined) return false;
  return isOwn(url, listener.host, ownAddresses) && reaches(hostIn(url), listener);
}

/** Whether only programs of this machine can reach the sidecar's listener for the pack. */
export const isBridgeLocalOnly = ({ bridge }: SidecarListeners): boolean => LOOPBACK.test(bridge.host);

/** Whether a name of this machine leads to a listener's host. An address leads only to hosts of the same family. */
export function reaches(name: string, { host }: Pick<Listener, "host">): boolean {
  if (isWildcard(host)) return host === "::" || isIP(name) !== 6;
  const at = hostIn(urlOf({ host, port: 0 })).replace(/^localhost\.?$/, "127.0.0.1");
  return name === at || (name === "localhost" && LOOPBACK.test(at));
}
